import { draftFlowSchema } from '@parley/contracts/automation/flow'
import { expect, test } from 'vitest'
import { maxStepsPerInput, step } from './interpreter.ts'
import { flowOf, hours, run, write } from './interpreter-fixtures.ts'

test('what is asked and set is known to what follows, and a tag is added once', () => {
  const { state } = run(flowOf({ kind: 'ask', text: '?', attribute: 'order' }), write('hi'), write('42'))
  expect(state.person.attributes).toEqual({ city: 'Pune', age: '31', order: '42' })
  expect(run(flowOf({ kind: 'add_tag', tag: 'VIP' }), write('x')).state.person.tags).toEqual(['vip'])
})

test('values are written so that they fit where they stand', () => {
  const flow = flowOf({
    kind: 'http_call',
    method: 'POST',
    url: 'https://shop.example/{{last_answer}}',
    body: '{"q":"{{last_answer}}"}',
  })
  const [call] = run(flow, write('a/b "c"')).effects
  expect(call).toMatchObject({ url: 'https://shop.example/a%2Fb%20%22c%22', body: '{"q":"a/b \\"c\\""}' })
})

test('the more particular trigger wins whatever the order', () => {
  const flow = flowOf({ kind: 'send_text', text: 'x' })
  const keyword = (id: string, match: 'exact' | 'contains') => ({
    ...flow.nodes[0],
    id,
    settings: { kind: 'keyword', keywords: ['tea'], match },
  })
  const many = draftFlowSchema.parse({
    nodes: [...flow.nodes, keyword('loose', 'contains'), keyword('exact', 'exact')],
    edges: [],
  })
  expect(run(many, write('tea')).state.nodeId).toBe('exact')
  expect(run(many, write('green tea')).state.nodeId).toBe('loose')
  expect(run(many, write('coffee')).state.nodeId).toBe('start')
})

test('a branch without a target ends the conversation, and the next message begins anew', () => {
  const flow = flowOf(hours, [])
  const { effects, state } = run(flow, write('hi'))
  expect(effects).toEqual([{ type: 'ended', nodeId: 'here', reason: 'no_target' }])
  expect(step(flow, state, write('again')).visited).toEqual(['start', 'here'])
})

test('a circle is stopped', () => {
  const flow = flowOf({ kind: 'add_tag', tag: 'x' }, [])
  const circle = { ...flow, edges: [...flow.edges, { id: 'e1', source: 'here', target: 'here', branch: 'next' }] }
  const { results, state } = run(circle, write('hi'))
  expect(results[0]?.visited).toHaveLength(maxStepsPerInput)
  expect(results[0]?.effects.at(-1)).toMatchObject({ type: 'ended', reason: 'loop' })
  expect(state.status).toBe('ended')
})

test('an unfinished node ends the conversation in words', () => {
  const flow = flowOf({ kind: 'send_text', text: 'x' })
  const broken = {
    ...flow,
    nodes: flow.nodes.map((node) =>
      node.id === 'here' ? { ...node, settings: { kind: 'send_text', text: '' } } : node,
    ),
  }
  expect(run(broken, write('hi')).effects).toEqual([
    { type: 'ended', nodeId: 'here', reason: 'problem', message: 'Enter the message.' },
  ])
})
