import { type DraftNode, nodeSize } from './flow-edits.ts'

/** Options to fit the whole flow into view: never larger than life. */
export const fitOptions = { maxZoom: 1, padding: 0.1 } as const

/** Minimum zoom at which nodes can be read on a phone. */
const minReadable = 0.8
const margin = 16

/**
 * Returns a phone's initial view of a flow: the start on top in the middle, and as much beside it as can still be read.
 * @param width of the canvas, px.
 */
export function startOf(nodes: readonly DraftNode[], width: number): { x: number; y: number; zoom: number } {
  const triggers = nodes.filter(({ type }) => type === 'trigger')
  const [start] = (triggers.length > 0 ? triggers : nodes).toSorted((a, b) => a.position.y - b.position.y)
  if (!start) return { x: 0, y: 0, zoom: 1 }
  const { x, y } = start.position
  const reach = Math.max(...nodes.map(({ position }) => Math.abs(position.x - x))) + nodeSize.width / 2 + margin
  const zoom = Math.min(1, Math.max(minReadable, width / 2 / reach))
  return { x: width / 2 - (x + nodeSize.width / 2) * zoom, y: 2 * margin - y * zoom, zoom }
}
