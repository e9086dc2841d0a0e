import { nodeSettingsSchema } from '@parley/contracts/automation/flow'
import { expect, test } from 'vitest'
import { problemsOf } from './problems.ts'
import { upgradeFlow } from './upgrade-flow.ts'

const node = (id: string, type: string, settings: object) => ({
  id,
  type,
  label: '',
  description: '',
  position: { x: 0, y: 0 },
  settings,
})
const old = {
  nodes: [
    node('a', 'trigger', { kind: 'keyword', keywords: ['tea'], match: 'contains' }),
    node('b', 'action', { kind: 'ask', text: 'Which?', attribute: 'tea' }),
    node('c', 'condition', {
      kind: 'business_hours',
      timeZone: 'Asia/Kolkata',
      days: [1, 5],
      from: '09:00',
      to: '18:00',
    }),
    node('d', 'action', { kind: 'assign', to: 'Meera Das' }),
  ],
  edges: [
    { id: 'e1', source: 'a', target: 'b', branch: 'next' },
    { id: 'e2', source: 'b', target: 'c', branch: 'next' },
    { id: 'e3', source: 'c', target: 'd', branch: 'yes' },
  ],
}

test('a flow of format 1 is read as one of today’s, without a problem', () => {
  const flow = upgradeFlow(old)
  expect(problemsOf(flow)).toEqual([])
  expect(flow.nodes.map(({ settings }) => nodeSettingsSchema.parse(settings))).toEqual([
    { kind: 'keyword', keywords: ['tea'], match: 'word' },
    { kind: 'ask', text: 'Which?', attribute: 'tea' },
    {
      kind: 'business_hours',
      hours: {
        use: 'own',
        timeZone: 'Asia/Kolkata',
        spans: [
          { day: 1, from: '09:00', to: '18:00' },
          { day: 5, from: '09:00', to: '18:00' },
        ],
        closedOn: [],
      },
    },
    { kind: 'assign', to: { kind: 'queue' }, note: 'For Meera Das' },
  ])
  expect(upgradeFlow(flow)).toEqual(flow)
})

test('unfinished settings stay unfinished', () => {
  const flow = upgradeFlow({
    nodes: [
      node('a', 'action', { kind: 'assign', to: '' }),
      node('b', 'condition', { kind: 'business_hours' }),
      node('c', 'action', { kind: 'dance' }),
    ],
    edges: [],
  })
  expect(flow.nodes[2]?.settings).toEqual({ kind: 'dance' })
  expect(problemsOf(flow).filter(({ code }) => code === 'settings')).toHaveLength(2)
})

test.each([[null], ['flow'], [{ nodes: 3 }], [{ format: 3, nodes: [], edges: [] }]])('%j is no flow', (stored) => {
  expect(() => upgradeFlow(stored)).toThrow()
})
