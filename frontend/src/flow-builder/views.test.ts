import { expect, test } from 'vitest'
import { type DraftNode, nodeSize } from './flow-edits.ts'
import { starterFlows } from './starter-flows.ts'
import { startOf } from './views.ts'

const node = (type: DraftNode['type'], x: number, y: number): DraftNode => ({
  id: `${x} ${y}`,
  type,
  label: '',
  description: '',
  position: { x, y },
  settings: { kind: 'end' },
})
const width = 390

/** Returns where a node's middle and top edge are drawn. */
const drawn = ({ position }: DraftNode, { x, y, zoom }: ReturnType<typeof startOf>) => ({
  middle: x + (position.x + nodeSize.width / 2) * zoom,
  top: y + position.y * zoom,
})

test('a phone opens a flow at its first trigger, in the middle and large enough to be read', () => {
  const start = node('trigger', 300, 340)
  const view = startOf([node('action', 0, 0), node('trigger', 900, 700), start, node('action', 1200, 510)], width)
  expect(view.zoom).toBe(0.8)
  expect(drawn(start, view)).toEqual({ middle: width / 2, top: 32 })
})

test('a phone shows a narrow flow in its own size, and one without a trigger from its first node', () => {
  expect(startOf(starterFlows.sample.nodes, width)).toEqual({ x: 71, y: 32, zoom: 1 })
  const first = node('action', 0, 100)
  const view = startOf([node('action', 20, 400), first], width)
  expect(drawn(first, view)).toEqual({ middle: width / 2, top: 32 })
  expect(view.zoom).toBeGreaterThan(0.8)
  expect(startOf([], width)).toEqual({ x: 0, y: 0, zoom: 1 })
})
