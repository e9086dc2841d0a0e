import type { AutomationSettings, BotSettings } from '@parley/contracts/automation/bot-settings'
import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import type { BusinessHours } from '@parley/contracts/inbox/opening-hours'
import type { AttributeDefinition } from '@parley/flow/answers'
import type { Routing } from '@parley/flow/keywords'
import type { Program } from '@parley/flow/program'
import type { Facts, Person } from '@parley/flow/state'
import type { NewAttention } from '../attention/attention.service.ts'
import type { ActiveWorkflow } from '../flows/active-workflows.ts'
import type { Recent, RunRecord } from './runs.model.ts'

/** A published version of a flow, ready to run. */
export interface FlowVersion {
  readonly kind: FlowKind
  readonly flowId: string
  readonly number: number
  readonly program: Program
  /** Absent for a workflow. */
  readonly settings?: BotSettings | undefined
}

/** Everything that a step may read. Nothing of it is changed. */
export interface World {
  /** The database's clock, in milliseconds since 1970. */
  readonly now: number
  /** Triggers of all active bots. */
  readonly routing: () => Promise<Routing>
  readonly workflows: () => Promise<readonly ActiveWorkflow[]>
  /** Reads a version; `undefined` once it, or its flow, is gone. */
  readonly version: (flowId: string, number: number) => Promise<FlowVersion | undefined>
  /** Reads the version that new runs of a flow begin on. */
  readonly published: (flowId: string) => Promise<FlowVersion | undefined>
  /** Returns the flow of a version alone, which never changes; `undefined` where it is gone. */
  readonly program: (flowId: string, number: number) => Promise<Program | undefined>
  readonly settings: () => Promise<AutomationSettings>
  readonly attributes: () => Promise<readonly AttributeDefinition[]>
  /** Opening hours of the workspace, which messaging keeps. */
  readonly hours: () => Promise<BusinessHours>
  /** Returns what the last session of a conversation has sent lately. */
  readonly recentIn: (conversationId: string) => Promise<Recent>
  /** Reads that of many conversations at once. */
  readonly readRecent: (conversationIds: readonly string[]) => Promise<void>
  /** Returns how many runs may begin besides those that are live, of at most how many. */
  readonly room: () => Promise<{ readonly left: number; readonly max: number }>
  /** Returns the other run that holds a run's conversation. */
  readonly otherHolder: (run: RunRecord) => Promise<Pick<RunRecord, 'epoch'> | undefined>
}

/** Effects of inputs beside the run itself; stored in the same transaction. */
export interface Effects {
  readonly attention: NewAttention[]
  readonly started: RunRecord[]
  /** Conversations with a message that no bot wanted. */
  readonly passed: Set<string>
}

export const noEffects = (): Effects => ({ attention: [], started: [], passed: new Set() })

/** Returns why no run may begin: the workspace has as many under way as it may have. @param begun number that begin beside it. */
export async function fullness({ room }: Pick<World, 'room'>, begun: number): Promise<string | undefined> {
  const { left, max } = await room()
  if (begun < left) return undefined
  return `This workspace has ${max.toLocaleString('en')} sessions and runs under way: none begins until some of them end. Look for a workflow that waits for long, and end what is not needed.`
}

/** Attention for starts that the limit of live runs has refused: one entry for all. */
export const full = (sentence: string): NewAttention => ({ code: 'limit_reached', sentence, groupKey: 'live_runs' })

/** Reads the facts that one step is given. */
export async function factsFor(
  { settings, program }: FlowVersion,
  { person, isFirst, owns }: { person: Person; isFirst?: boolean | undefined; owns?: boolean | undefined },
  world: World,
): Promise<Facts> {
  const workspace = await world.settings()
  const asked = new Set<string>()
  let needsHours = workspace.closedText !== undefined
  for (const { settings: node } of program.nodes.values()) {
    if (node?.kind === 'ask' || node?.kind === 'set_attribute') asked.add(node.attribute)
    if (node?.kind === 'business_hours' && node.hours.use === 'workspace') needsHours = true
  }
  const definitions = asked.size > 0 ? await world.attributes() : []
  return {
    now: world.now,
    person,
    conversation: { isFirst: isFirst === true },
    ...(needsHours && { hours: await world.hours() }),
    attributes: definitions
      .filter(({ name }) => asked.has(name))
      .map(({ name, label, type, choices }) => ({ name, label, type, choices })),
    ...(owns === false && { owns }),
    ...(settings && { settings: settingsFor(settings, workspace) }),
  }
}

function settingsFor(settings: BotSettings, workspace: AutomationSettings): NonNullable<Facts['settings']> {
  const { idleHours, handOverText, failureText, failureTo } = settings
  return {
    idleHours,
    handOverText,
    failureText,
    failureTo,
    handOverWords: [...settings.handOverWords, ...workspace.handOverWords],
    ...(workspace.closedText !== undefined && { closedText: workspace.closedText }),
  }
}
