import type { Clock } from '@parley/service-kit/core/clock'
import { AppError } from '@parley/service-kit/core/errors'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { MessagingMetrics } from '../../../platform/metrics.ts'
import type { NumberRecord } from '../../channel/numbers/numbers.service.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { Quota } from '../../usage/plan/quota.service.ts'
import type { AudienceParts } from '../audience/audience-parts.ts'
import { type createMaterializeStep, sinceReviewOf } from '../audience/materialize-step.ts'
import { emitCampaignChanged } from '../campaign-events.ts'
import { type CampaignRecord, frozenAnew, watched } from '../campaigns.model.ts'
import type { CampaignsRepository, Expected } from '../campaigns.repository.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import { waitingIn } from '../recipients/tallies.ts'
import type { createCampaignNotes } from '../results/timeline.repository.ts'
import type { Means, Pause } from './auto-pause.ts'
import type { CampaignGate, Wait } from './campaign-gating.ts'
import { isEnqueued, withUngrouped } from './enqueue-progress.ts'
import type { OpenMessages } from './open-messages.ts'
import { afterRecount, isOver, nextRecountAt } from './post-completion-recount.ts'
import type { Queueing } from './queueing.ts'
import { holdsRows } from './quota-holders.ts'
import { createReasonToPause } from './reason-to-pause.ts'
import type { Recount } from './recount.ts'
import { createSettleLeftovers } from './settle-leftovers.ts'

/** One that was missed by more does not start by itself: its moment has passed. */
const maxLateMs = 15 * 60_000
/** Milliseconds for which messages on their way when a campaign was stopped may come back to the outbox. */
const watchStoppedMs = 2 * 60_000
const heartbeatMs = 60_000
const usualPerSecond = 80

interface Dependencies {
  readonly campaigns: CampaignsRepository
  readonly recipients: Pick<RecipientsRepository, 'endedIn' | 'groupsOf' | 'queuedRows' | 'setState'>
  readonly messages: Pick<Outbox, 'countOpen' | 'firstKeptBack' | 'readMany'>
  readonly materialize: ReturnType<typeof createMaterializeStep>
  /** Reschedules by the zone's clock as it is now; null where it is not scheduled any more. */
  readonly reschedule: (campaign: CampaignRecord) => Promise<CampaignRecord | null>
  readonly queueing: Queueing
  readonly open: OpenMessages
  readonly recount: Recount
  /** Its template and its number as they are now. */
  readonly meansOf: (campaign: CampaignRecord) => Promise<SendingContext>
  readonly audienceProblem: AudienceParts['problemOf']
  readonly readWait: CampaignGate
  readonly quota: Pick<Quota, 'prepare' | 'giveBack'>
  readonly notes: Pick<ReturnType<typeof createCampaignNotes>, 'note' | 'noteWait'>
  /** Begins the campaign for those whom WhatsApp held back, when it is time. */
  readonly followHeldBack: (campaign: CampaignRecord) => Promise<void>
  readonly countPause: MessagingMetrics['countPause']
  readonly transaction: RunInTransaction
  readonly now?: Clock
}

/** With how fast the number sends, and to how many. */
export type SendingContext = Means & {
  readonly number: Pick<NumberRecord, 'throughputPerSecond' | 'businessAccountId' | 'messagingLimit'> | null
}

/**
 * Work of a worker on a campaign, a round at a time: everything that a round needs is read from the database, so that any worker
 * can do the next one, also two of them at once.
 */
export function createCampaignRun(deps: Dependencies) {
  const { campaigns, recipients, messages, queueing, open, recount, transaction, now = () => new Date() } = deps
  const { note, noteWait: noteWaiting } = deps.notes
  const settle = createSettleLeftovers({ recipients, messages })
  const reasonToPause = createReasonToPause({ ...deps, now })
  /** Rounds by campaign: of two that take turns, each has all of its blocks counted. */
  const rounds = new Map<string, number>()

  async function perform({ id, workspaceId }: JobRecord, requeue: () => void): Promise<void> {
    const campaign = await campaigns.read({ workspaceId }, id)
    if (campaign?.watch !== watched || !campaign.nextAt || campaign.nextAt > now()) return
    if (campaign.status === 'scheduled') await start(campaign, requeue)
    else if (campaign.status === 'active') await advance(campaign, requeue)
    else if (isOver(campaign)) await lookAgain(campaign)
    else await drainStopped(campaign)
  }

  function countInTurn(campaign: CampaignRecord): void {
    const turn = rounds.get(campaign.id) ?? 0
    rounds.set(campaign.id, turn + 1)
    recount.hintInTurn(campaign, turn)
  }

  /** Counts an ended campaign again when late statuses have come, and in case rows have changed without notice. */
  async function lookAgain(campaign: CampaignRecord): Promise<void> {
    const { workspaceId, id, status } = campaign
    await recount.check(campaign)
    await deps.followHeldBack(campaign)
    await campaigns.change({ workspaceId }, id, { expected: { status }, update: afterRecount(campaign, now()) })
  }

  async function start(scheduled: CampaignRecord, requeue: () => void): Promise<void> {
    // The rules of the zone may have changed since.
    const campaign = await deps.reschedule(scheduled)
    if (!campaign || (campaign.scheduledFor && campaign.scheduledFor > now())) return
    const late = now().getTime() - (campaign.scheduledFor?.getTime() ?? 0)
    if (late > maxLateMs) return pause(campaign, { reason: 'missed_start' }, 'scheduled')
    const set = { status: 'active' as const, startedAt: now(), roundAt: now(), frozen: frozenAnew }
    const started = await changeHolding(campaign, campaign.expected.reachable, { from: 'scheduled', set })
    if (started) await advance(started, requeue)
  }

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

  async function advance(campaign: CampaignRecord, requeue: () => void): Promise<void> {
    const scope = { workspaceId: campaign.workspaceId }
    const means = await deps.meansOf(campaign)
    const perSecond = means.number?.throughputPerSecond ?? usualPerSecond
    const why = await reasonToPause(campaign, means, perSecond)
    if (why) return pause(campaign, why, 'active')
    await noteRound(campaign)
    let current = await deps.materialize(campaign)
    if (current && !current.frozen.done) return requeue()
    const difference = current && sinceReviewOf(current)
    if (current && difference) {
      const { sinceReview, why: grown } = difference
      if (grown) return pause(current, grown, 'active', { sinceReview })
      current = await changeAndTell(current, { status: 'active' }, { $set: { sinceReview } }, (tx) =>
        note(campaign, { kind: 'counted', ...sinceReview }, tx),
      )
    }
    if (current && !holdsRows(current))
      current = await changeHolding(current, current.frozen.pending ?? 0, { from: 'active', set: {} })
    if (!current) return
    const { wait, free, zones } = await deps.readWait(current, means)
    current = await noteWait(current, wait)
    if (!current) return
    if (zones ? zones.toHold.length > 0 : wait?.waitsFor === 'hours') await open.hold(current, zones?.toHold)
    if (!wait) {
      const held = free > 0 ? await messages.countOpen(scope, campaign.id, ['held'], withUngrouped(zones?.open)) : 0
      if (held > 0) await open.release(current, free, zones?.open)
      current = await queueing.fill(current, perSecond, zones?.open)
    }
    if (!current) return
    countInTurn(current)
    if (!isEnqueued(current)) return
    if ((await messages.countOpen(scope, campaign.id, ['queued', 'held', 'sending'])) > 0) return
    await complete(current)
  }

  async function noteRound({ id, workspaceId, roundAt }: CampaignRecord): Promise<void> {
    if (roundAt && now().getTime() - roundAt.getTime() < heartbeatMs) return
    await campaigns.change({ workspaceId }, id, {
      expected: { status: 'active' },
      update: { $set: { roundAt: now() } },
    })
  }

  /** Notes what it waits for, and tells people when that changes. */
  async function noteWait(campaign: CampaignRecord, wait: Wait | undefined): Promise<CampaignRecord | null> {
    const { waitsUntil, waitsFor = 'hours' } = campaign
    const isNoted = wait ? waitsFor === wait.waitsFor : true
    if (isNoted && wait?.waitsUntil.getTime() === waitsUntil?.getTime()) return campaign
    const update = wait ? { $set: wait } : { $unset: { waitsUntil: 1 as const, waitsFor: 1 as const } }
    return changeAndTell(campaign, { status: 'active' }, update, (tx) => noteWaiting(campaign, wait, tx))
  }

  /** Everything has been given to the outbox, and nothing is in it: the rows have the last word. */
  async function complete(campaign: CampaignRecord): Promise<void> {
    await settle(campaign)
    if (waitingIn(await recount.countAll(campaign)) > 0) return
    const completedAt = now()
    const nextAt = nextRecountAt({ ...campaign, completedAt }, completedAt)
    const update = { $set: { status: 'completed' as const, completedAt, nextAt } }
    await changeAndTell(campaign, { status: 'active' }, update, (tx) => note(campaign, { kind: 'completed' }, tx))
    rounds.delete(campaign.id)
  }

  /** A stopped campaign is looked after until nothing of it can come back to the outbox. */
  async function drainStopped(campaign: CampaignRecord): Promise<void> {
    const { workspaceId, id, status, stoppedAt } = campaign
    if (status === 'paused') await open.hold(campaign)
    if (status === 'cancelled') await open.cancel(campaign)
    countInTurn(campaign)
    if (stoppedAt && now().getTime() - stoppedAt.getTime() < watchStoppedMs) return
    // Its counts give back what it holds, and no more of them come.
    if (status === 'cancelled') await recount.countAll(campaign)
    rounds.delete(id)
    const over = { $unset: { watch: 1 as const, nextAt: 1 as const } }
    const update = status === 'cancelled' ? afterRecount(campaign, now()) : over
    await campaigns.change({ workspaceId }, id, { expected: { status }, update })
  }

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
    await open.hold(paused)
  }

  const changeAndTell = (
    { workspaceId, id }: CampaignRecord,
    expected: Expected,
    update: Parameters<CampaignsRepository['change']>[2]['update'],
    also: (tx: Tx) => Promise<void> = async () => undefined,
  ): Promise<CampaignRecord | null> =>
    transaction(async (tx) => {
      const changed = await campaigns.change({ workspaceId }, id, { expected, update }, tx)
      if (!changed) return null
      emitCampaignChanged(changed, { kind: 'system' }, tx)
      await also(tx)
      return changed
    })

  return {
    perform,
    due: async (): Promise<JobRecord[]> =>
      (await campaigns.due(now())).map(({ id, workspaceId }) => ({ id, workspaceId })),
  }
}
