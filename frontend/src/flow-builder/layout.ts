import type { DraftFlow } from '@parley/contracts/automation/flow'
import { nodeSize, type Position } from './flow-edits.ts'

/** Returns the nodes' positions in order from top to bottom. The library is loaded on first use. */
export async function layOut(
  { nodes, edges }: DraftFlow,
  heights: ReadonlyMap<string, number>,
): Promise<Map<string, Position>> {
  const { Graph, layout } = await import('@dagrejs/dagre')
  const graph = new Graph()
  graph.setGraph({ rankdir: 'TB', nodesep: 52, ranksep: 64 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id } of nodes) graph.setNode(id, { width: nodeSize.width, height: heights.get(id) ?? nodeSize.height })
  for (const { source, target } of edges) graph.setEdge(source, target)
  layout(graph)
  return new Map(
    nodes.map(({ id }) => {
      const { x = 0, y = 0, width = 0, height = 0 } = graph.node(id)
      return [id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }]
    }),
  )
}
