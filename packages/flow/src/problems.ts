import { type DraftFlow, type FlowEdge, nodeSettingsSchema, nodeTypeOf } from '@parley/contracts/automation/flow'
import { isTimeZone } from '@parley/contracts/core/zoned-time'
import { branchesOf, waitingKinds } from './branches.ts'
import { sentenceOf } from './issue-sentence.ts'

/** Something that keeps a flow from running as drawn. */
export interface FlowProblem {
  readonly code:
    | 'no_trigger'
    | 'unreachable'
    | 'settings'
    | 'duplicate_node'
    | 'dangling_edge'
    | 'unknown_branch'
    | 'duplicate_branch'
    | 'into_trigger'
    | 'endless_cycle'
  /** Node of the problem; `null` if it is about the whole flow. */
  readonly nodeId: string | null
  /** A sentence for the person who builds the flow. */
  readonly message: string
}

type DraftNode = DraftFlow['nodes'][number]

/** Finds everything that is wrong with a flow, in the order of its nodes. A branch without a target is no problem: it ends the run. */
export function problemsOf(flow: DraftFlow): FlowProblem[] {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  const problems = [
    ...flow.nodes.flatMap((node) => settingsProblems(node)),
    ...duplicates(flow.nodes.map(({ id }) => id)).map((nodeId) =>
      problem('duplicate_node', nodeId, 'Two nodes have the same id.'),
    ),
    ...edgeProblems(flow, nodes),
    ...reachProblems(flow),
    ...cycleProblems(flow, nodes),
  ]
  const order = new Map(flow.nodes.map(({ id }, index) => [id, index]))
  const nodeOrder = ({ nodeId }: FlowProblem) => (nodeId === null ? -1 : (order.get(nodeId) ?? flow.nodes.length))
  return problems.sort((left, right) => nodeOrder(left) - nodeOrder(right))
}

const problem = (code: FlowProblem['code'], nodeId: string | null, message: string): FlowProblem => ({
  code,
  nodeId,
  message,
})

const duplicates = (ids: readonly string[]) => [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]

export function bySource(edges: readonly FlowEdge[]): ReadonlyMap<string, readonly FlowEdge[]> {
  const groups = new Map<string, FlowEdge[]>()
  for (const edge of edges) groups.set(edge.source, [...(groups.get(edge.source) ?? []), edge])
  return groups
}

function settingsProblems({ id, type, settings }: DraftNode): FlowProblem[] {
  const parsed = nodeSettingsSchema.safeParse(settings)
  if (!parsed.success) return [problem('settings', id, sentenceOf(parsed.error))]
  if (nodeTypeOf(parsed.data.kind) !== type)
    return [problem('settings', id, 'This node is not of the type it is drawn as.')]
  if (
    parsed.data.kind === 'business_hours' &&
    parsed.data.hours.use === 'own' &&
    !isTimeZone(parsed.data.hours.timeZone)
  )
    return [problem('settings', id, 'Choose a time zone.')]
  return duplicates(branchesOf(settings).map((branch) => branch.id)).map(() =>
    problem('settings', id, 'Two choices have the same id.'),
  )
}

function edgeProblems({ edges }: DraftFlow, nodes: ReadonlyMap<string, DraftNode>): FlowProblem[] {
  const seen = new Set<string>()
  return edges.flatMap(({ source, target, branch }) => {
    const from = nodes.get(source)
    if (!from)
      return [
        problem(
          'dangling_edge',
          nodes.has(target) ? target : null,
          'A connection begins at a node that does not exist.',
        ),
      ]
    if (!nodes.has(target))
      return [problem('dangling_edge', source, 'A connection leads to a node that does not exist.')]
    const found: FlowProblem[] = []
    const key = `${source} ${branch}`
    const known = branchesOf(from.settings).find(({ id }) => id === branch)
    if (!known)
      found.push(problem('unknown_branch', source, 'A connection leaves by a branch that this node does not have.'))
    if (seen.has(key))
      found.push(problem('duplicate_branch', source, `The branch “${known?.label ?? branch}” leads to two nodes.`))
    if (nodes.get(target)?.type === 'trigger')
      found.push(problem('into_trigger', target, 'A trigger starts the flow; nothing can lead to it.'))
    seen.add(key)
    return found
  })
}

function reachProblems({ nodes, edges }: DraftFlow): FlowProblem[] {
  const triggers = nodes.filter(({ type }) => type === 'trigger')
  if (triggers.length === 0) return [problem('no_trigger', null, 'Add a trigger: nothing starts this flow.')]
  const targets = bySource(edges)
  const reached = new Set(triggers.map(({ id }) => id))
  for (const id of reached) for (const { target } of targets.get(id) ?? []) reached.add(target)
  return nodes
    .filter(({ id }) => !reached.has(id))
    .map(({ id }) => problem('unreachable', id, 'Nothing leads to this node.'))
}

/** Finds cycles in which the flow never waits: they would run until they are stopped. Each is named once, at one of its nodes. */
function cycleProblems({ edges }: DraftFlow, nodes: ReadonlyMap<string, DraftNode>): FlowProblem[] {
  const passes = (id: string) => !waitingKinds.has(nodes.get(id)?.settings.kind ?? '')
  const targets = bySource(
    edges.filter(({ source, target }) => nodes.has(source) && nodes.has(target) && passes(source) && passes(target)),
  )
  const state = new Map<string, 'open' | 'done'>()
  const found = new Set<string>()
  const visit = (id: string): void => {
    state.set(id, 'open')
    for (const { target } of targets.get(id) ?? []) {
      if (state.get(target) === 'open') found.add(target)
      else if (!state.has(target)) visit(target)
    }
    state.set(id, 'done')
  }
  for (const id of targets.keys()) if (!state.has(id)) visit(id)
  return [...found].map((id) =>
    problem('endless_cycle', id, 'From here the flow runs in a loop without ever waiting. Add a delay or a question.'),
  )
}
