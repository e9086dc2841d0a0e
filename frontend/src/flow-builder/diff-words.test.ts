import type { DraftFlow } from '@parley/contracts/automation/flow'
import { expect, test } from 'vitest'
import { describeDiff, drawDiff, lineKey } from './diff-words.ts'

const node = (
  id: string,
  settings: DraftFlow['nodes'][number]['settings'],
  label = id,
): DraftFlow['nodes'][number] => ({
  id,
  type: settings.kind === 'keyword' ? 'trigger' : 'action',
  label,
  description: '',
  position: { x: 0, y: 0 },
  settings,
})
const edge = (source: string, target: string, branch = 'next') => ({
  id: `${source}-${target}`,
  source,
  target,
  branch,
})
const names = { bots: [{ id: 'b1', name: 'Orders' }], templates: [], members: [{ id: 'm1', name: 'Bo' }] }

const before: DraftFlow = {
  format: 2,
  nodes: [
    node('start', { kind: 'keyword', keywords: ['hi'], match: 'exact' }, 'Greeting'),
    node('say', { kind: 'send_text', text: 'Hi' }, 'Answer'),
    node('wait', { kind: 'wait_reply', timeoutSeconds: 3600 }, 'Wait'),
    node('old', { kind: 'assign', to: { kind: 'queue' } }, 'To people'),
  ],
  edges: [edge('start', 'say'), edge('say', 'wait'), edge('wait', 'old', 'timeout')],
}
const after: DraftFlow = {
  format: 2,
  nodes: [
    node('start', { kind: 'keyword', keywords: ['hi', 'hey'], match: 'exact' }, 'Greeting'),
    { ...node('say', { kind: 'send_text', text: 'Hello' }, 'Answer'), position: { x: 90, y: 90 } },
    node('wait', { kind: 'wait_reply', timeoutSeconds: 7200 }, 'Wait'),
    node('bo', { kind: 'assign', to: { kind: 'member', memberId: 'm1' } }, 'To Bo'),
  ],
  edges: [edge('start', 'say'), edge('say', 'wait'), edge('wait', 'bo', 'timeout')],
}

test('differences are told in words: nodes, their fields, and connections', () => {
  expect(describeDiff(before, after, names).map(({ mark, title, details }) => [mark, title, ...details])).toEqual([
    ['added', 'To Bo'],
    ['removed', 'To people'],
    ['changed', 'Greeting', 'Keywords: “hi” → “hi”, “hey”'],
    ['changed', 'Answer', 'Text: “Hi” → “Hello”'],
    ['changed', 'Wait', 'Time for a reply: 1 hour → 2 hours'],
    ['added', 'Wait (No reply) → To Bo'],
    ['removed', 'Wait (No reply) → To people'],
  ])
})

test('people, bots and empty fields have names', () => {
  const of = (settings: DraftFlow['nodes'][number]['settings']): DraftFlow => ({
    format: 2,
    nodes: [node('n', settings)],
    edges: [],
  })
  const details = (one: DraftFlow, other: DraftFlow) => describeDiff(one, other, names)[0]?.details
  expect(
    details(
      of({ kind: 'assign', to: { kind: 'queue' } }),
      of({ kind: 'assign', to: { kind: 'member', memberId: 'm1' } }),
    ),
  ).toEqual(['To: the queue → Bo'])
  expect(details(of({ kind: 'go_to_bot', botId: '' }), of({ kind: 'go_to_bot', botId: 'b1' }))).toEqual([
    'Bot: nothing → Orders',
  ])
})

test('the drawing holds what is gone beside what is new, and nothing twice', () => {
  const { flow, nodes, lines } = drawDiff(before, after)
  expect(flow.nodes.map(({ id }) => id)).toEqual(['start', 'say', 'wait', 'bo', 'old'])
  expect(Object.fromEntries(nodes)).toEqual({
    start: 'changed',
    say: 'changed',
    wait: 'changed',
    bo: 'added',
    old: 'removed',
  })
  expect(Object.fromEntries(lines)).toEqual({ 'wait timeout bo': 'added', 'wait timeout old': 'removed' })
  expect(new Set(flow.edges.map(({ id }) => id)).size).toBe(flow.edges.length)
  expect(flow.edges.map(lineKey)).toContain('wait timeout old')
})

test('equal flows have no difference, wherever their nodes stand', () => {
  const moved = { ...before, nodes: before.nodes.map((one) => ({ ...one, position: { x: 9, y: 9 } })) }
  expect(describeDiff(before, moved, names)).toEqual([])
})
