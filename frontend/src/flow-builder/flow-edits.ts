import { type DraftFlow, type FlowEdge, maxFlowNodes } from '@parley/contracts/automation/flow'
import { branchesOf } from '@parley/flow/branches'

export type DraftNode = DraftFlow['nodes'][number]
export type Position = DraftNode['position']

/** Approximate size of a drawn node, and the space that is kept around it. */
export const nodeSize = { width: 248, height: 112 } as const
const gap = { x: 52, y: 64 } as const
export const pitch = { x: nodeSize.width + gap.x, y: nodeSize.height + gap.y } as const

/** Returns the target of a branch. */
export const targetOf = ({ edges }: DraftFlow, source: string, branch: string): string | undefined =>
  edges.find((edge) => edge.source === source && edge.branch === branch)?.target

/** A node that comes after another by its first free branch, if it has one and nothing may not lead to a trigger. */
export function addNode(flow: DraftFlow, node: DraftNode, after?: string): DraftFlow {
  if (flow.nodes.length >= maxFlowNodes) return flow
  const added = { ...flow, nodes: [...flow.nodes, node] }
  const branch = after === undefined || node.type === 'trigger' ? undefined : freeBranchOf(flow, after)
  return after === undefined || branch === undefined
    ? added
    : connect(added, { source: after, branch, target: node.id })
}

/** The first branch of a node that leads nowhere, but for those that seldom happen. */
function freeBranchOf(flow: DraftFlow, id: string): string | undefined {
  const node = flow.nodes.find((one) => one.id === id)
  const branches = node ? branchesOf(node.settings).filter(({ isAside }) => !isAside) : []
  return branches.find((branch) => targetOf(flow, id, branch.id) === undefined)?.id
}

/** A free place for a node, at or below a wish. */
export function freePlace({ nodes }: Pick<DraftFlow, 'nodes'>, wish: Position): Position {
  const isOccupied = ({ x, y }: Position) =>
    nodes.some(({ position }) => Math.abs(position.x - x) < nodeSize.width && Math.abs(position.y - y) < pitch.y - 8)
  let position = wish
  for (let tries = 0; tries < 2 * maxFlowNodes && isOccupied(position); tries += 1) {
    const column = (tries + 1) % 4
    position = { x: wish.x + column * pitch.x, y: wish.y + Math.floor((tries + 1) / 4) * pitch.y }
  }
  return position
}

/** Takes nodes away with everything that leads to or from them, and connections. */
export function remove(flow: DraftFlow, gone: { nodes: readonly string[]; edges: readonly string[] }): DraftFlow {
  const nodes = new Set(gone.nodes)
  const edges = new Set(gone.edges)
  return {
    ...flow,
    nodes: flow.nodes.filter(({ id }) => !nodes.has(id)),
    edges: flow.edges.filter(({ id, source, target }) => !edges.has(id) && !nodes.has(source) && !nodes.has(target)),
  }
}

/** Lets a branch lead to a node; it leads to one at a time. Nothing leads to a trigger. Without a target it ends. */
export function connect(
  flow: DraftFlow,
  { source, branch, target }: { source: string; branch: string; target: string | undefined },
): DraftFlow {
  const edges = flow.edges.filter((edge) => edge.source !== source || edge.branch !== branch)
  const node = flow.nodes.find(({ id }) => id === target)
  if (target === undefined) return { ...flow, edges }
  if (!node || node.type === 'trigger') return flow
  return { ...flow, edges: [...edges, { id: edgeId(source, branch), source, branch, target }] }
}

/** Returns a unique id, since a branch has one edge; bounded, since ids are. */
const edgeId = (source: string, branch: string): string => `${source.slice(0, 31)}-${branch}`.slice(0, 64)

/** Changes a node. Connections of branches that it no longer has go with them. */
export function changeNode(flow: DraftFlow, id: string, patch: Partial<Omit<DraftNode, 'id'>>): DraftFlow {
  const nodes = flow.nodes.map((node) => (node.id === id ? { ...node, ...patch } : node))
  if (!patch.settings) return { ...flow, nodes }
  const branches = new Set(branchesOf(patch.settings).map((branch) => branch.id))
  return { ...flow, nodes, edges: flow.edges.filter(({ source, branch }) => source !== id || branches.has(branch)) }
}

/** Puts nodes elsewhere. The flow itself where none of them moves. */
export function moveNodes(flow: DraftFlow, positions: ReadonlyMap<string, Position>): DraftFlow {
  const moves = ({ id, position: { x, y } }: DraftNode) => {
    const position = positions.get(id)
    return position !== undefined && (position.x !== x || position.y !== y)
  }
  if (!flow.nodes.some(moves)) return flow
  return { ...flow, nodes: flow.nodes.map((node) => ({ ...node, position: positions.get(node.id) ?? node.position })) }
}

/** Copies some nodes with the connections among them. */
export function part(flow: DraftFlow, ids: readonly string[]): DraftFlow {
  const chosen = new Set(ids)
  return {
    ...flow,
    nodes: flow.nodes.filter(({ id }) => chosen.has(id)),
    edges: flow.edges.filter(({ source, target }) => chosen.has(source) && chosen.has(target)),
  }
}

/** Puts copied nodes in under ids of their own, beside where they came from. @returns the flow and the new ids. */
export function insert(flow: DraftFlow, copied: DraftFlow, newId: () => string): { flow: DraftFlow; ids: string[] } {
  const nodes = copied.nodes.slice(0, maxFlowNodes - flow.nodes.length)
  const ids = new Map(nodes.map(({ id }) => [id, newId()]))
  const placed = [...flow.nodes]
  for (const node of nodes) {
    const position = freePlace({ nodes: placed }, { x: node.position.x + 32, y: node.position.y + 32 })
    placed.push({ ...node, id: ids.get(node.id) ?? node.id, position })
  }
  const edges = copied.edges.flatMap((edge): FlowEdge[] => {
    const [source, target] = [ids.get(edge.source), ids.get(edge.target)]
    return source && target ? [{ ...edge, id: edgeId(source, edge.branch), source, target }] : []
  })
  return { flow: { ...flow, nodes: placed, edges: [...flow.edges, ...edges] }, ids: [...ids.values()] }
}
