import type { DraftFlow } from '@parley/contracts/automation/flow'
import { draftFlowSchema } from '@parley/contracts/automation/flow'
import { expect, test } from 'vitest'
import {
  addNode,
  changeNode,
  connect,
  type DraftNode,
  freePlace,
  insert,
  moveNodes,
  part,
  remove,
} from './flow-edits.ts'
import { starterFlows } from './starter-flows.ts'

const node = (id: string, settings: DraftNode['settings'], type: DraftNode['type'] = 'action'): DraftNode => ({
  id,
  type,
  label: id,
  description: '',
  position: { x: 0, y: 0 },
  settings,
})
const ways = ({ edges }: DraftFlow) => edges.map(({ source, branch, target }) => `${source}.${branch}>${target}`)
const buttons = node('menu', {
  kind: 'buttons',
  text: '?',
  choices: [
    { id: 'a', title: 'A' },
    { id: 'b', title: 'B' },
  ],
})
const start = node('start', { kind: 'any_message' }, 'trigger')
const flow: DraftFlow = {
  format: 2,
  nodes: [start, buttons, node('one', { kind: 'end' }), node('two', { kind: 'end' })],
  edges: [
    { id: 'e1', source: 'start', branch: 'next', target: 'menu' },
    { id: 'e2', source: 'menu', branch: 'a', target: 'one' },
  ],
}

test('a new node hangs on the first free branch of the node before it; a trigger hangs on nothing', () => {
  const added = addNode(flow, node('new', { kind: 'end' }), 'menu')
  expect(ways(added)).toContain('menu.b>new')
  expect(ways(addNode(added, node('more', { kind: 'end' }), 'menu'))).toHaveLength(3)
  expect(ways(addNode(flow, node('t', { kind: 'any_message' }, 'trigger'), 'menu'))).toEqual(ways(flow))
})

test('a branch leads to one node at a time, never to a trigger, and can lead nowhere', () => {
  expect(ways(connect(flow, { source: 'menu', branch: 'a', target: 'two' }))).toEqual(['start.next>menu', 'menu.a>two'])
  expect(connect(flow, { source: 'menu', branch: 'b', target: 'start' })).toBe(flow)
  expect(ways(connect(flow, { source: 'menu', branch: 'a', target: undefined }))).toEqual(['start.next>menu'])
})

test('what leads to or from a removed node goes with it', () => {
  const rest = remove(flow, { nodes: ['menu'], edges: [] })
  expect([rest.nodes.map(({ id }) => id), rest.edges]).toEqual([['start', 'one', 'two'], []])
})

test('a choice that is taken away takes its connection with it', () => {
  const changed = changeNode(flow, 'menu', { settings: { ...buttons.settings, choices: [{ id: 'b', title: 'B' }] } })
  expect(ways(changed)).toEqual(['start.next>menu'])
  expect(ways(changeNode(flow, 'menu', { label: 'Menu' }))).toEqual(ways(flow))
})

test('copies have ids of their own, keep the connections among them and stand on nothing', () => {
  let count = 0
  const { flow: result, ids } = insert(flow, part(flow, ['menu', 'one']), () => `copy-${++count}`)
  expect(ids).toEqual(['copy-1', 'copy-2'])
  expect(ways(result).slice(2)).toEqual(['copy-1.a>copy-2'])
  draftFlowSchema.parse(result)
  expect(new Set(result.edges.map(({ id }) => id)).size).toBe(3)
})

test('a free place is not on another node', () => {
  const freePosition = freePlace(starterFlows.sample, { x: 0, y: 0 })
  for (const { position } of starterFlows.sample.nodes) {
    expect(Math.abs(position.x - freePosition.x) >= 248 || Math.abs(position.y - freePosition.y) >= 112).toBe(true)
  }
})

test('a move to where a node stands is no change', () => {
  expect(moveNodes(flow, new Map([['menu', { x: 0, y: 0 }]]))).toBe(flow)
  expect(moveNodes(flow, new Map([['menu', { x: 5, y: 0 }]])).nodes[1]?.position).toEqual({ x: 5, y: 0 })
})
