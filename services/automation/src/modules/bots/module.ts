import type { BotSettings } from '@parley/contracts/automation/bot-settings'
import { compileRouting, type Routing } from '@parley/flow/keywords'
import { compileFlow, type Program } from '@parley/flow/program'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { LRUCache } from 'lru-cache'
import { createOneAtATime } from '../../platform/one-at-a-time.ts'
import type { Platform } from '../../platform/platform.ts'
import type { BotRecord } from './bots.model.ts'
import { createBotsRepository } from './bots.repository.ts'
import { createBotsService } from './bots.service.ts'
import { createPublication } from './publication.ts'
import { createFindProblems } from './publish-world.ts'
import { createRoutingRepository, routedTriggers } from './routing.ts'
import type { RunsOfBots } from './runs-of-bots.ts'
import { createSampleBots } from './sample-bots.ts'
import { createShowBots, type ShowBotsDependencies } from './show-bots.ts'
import { createTellMessaging } from './tell-messaging.ts'
import { createVersions } from './versions.ts'

/** A published version of a bot, ready to run. */
export interface ReadyVersion {
  readonly botId: string
  readonly number: number
  readonly program: Program
  readonly settings: BotSettings
}

/** Days for which a deleted bot can be restored. */
const keptDays = 30

type BotStore = ReturnType<typeof createBotStore>

/** Reads the routing table and versions of bots, compiled once. It needs nothing of sessions, which depend on it. */
export function createBotStore({ mongo }: Pick<Platform, 'mongo'>) {
  const repository = createBotsRepository(mongo)
  const routing = createRoutingRepository(mongo, repository)
  const programs = new LRUCache<string, Program>({ max: 500 })
  const routings = new LRUCache<string, { number: number; compiled: Routing }>({ max: 1000 })

  /** Returns the triggers of all active bots, as of now. */
  async function currentRouting(scope: WorkspaceScope): Promise<Routing> {
    // The number is read first, so that the compiled table is never older than its number.
    const { number = 0 } = (await routing.read(scope)) ?? {}
    const known = routings.get(scope.workspaceId)
    if (known?.number === number) return known.compiled
    const compiled = compileRouting(routedTriggers(await routing.triggers(scope)))
    routings.set(scope.workspaceId, { number, compiled })
    return compiled
  }

  /** Reads a version, also of a bot that is paused or deleted: its sessions finish or end by it. */
  async function version(scope: WorkspaceScope, botId: string, number: number): Promise<ReadyVersion | undefined> {
    const bot = await repository.read(scope, botId)
    return bot ? ready(scope, bot, number) : undefined
  }

  async function ready(scope: WorkspaceScope, bot: BotRecord, number: number): Promise<ReadyVersion | undefined> {
    const compiled = await program(scope, bot.id, number)
    return compiled && { botId: bot.id, number, program: compiled, settings: bot.settings }
  }

  /** Returns the flow of a version, which never changes: it is read and compiled once. */
  async function program(scope: WorkspaceScope, botId: string, number: number): Promise<Program | undefined> {
    const key = `${scope.workspaceId} ${botId} ${number}`
    const known = programs.get(key)
    if (known) return known
    const flow = await repository.readFlow(scope, botId, number)
    if (!flow) return undefined
    const compiled = compileFlow(flow)
    programs.set(key, compiled)
    return compiled
  }

  /** Reads the version that new sessions run on; `undefined` before the first publication, and for a deleted bot. */
  async function published(scope: WorkspaceScope, botId: string): Promise<ReadyVersion | undefined> {
    const bot = await repository.read(scope, botId)
    if (!bot || bot.deletedAt || bot.publishedVersion === undefined) return undefined
    return ready(scope, bot, bot.publishedVersion)
  }

  return {
    repository,
    table: routing,
    sample: createSampleBots(repository, routing),
    routing: currentRouting,
    version,
    program,
    published,
    requireBot: repository.require,
    nameOf: repository.nameOf,
  }
}

interface Dependencies extends Omit<ShowBotsDependencies, 'readDraft'> {
  readonly store: BotStore
  readonly runs: RunsOfBots
  readonly beginFeed: (scope: WorkspaceScope) => Promise<unknown>
}

/** Builds, publishes, starts and deletes bots for people. */
export function createBots(platform: Platform, { store, runs, beginFeed, figuresOf, countOpen }: Dependencies) {
  const { repository, table: routing } = store
  const show = createShowBots({ readDraft: repository.readDraft, figuresOf, countOpen })
  const messaging = createTellMessaging({ ...platform, repository, routing, runs, beginFeed })
  const common = { ...platform, repository, routing, runs, show, oneAtATime: createOneAtATime(), tell: messaging.tell }
  const findProblems = createFindProblems({ ...platform, repository, routing, runs })
  return {
    ...createBotsService(common),
    ...createPublication({ ...common, findProblems }),
    ...createVersions(common),
    /** Tells messaging where bots are active. */
    telling: { perform: messaging.perform, due: messaging.due },
    /** Forgets bots that were deleted 30 days ago. */
    removal: {
      perform: ({ id, workspaceId }: JobRecord) =>
        platform.transaction((tx) => repository.forget({ workspaceId }, id, tx)),
      due: async (): Promise<JobRecord[]> =>
        (await repository.removable(new Date(Date.now() - keptDays * 86_400_000))).map(({ id, workspaceId }) => ({
          id,
          workspaceId,
        })),
    },
  }
}
