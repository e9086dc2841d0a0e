import { type BotSettings, botSettingsSchema } from '@parley/contracts/automation/bot-settings'
import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import { compileRouting, type Routing } from '@parley/flow/keywords'
import { compileFlow, type Program } from '@parley/flow/program'
import { createDatabaseClock } from '@parley/service-kit/data/database-clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { LRUCache } from 'lru-cache'
import type { Platform, Session } from '../../platform/platform.ts'
import { type ActiveWorkflow, activeWorkflows } from './active-workflows.ts'
import { createFlowsRepository, missing } from './flows.repository.ts'
import { createRoutingRepository, routedTriggers } from './routing.ts'
import { createSampleFlows } from './sample-flows.ts'
import { createSchedulesRepository } from './schedules.ts'

/** A published version of a flow, ready to run. */
export interface ReadyVersion {
  readonly kind: FlowKind
  readonly flowId: string
  readonly number: number
  readonly program: Program
  /** Absent for a workflow. */
  readonly settings?: BotSettings | undefined
}

/** Everything that starts runs in a workspace. */
interface Starts {
  /** Triggers of all active bots. */
  readonly routing: Routing
  readonly workflows: readonly ActiveWorkflow[]
}

export type FlowStore = ReturnType<typeof createFlowStore>

/** Reads what starts runs, and versions of flows, compiled once. It needs nothing of runs, which depend on it. */
export function createFlowStore({
  mongo,
  now = createDatabaseClock(mongo),
}: Pick<Platform, 'mongo'> & { readonly now?: () => Promise<number> }) {
  const bots = createFlowsRepository(mongo, 'bot')
  const workflows = createFlowsRepository(mongo, 'workflow')
  const schedules = createSchedulesRepository(mongo, { now })
  const routing = createRoutingRepository(mongo, { nameOf: bots.nameOf, schedules })
  const programs = new LRUCache<string, Program>({ max: 500 })
  const known = new LRUCache<string, { number: number; starts: Starts }>({ max: 1000 })

  /** Returns what starts runs now. */
  async function currentStarts(scope: WorkspaceScope): Promise<Starts> {
    // The number is read first, so that what is compiled is never older than its number.
    const { number = 0 } = (await routing.read(scope)) ?? {}
    const latest = known.get(scope.workspaceId)
    if (latest?.number === number) return latest.starts
    const [triggers, flows] = await Promise.all([routing.triggers(scope), workflows.all(scope)])
    const starts = { routing: compileRouting(routedTriggers(triggers)), workflows: activeWorkflows(flows) }
    known.set(scope.workspaceId, { number, starts })
    return starts
  }

  /** Finds a flow of either kind, deleted ones too. */
  async function find(scope: WorkspaceScope, flowId: string) {
    const bot = await bots.read(scope, flowId)
    if (bot) return { kind: bots.kind, record: bot }
    const workflow = await workflows.read(scope, flowId)
    return workflow && { kind: workflows.kind, record: workflow }
  }
  type Found = NonNullable<Awaited<ReturnType<typeof find>>>

  /** Reads a version, also of a flow that is paused or deleted: its runs finish or end by it. */
  async function version(scope: WorkspaceScope, flowId: string, number: number): Promise<ReadyVersion | undefined> {
    const found = await find(scope, flowId)
    return found ? versionOf(scope, found, number) : undefined
  }

  async function versionOf(
    scope: WorkspaceScope,
    { kind, record: { id: flowId, settings } }: Found,
    number: number,
  ): Promise<ReadyVersion | undefined> {
    const compiled = await program(scope, flowId, number)
    const botSettings = kind === 'bot' && { settings: settings ?? botSettingsSchema.parse({}) }
    return compiled && { kind, flowId, number, program: compiled, ...botSettings }
  }

  /** Returns the flow of a version, which never changes: it is read and compiled once. */
  async function program(scope: WorkspaceScope, flowId: string, number: number): Promise<Program | undefined> {
    const key = `${scope.workspaceId} ${flowId} ${number}`
    const latest = programs.get(key)
    if (latest) return latest
    const flow = await bots.readFlow(scope, flowId, number)
    if (!flow) return undefined
    const compiled = compileFlow(flow)
    programs.set(key, compiled)
    return compiled
  }

  /** Reads the version that new runs begin on; `undefined` before the first publication, and for a deleted flow. */
  async function published(scope: WorkspaceScope, flowId: string): Promise<ReadyVersion | undefined> {
    const found = await find(scope, flowId)
    const number = found?.record.publishedVersion
    return found && !found.record.deletedAt && number !== undefined ? versionOf(scope, found, number) : undefined
  }

  const sample = createSampleFlows({ bots, workflows, routing })
  return {
    bots,
    workflows,
    table: routing,
    schedules,
    sample,
    starts: currentStarts,
    version,
    program,
    published,
    requireFlow: (scope: WorkspaceScope, kind: FlowKind, id: string) =>
      (kind === 'bot' ? bots : workflows).require(scope, id),
    /** @throws `not_found` where there is no such flow. */
    readDraft: async (scope: WorkspaceScope, kind: FlowKind, id: string) => {
      const flows = kind === 'bot' ? bots : workflows
      await flows.require(scope, id)
      const draft = await flows.readDraft(scope, id)
      if (!draft) throw missing(kind)
      return draft
    },
    /** Returns the flows of either kind that call a connection. */
    usedBy: async (scope: WorkspaceScope, connectionId: string, options: Partial<Session> = {}) =>
      (await Promise.all([bots, workflows].map((flows) => flows.calling(scope, connectionId, options)))).flat(),
    /** Names flows of either kind. */
    namesOf: async (scope: WorkspaceScope, ids: readonly string[]) => {
      const [ofBots, ofWorkflows] = await Promise.all([bots.nameOf(scope, ids), workflows.nameOf(scope, ids)])
      const named = (kind: FlowKind, names: ReadonlyMap<string, string>) =>
        [...names].map(([id, name]) => [id, { kind, name }] as const)
      return new Map([...named('bot', ofBots), ...named('workflow', ofWorkflows)])
    },
  }
}
