import type { AutomationSettings } from '@parley/contracts/automation/bot-settings'
import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { Platform } from '../../platform/platform.ts'
import type { FlowsRepository } from './flows.repository.ts'
import type { RoutingRepository } from './routing.ts'
import type { RunsOfFlows } from './runs-of-flows.ts'

/** Milliseconds until it is checked again whether the last sessions of paused bots have ended. */
const finishingMs = 60_000
/** Milliseconds after which messaging is notified again where bots are active: it may have been restored from an older backup. */
const activeMs = 3_600_000

interface Dependencies extends Pick<Platform, 'askMessaging' | 'logger' | 'transaction'> {
  readonly bots: Pick<FlowsRepository, 'all'>
  readonly workflows: Pick<FlowsRepository, 'all'>
  readonly routing: RoutingRepository
  readonly runs: Pick<RunsOfFlows, 'isRunning'>
  readonly settings: { readonly read: (scope: WorkspaceScope) => Promise<Pick<AutomationSettings, 'returnHours'>> }
  /** Records where the events of a workspace are read from, before messaging records those that bots need. */
  readonly beginFeed: (scope: WorkspaceScope) => Promise<unknown>
}

/** Tells messaging where flows are active, after each change, until it has confirmed. */
export function createTellMessaging(deps: Dependencies) {
  const { bots, workflows, routing, runs, settings, beginFeed, askMessaging, transaction, logger } = deps

  async function perform({ workspaceId }: Pick<JobRecord, 'workspaceId'>): Promise<void> {
    const scope = { workspaceId }
    const table = await routing.read(scope)
    if (!table?.tellAt || table.tellAt.getTime() > Date.now()) return
    const [flows, rows, isRunning, { returnHours }] = await Promise.all([
      Promise.all([bots.all(scope), workflows.all(scope)]),
      routing.triggers(scope),
      runs.isRunning(scope),
      settings.read(scope),
    ])
    const hasActive = flows.flat().some(({ status }) => status === 'active')
    // A run may just be stored that began before the change.
    const isFresh = table.releasedAt !== undefined && Date.now() - table.releasedAt.getTime() < finishingMs
    // Runs of paused flows finish: they get messages of their customers, but no new conversation waits for a bot.
    const finishes = !hasActive && (isRunning || isFresh)
    const numberIds = [...new Set(rows.flatMap((row) => row.numberIds))]
    if (hasActive) await beginFeed(scope)
    await askMessaging(scope, messagingInternalApi.automationState, {
      body: {
        active: hasActive || finishes,
        ...(!numberIds.includes('*') && { numberIds }),
        ...(returnHours !== undefined && { returnHours }),
        routingVersion: table.number,
      },
    })
    // Messaging accepts a state only with a higher number.
    if (hasActive || finishes)
      await routing.tellAgain(scope, table.number, new Date(Date.now() + (finishes ? finishingMs : activeMs)))
    else await routing.told(scope, table.number)
  }

  /** Tells messaging after the commit, so that the change holds from the answer on. The sweep repeats a failed call. */
  async function tell({ workspaceId }: WorkspaceScope): Promise<void> {
    await perform({ workspaceId }).catch((error: unknown) =>
      logger.warn({ err: error, workspaceId }, 'messaging could not be told where bots are active; a sweep will do it'),
    )
  }

  return {
    tell,
    /** Has messaging told of changed settings. Should the process die before, it is so within an hour where bots are active. */
    tellSettings: async (scope: WorkspaceScope): Promise<void> => {
      await transaction((tx) => routing.raise(scope, tx))
      await tell(scope)
    },
    perform,
    due: async (): Promise<JobRecord[]> =>
      (await routing.due(new Date())).map(({ id, workspaceId }) => ({ id, workspaceId })),
  }
}
