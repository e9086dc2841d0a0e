import { type DraftFlow, type NodeKind, type NodeSettings, nodeSettingsSchema } from '@parley/contracts/automation/flow'
import type { WorkflowStart } from '@parley/contracts/automation/triggers'
import type { ConditionGroup } from '@parley/contracts/contacts/conditions'
import { isTimeZone } from '@parley/contracts/core/zoned-time'
import { sentenceOf } from './issue-sentence.ts'
import { compileRouting, type RoutedTrigger, type Routing } from './keywords.ts'

export type SettingsOf<Kind extends NodeKind> = Extract<NodeSettings, { kind: Kind }>

/** A node that can be run; one that cannot has the sentence why. */
export interface ProgramNode {
  readonly id: string
  readonly settings: NodeSettings | undefined
  readonly problem: string | undefined
  /** Targets by branch. */
  readonly targets: ReadonlyMap<string, string>
}

/** A node whose settings are complete. */
export interface ReadNode {
  readonly id: string
  readonly settings: NodeSettings
}

/** Trigger of a workflow, and for whom it starts. */
interface EventTrigger {
  readonly nodeId: string
  readonly settings: { readonly event: WorkflowStart; readonly filter?: ConditionGroup | undefined }
}

/** A flow made ready to run, once for each version. */
export interface Program {
  readonly nodes: ReadonlyMap<string, ProgramNode>
  /** Keywords and any-message triggers, as if the flow were alone. */
  readonly routing: Routing
  /** Triggers of a workflow, by what starts it. */
  readonly events: readonly EventTrigger[]
  /** Node at which a conversation starts that a member gives to the bot. */
  readonly handedOver: string | undefined
}

/**
 * Reads every node's settings once. A draft compiles too: a node whose settings are incomplete ends the run that comes to it.
 * Never throws for a flow that `draftFlowSchema` accepts.
 */
export function compileFlow(flow: DraftFlow): Program {
  const targets = new Map<string, Map<string, string>>()
  for (const { source, branch, target } of flow.edges) {
    const branches = targets.get(source) ?? new Map<string, string>()
    targets.set(source, branches)
    branches.set(branch, target)
  }
  const nodes = new Map(
    flow.nodes.map(({ id, settings }) => [id, { id, targets: targets.get(id) ?? new Map(), ...read(settings) }]),
  )
  const triggers = flow.nodes.flatMap(({ id, type }) => {
    const settings = type === 'trigger' ? nodes.get(id)?.settings : undefined
    return settings ? [{ nodeId: id, settings }] : []
  })
  const events = triggers.flatMap(({ nodeId, settings }): EventTrigger[] => {
    if (settings.kind === 'schedule' || settings.kind === 'hook')
      return [{ nodeId, settings: { event: settings.kind, filter: settings.filter } }]
    return settings.kind === 'event' ? [{ nodeId, settings }] : []
  })
  const started = triggers.filter(({ nodeId }) => !events.some((event) => event.nodeId === nodeId))
  return {
    nodes,
    routing: compileRouting(triggersOf(flow)),
    events,
    handedOver: (started.find(({ settings }) => settings.kind === 'handed_over') ?? started[0])?.nodeId,
  }
}

function read(settings: unknown): Pick<ProgramNode, 'settings' | 'problem'> {
  const parsed = nodeSettingsSchema.safeParse(settings)
  if (!parsed.success) return { settings: undefined, problem: sentenceOf(parsed.error) }
  const { data } = parsed
  return data.kind === 'business_hours' && data.hours.use === 'own' && !isTimeZone(data.hours.timeZone)
    ? { settings: undefined, problem: 'Choose a time zone.' }
    : { settings: data, problem: undefined }
}

/** Rows of the routing table for a flow's triggers, where it listens at some numbers; the first of two equal ones counts. */
export function triggersOf(
  flow: DraftFlow,
  {
    flowId = '',
    numberIds = ['*'],
    order = 0,
  }: { flowId?: string; numberIds?: readonly string[]; order?: number } = {},
): RoutedTrigger[] {
  return flow.nodes.flatMap(({ id: nodeId, type, settings }) => {
    const parsed = type === 'trigger' ? nodeSettingsSchema.safeParse(settings) : undefined
    if (!parsed?.success) return []
    const { data } = parsed
    return numberIds.flatMap((numberId): RoutedTrigger[] => {
      const common = { flowId, nodeId, numberId, order }
      if (data.kind === 'any_message')
        return [{ ...common, match: 'any_message', ...(data.when === 'first' && { onlyFirst: true }) }]
      if (data.kind !== 'keyword') return []
      const { match, keywords, interrupts } = data
      return keywords.map((keyword) => ({ ...common, match, keyword, ...(interrupts && { interrupts }) }))
    })
  })
}
