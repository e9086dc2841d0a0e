import type { Clock } from '@parley/service-kit/core/clock'
import { AppError } from '@parley/service-kit/core/errors'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { MessagingMetrics } from '../../../platform/metrics.ts'
import type { Quota } from '../../usage/plan/quota.service.ts'
import { emitCampaignChanged } from '../campaign-events.ts'
import { type CampaignRecord, watched } from '../campaigns.model.ts'
import type { CampaignsRepository, Expected } from '../campaigns.repository.ts'
import type { createCampaignNotes } from '../results/timeline.repository.ts'
import type { Pause } from './auto-pause.ts'
import type { Wait } from './campaign-gating.ts'
import type { OpenMessages } from './open-messages.ts'
import { nextRecountAt } from './post-completion-recount.ts'

export interface TransitionDependencies {
  readonly campaigns: CampaignsRepository
  readonly open: OpenMessages
  readonly quota: Pick<Quota, 'prepare' | 'giveBack'>
  readonly notes: Pick<ReturnType<typeof createCampaignNotes>, 'note' | 'recordWait'>
  readonly countPause: MessagingMetrics['countPause']
  readonly transaction: RunInTransaction
  readonly now: Clock
}
export type CampaignTransitions = ReturnType<typeof createCampaignTransitions>

/**
 * Changes of a campaign's state by a worker: stored with their event and their entry in the timeline, where the campaign is still as it
 * was seen. Each returns it as it is then, or null.
 */
export function createCampaignTransitions(deps: TransitionDependencies) {
  const { campaigns, open, transaction, now } = deps
  const { note, recordWait: recordWaiting } = deps.notes

  /**
   * Changes a campaign and holds `needed` credits for it, or pauses it where there are too few. @returns null also where it is
   * not as it was seen.
   */
  async function changeHolding(
    campaign: CampaignRecord,
    needed: number,
    { from, set }: { from: 'active' | 'scheduled'; set: Partial<CampaignRecord> },
  ): Promise<CampaignRecord | null> {
    const { hold, reserve } = await deps.quota.prepare(campaign, needed, campaign.hold?.before)
    try {
      return await changeAndTell(campaign, { status: from }, { $set: { ...set, hold } }, async (tx) => {
        // A period may have ended since it was launched.
        if (campaign.hold?.period !== hold.period) await deps.quota.giveBack(campaign, tx)
        await reserve(campaign.id, tx)
        if (from === 'scheduled') await note(campaign, { kind: 'started' }, tx)
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'quota_exceeded') throw error
      await pause(campaign, { reason: 'quota', detail: error.message }, from)
      return null
    }
  }

  /**
   * Notes what it waits for, and tells people when that changes.
   * @param also is done with it, and also where nothing changes; not where the campaign was paused meanwhile.
   */
  async function recordWait(
    campaign: CampaignRecord,
    wait: Wait | undefined,
    also?: (tx: Tx) => Promise<void>,
  ): Promise<CampaignRecord | null> {
    const { waitsUntil, waitsFor } = campaign
    const isNoted = wait ? waitsFor === wait.waitsFor : true
    const isSame = isNoted && wait?.waitsUntil.getTime() === waitsUntil?.getTime()
    if (isSame && !also) return campaign
    const update = wait ? { $set: wait } : { $unset: { waitsUntil: 1 as const, waitsFor: 1 as const } }
    return changeAndTell(campaign, { status: 'active' }, update, async (tx) => {
      await also?.(tx)
      if (!isSame) await recordWaiting(campaign, wait, tx)
    })
  }

  const recordSinceReview = (campaign: CampaignRecord, sinceReview: NonNullable<CampaignRecord['sinceReview']>) =>
    changeAndTell(campaign, { status: 'active' }, { $set: { sinceReview } }, (tx) =>
      note(campaign, { kind: 'counted', ...sinceReview }, tx),
    )

  /** Active → completed. */
  async function complete(campaign: CampaignRecord): Promise<CampaignRecord | null> {
    const completedAt = now()
    const nextAt = nextRecountAt({ ...campaign, completedAt }, completedAt)
    const update = { $set: { status: 'completed' as const, completedAt, nextAt } }
    return changeAndTell(campaign, { status: 'active' }, update, (tx) => note(campaign, { kind: 'completed' }, tx))
  }

  /** Active or scheduled → paused, until a person resumes it. */
  async function pause(
    campaign: CampaignRecord,
    { reason: pausedFor, detail }: Pause,
    from: 'active' | 'scheduled',
    also: Pick<CampaignRecord, 'sinceReview'> = {},
  ): Promise<void> {
    const why = { pausedFor, ...(detail !== undefined && { pauseDetail: detail.slice(0, 500) }) }
    const isWithoutQuota = pausedFor === 'quota'
    const update = {
      $set: { ...also, status: 'paused' as const, ...why, stoppedAt: now(), watch: watched },
      $unset: {
        ...(detail === undefined && { pauseDetail: 1 as const }),
        ...(isWithoutQuota && { hold: 1 as const }),
      },
    }
    const paused = await changeAndTell(campaign, { status: from }, update, async (tx) => {
      if (isWithoutQuota) await deps.quota.giveBack(campaign, tx)
      if (also.sinceReview) await note(campaign, { kind: 'counted', ...also.sinceReview }, tx)
      await note(campaign, { kind: 'paused', reason: pausedFor, ...(detail && { detail: detail.slice(0, 500) }) }, tx)
    })
    if (!paused) return
    deps.countPause(pausedFor)
    await open.pause(paused)
  }

  const changeAndTell = (
    { workspaceId, id, status: before }: CampaignRecord,
    expected: Expected,
    update: Parameters<CampaignsRepository['change']>[2]['update'],
    also: (tx: Tx) => Promise<void>,
  ): Promise<CampaignRecord | null> =>
    transaction(async (tx) => {
      const changed = await campaigns.change({ workspaceId }, id, { expected, update }, tx)
      if (!changed) return null
      emitCampaignChanged({ ...changed, before }, { kind: 'system' }, tx)
      await also(tx)
      return changed
    })

  return { changeHolding, recordWait, recordSinceReview, complete, pause }
}
