import type { InternalAction } from '@parley/contracts/automation/internal-actions'
import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { AutomationHint } from '@parley/contracts/platform/event-stream'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform, Session } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import { type createSampleFlows, sampleMainNumberId } from '../flows/sample-flows.ts'
import { placeOf } from '../runs/run-places.ts'
import type { RunRecord } from '../runs/runs.service.ts'
import type { createSampleRuns } from '../runs/sample-runs.ts'
import { toPeople } from '../runs/take-input.ts'

/** Rest of a change, for the transaction that moves the cursor. */
type InTransaction = (tx: Session) => Promise<void>
export type SampleChanges = ReturnType<typeof createSampleChanges>

const clearedReason = 'The sample data was cleared, and the bot of this conversation with it.'

const nothing: InTransaction = async () => undefined

/**
 * Has bots and workflows of the sample come and go with messaging's sample data. Their history is thousands of records: it is written before the
 * transaction, and whoever does it again after a kill finds it there.
 */
export function createSampleChanges(dependencies: {
  readonly askMessaging: Platform['askMessaging']
  readonly publish: Platform['publish']
  readonly flows: ReturnType<typeof createSampleFlows>
  readonly runs: ReturnType<typeof createSampleRuns>
  readonly attention: Pick<AttentionService, 'removeOf'>
}) {
  const { askMessaging, publish, flows, runs, attention } = dependencies

  /** @throws `service_unavailable`. */
  async function load(scope: WorkspaceScope): Promise<InTransaction> {
    if (await flows.isThere(scope)) return nothing
    const { sampleData } = await askMessaging(scope, messagingInternalApi.lookups, { body: { templateIds: [] } })
    // It may have changed since: an event that follows says so.
    if (sampleData.state !== 'loaded' || sampleData.toldAt === undefined) return nothing
    const sample = createSampleDataset({ now: new Date(sampleData.toldAt) })
    await runs.insert(scope, { sample, numberId: sampleMainNumberId(scope, sample) })
    return (tx) => flows.insert(scope, sample, tx)
  }

  /** @throws `service_unavailable`. */
  async function clear(scope: WorkspaceScope): Promise<InTransaction> {
    const flowIds = flows.idsIn(scope)
    const released = await releaseHeld(scope, flowIds)
    await runs.remove(scope, flowIds)
    return async (tx) => {
      // The next try finds sessions that have begun since.
      const begun = await runs.holders(scope, flowIds, tx)
      if (begun.some(({ id, todo }) => !todo && !released.has(id)))
        throw new Error('a session of a sample bot has begun meanwhile')
      await flows.remove(scope, tx)
      await runs.remove(scope, flowIds, tx)
      await runs.endLater(scope, flowIds, clearedReason, tx)
      await attention.removeOf(scope, flowIds, tx)
    }
  }

  /** Gives the conversations of sessions to people: a customer may be waiting for the bot's answer. */
  async function releaseHeld(scope: WorkspaceScope, flowIds: readonly string[]): Promise<ReadonlySet<string>> {
    const held = await runs.holders(scope, flowIds)
    // Runs with work at hand end by themselves.
    for (const run of held) if (!run.todo) await release(scope, run)
    return new Set(held.map(({ id }) => id))
  }

  async function release(scope: WorkspaceScope, run: RunRecord): Promise<void> {
    const { id, kind, flowId, epoch } = run
    const actions = toPeople(run, clearedReason).map(
      (action, index) => ({ ...action, key: `${id}.cleared.${index}` }) as InternalAction,
    )
    const by = { kind, id: flowId, runId: id }
    const body = { ...placeOf(run), epoch, by, chain: [], actions }
    await askMessaging(scope, messagingInternalApi.actions, { body }).catch((error: unknown) => {
      // It was of the sample itself.
      if (!(error instanceof AppError && error.code === 'not_found')) throw error
    })
  }

  /** Has open pages read their lists of bots anew. */
  function tellPages({ workspaceId }: WorkspaceScope): void {
    const hint: AutomationHint = { kind: 'bot' }
    void publish(workspaceId, 'automation', hint)
  }

  return { load, clear, tellPages }
}
