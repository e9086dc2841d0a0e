import type { DraftFlow } from '@parley/contracts/automation/flow'
import { expect, test } from 'vitest'
import { diffFlows, isSameFlow } from './diff-flows.ts'
import { flowOf } from './interpreter-fixtures.ts'

const before = flowOf({ kind: 'buttons', text: 'Which?', choices: [{ id: 'a', title: 'Tea' }] }, ['a'])
const change = (id: string, patch: object): DraftFlow => ({
  ...before,
  nodes: before.nodes.map((node) => (node.id === id ? { ...node, ...patch } : node)),
})

test('moved nodes and rewritten keys are no difference', () => {
  const moved = change('here', {
    position: { x: 5, y: 9 },
    settings: { choices: [{ title: 'Tea', id: 'a' }], text: 'Which?', kind: 'buttons' },
  })
  expect(isSameFlow(before, moved)).toBe(true)
})

test('fields, nodes and connections are named one by one', () => {
  const after = change('here', {
    label: 'Menu',
    settings: { kind: 'buttons', text: 'Which tea?', choices: [{ id: 'a', title: 'Tea' }], tries: 3 },
  })
  const [start, here, gone] = after.nodes
  if (!start || !here || !gone) throw new Error('The flow has three nodes.')
  const fresh = { ...gone, id: 'fresh' }
  const diff = diffFlows(before, {
    ...after,
    nodes: [start, here, fresh],
    edges: [...before.edges.slice(0, 1), { id: 'new', source: 'here', branch: 'a', target: 'fresh' }],
  })
  expect(diff).toEqual({
    added: [fresh],
    removed: [gone],
    changed: [
      {
        node: here,
        fields: [
          { field: 'label', before: '', after: 'Menu' },
          { field: 'settings.text', before: 'Which?', after: 'Which tea?' },
          { field: 'settings.tries', after: 3 },
        ],
      },
    ],
    connected: [{ source: 'here', branch: 'a', target: 'fresh' }],
    disconnected: [{ source: 'here', branch: 'a', target: 'after-a' }],
  })
  expect(isSameFlow(before, after)).toBe(false)
})
