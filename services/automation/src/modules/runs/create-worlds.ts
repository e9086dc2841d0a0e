import type { AutomationSettings } from '@parley/contracts/automation/bot-settings'
import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import type { Routing } from '@parley/flow/keywords'
import type { Program } from '@parley/flow/program'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { LRUCache } from 'lru-cache'
import type { AskService } from '../../platform/platform.ts'
import type { ActiveWorkflow } from '../flows/active-workflows.ts'
import type { Recent } from './runs.model.ts'
import type { RunsRepository } from './runs.repository.ts'
import type { FlowVersion, World } from './world.ts'

interface Dependencies {
  readonly flows: {
    readonly starts: (
      scope: WorkspaceScope,
    ) => Promise<{ readonly routing: Routing; readonly workflows: readonly ActiveWorkflow[] }>
    readonly version: (scope: WorkspaceScope, flowId: string, number: number) => Promise<FlowVersion | undefined>
    readonly published: (scope: WorkspaceScope, flowId: string) => Promise<FlowVersion | undefined>
    readonly program: (scope: WorkspaceScope, flowId: string, number: number) => Promise<Program | undefined>
  }
  readonly settings: { readonly read: (scope: WorkspaceScope) => Promise<AutomationSettings> }
  readonly askMessaging: AskService
  readonly runs: Pick<RunsRepository, 'recentIn' | 'holderOf' | 'countLive'>
  /** Maximum live runs of a workspace. */
  readonly maxLive?: number | undefined
}

export type Worlds = ReturnType<typeof createWorlds>

/** Milliseconds for which the number of live runs may be of before: those that begin meanwhile are not counted. */
const liveKeptMs = 10_000
const maxLiveRuns = 100_000

/** Milliseconds for which a newly defined field may still be checked as free text, and hours of before count. */
const lookupsKeptMs = 30_000

type Lookups = EndpointResponse<typeof messagingInternalApi.lookups>

/** Creates the reads that steps may need, as of one batch: each is read once, and only where it is asked for. */
export function createWorlds({ flows, settings, askMessaging, runs, maxLive = maxLiveRuns }: Dependencies) {
  const live = new LRUCache<string, Promise<number>>({ max: 1000, ttl: liveKeptMs })
  const lookups = new LRUCache<string, Promise<Lookups>>({ max: 1000, ttl: lookupsKeptMs })

  function lookUp(scope: WorkspaceScope): Promise<Lookups> {
    const known = lookups.get(scope.workspaceId)
    if (known) return known
    const asked = askMessaging(scope, messagingInternalApi.lookups, { body: { templateIds: [] } })
    lookups.set(scope.workspaceId, asked)
    asked.catch(() => lookups.delete(scope.workspaceId))
    return asked
  }

  function countLive(scope: WorkspaceScope): Promise<number> {
    const known = live.get(scope.workspaceId)
    if (known) return known
    const counted = runs.countLive(scope, maxLive)
    live.set(scope.workspaceId, counted)
    counted.catch(() => live.delete(scope.workspaceId))
    return counted
  }

  return (scope: WorkspaceScope, now: number): World => {
    const versions = once((key: string) => {
      const [flowId = '', number] = key.split('/')
      return flows.version(scope, flowId, Number(number))
    })
    const published = once((flowId: string) => flows.published(scope, flowId))
    const starts = once((_: '') => flows.starts(scope))
    const recents = new Map<string, Recent>()
    async function readRecent(conversationIds: readonly string[]): Promise<void> {
      if (conversationIds.length === 0) return
      const found = await runs.recentIn(scope, conversationIds)
      for (const id of conversationIds) recents.set(id, found.get(id) ?? { sentAt: [] })
    }
    const workspace = once((_: '') => settings.read(scope))
    return {
      now,
      routing: async () => (await starts('')).routing,
      workflows: async () => (await starts('')).workflows,
      settings: () => workspace(''),
      version: (flowId, number) => versions(`${flowId}/${number}`),
      published,
      attributes: async () => (await lookUp(scope)).fields,
      hours: async () => (await lookUp(scope)).openingHours,
      program: (flowId, number) => flows.program(scope, flowId, number),
      readRecent,
      room: async () => ({ left: maxLive - (await countLive(scope)), max: maxLive }),
      recentIn: async (conversationId) => {
        if (!recents.has(conversationId)) await readRecent([conversationId])
        return recents.get(conversationId) ?? { sentAt: [] }
      },
      otherHolder: async ({ id, conversationId }) => {
        const holder = conversationId === undefined ? null : await runs.holderOf(scope, conversationId)
        return holder === null || holder.id === id ? undefined : holder
      },
    }
  }
}

/** Asks each question once. */
function once<K extends string, T>(ask: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const answers = new Map<K, Promise<T>>()
  return (key) => {
    const known = answers.get(key)
    if (known) return known
    const asked = ask(key)
    answers.set(key, asked)
    return asked
  }
}
