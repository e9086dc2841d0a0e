import type { Clock } from '@parley/service-kit/core/clock'
import { AppError } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { type CampaignRecord, watchedRows } from '../campaigns.model.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import type { NoteCampaign } from '../results/timeline.repository.ts'
import { createOldRowsRepository } from './old-rows.repository.ts'

/** Rows of one transaction; a job has several, so that work of other campaigns comes in between. */
const rowsAtOnce = 1000
const batchesAtOnce = 10

interface Dependencies {
  readonly campaigns: Pick<CampaignsRepository, 'read' | 'change' | 'endedWithRows'>
  readonly mongo: ServiceConnection
  readonly note: NoteCampaign
  readonly transaction: RunInTransaction
  /** Months for which a campaign's rows are kept after its end. */
  readonly months: number
  readonly rows?: number
  readonly batches?: number
  readonly now?: Clock
}

/**
 * Removes the rows of campaigns that ended long ago, in small transactions. The campaign says so before the first row goes, and
 * from then on nothing counts its rows: the last counts stay. Another worker continues after a crash.
 */
export function createOldRowRemoval(deps: Dependencies) {
  const { campaigns, transaction, months, now = () => new Date() } = deps
  const { rows = rowsAtOnce, batches = batchesAtOnce } = deps
  const oldRows = createOldRowsRepository(deps.mongo)

  async function perform({ id, workspaceId }: JobRecord, requeue: () => void): Promise<void> {
    const campaign = await campaigns.read({ workspaceId }, id)
    if (campaign?.watch !== watchedRows || !campaign.nextAt || campaign.nextAt > monthsBefore(now(), months)) return
    if (!campaign.rowsRemoved && campaign.frozen.rows > 0 && !(await mark(campaign))) return
    for (let batch = 0; batch < batches; batch += 1)
      if (!(await transaction(({ session }) => oldRows.removeSome(campaign, id, { limit: rows, session }))))
        return end(campaign)
    requeue()
  }

  /** Marks the rows as removed. @returns whether no other process has meanwhile. */
  const mark = (campaign: CampaignRecord): Promise<boolean> =>
    transaction(async (tx) => {
      const expected = { status: campaign.status, rowsRemoved: { $exists: false } } as const
      const update = { $set: { rowsRemoved: { at: now(), months } } }
      const marked = await campaigns.change(campaign, campaign.id, { expected, update }, tx)
      if (marked) await deps.note(campaign, { kind: 'recipients_removed', months }, tx)
      return marked !== null
    })

  async function end({ id, workspaceId, status }: CampaignRecord): Promise<void> {
    await campaigns.change({ workspaceId }, id, { expected: { status }, update: { $unset: { watch: 1, nextAt: 1 } } })
  }

  return {
    perform,
    due: async (): Promise<JobRecord[]> =>
      (await campaigns.endedWithRows(monthsBefore(now(), months))).map(({ id, workspaceId }) => ({ id, workspaceId })),
  }
}

/** The same day and time of an earlier month; of a shorter one its last day. */
export function monthsBefore(at: Date, months: number): Date {
  const before = new Date(at)
  before.setUTCMonth(at.getUTCMonth() - months)
  // If that month has no such day, the date falls in the next month.
  if (before.getUTCDate() !== at.getUTCDate()) before.setUTCDate(0)
  return before
}

/** @throws `recipients_removed` where its rows are not kept any more. */
export function checkRowsKept({ name, rowsRemoved }: Pick<CampaignRecord, 'name' | 'rowsRemoved'>): void {
  if (!rowsRemoved) return
  const { months } = rowsRemoved
  const kept = months === 1 ? '1 month' : `${months} months`
  throw new AppError('recipients_removed', `The list of recipients of ${name} was kept for ${kept}. Its numbers stay.`)
}
