import {
  type Campaign,
  type CampaignAction,
  campaignMoves,
  type campaignsApi,
} from '@parley/contracts/campaigns/campaigns'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { causeOf, memberIdOf } from '@parley/service-kit/http/context'
import type { Records } from '../../records.ts'
import { contentKey } from '../templates/content-key.ts'
import type { Quota } from '../usage/plan/quota.service.ts'
import { emitCampaignChanged } from './campaign-events.ts'
import { type CampaignRecord, frozenAnew, watched } from './campaigns.model.ts'
import type { CampaignsRepository } from './campaigns.repository.ts'
import type { CampaignsService } from './campaigns.service.ts'
import type { Caller } from './drafts/drafts.service.ts'
import type { LaunchApprovals } from './drafts/launch-approvals.ts'
import { offerProblem, type ReviewChecks } from './drafts/review-checks.ts'
import type { RecipientsRepository } from './recipients/recipients.repository.ts'
import { countsOf } from './recipients/tallies.ts'
import type { TimelineRecord } from './results/timeline.model.ts'
import type { NoteCampaign } from './results/timeline.repository.ts'
import type { Means } from './run/auto-pause.ts'
import type { OpenMessages } from './run/open-messages.ts'
import { holdsRows } from './run/quota-holders.ts'
import { createResumedAs } from './run/resumed-as.ts'

type Change = EndpointInput<typeof campaignsApi.change>['body']

interface Dependencies {
  readonly campaigns: CampaignsRepository
  readonly shown: Pick<CampaignsService, 'find' | 'showOne'>
  readonly open: OpenMessages
  readonly recipientFiles: Pick<Records['recipientFiles'], 'retryFailed'>
  /** Its template and its number as they are now. */
  readonly meansOf: (campaign: CampaignRecord) => Promise<Means>
  readonly checks: Pick<ReviewChecks, 'momentFor'>
  /** Reschedules by the zone's clock as it is now. */
  readonly reschedule: (campaign: CampaignRecord) => Promise<unknown>
  readonly recipients: Pick<RecipientsRepository, 'totals'>
  readonly requireSecond: LaunchApprovals['requireSecond']
  readonly note: NoteCampaign
  readonly quota: Pick<Quota, 'prepare' | 'settleCounted'>
  readonly transaction: RunInTransaction
  /** Has a worker look at campaigns at once. */
  readonly queue: (campaigns: readonly { id: string; workspaceId: string }[]) => Promise<void>
  readonly now?: Clock
}

/** Actions for campaigns of which nothing was sent yet. */
const notBegun: ReadonlySet<CampaignAction> = new Set(['start_now', 'reschedule'])

/** Implements members' actions on campaigns. */
export function createCampaignChanges(deps: Dependencies) {
  const { campaigns, shown, open, recipientFiles, transaction, queue, now = () => new Date() } = deps
  const resumedAs = createResumedAs(deps)

  /**
   * Pauses, resumes, cancels, starts or reschedules. When it answers, no further request of a paused or cancelled campaign begins.
   * The same action again comes to the same.
   * @throws `not_found`, `wrong_state`, `approval_required`, `pause_reason_holds`, `quota_exceeded`, `schedule_past`, `validation_failed`.
   */
  async function change(ctx: Caller, id: string, asked: Change): Promise<Campaign> {
    const { action } = asked
    const campaign = await shown.find(ctx, id)
    const isThere = campaign.status === campaignMoves[action].to && action !== 'reschedule'
    const changed = isThere ? campaign : await move(ctx, campaign, asked)
    if (action === 'pause') await open.pause(changed)
    // Faults may have been mended meanwhile: failed files are fetched anew before messages ask for them.
    if (action === 'resume' && changed.recipientFile) await recipientFiles.retryFailed(ctx, id)
    // The next round decides which messages may leave at this hour.
    if (action === 'resume' && !changed.frozen.groups) await open.release(changed)
    if (action === 'cancel') {
      await open.cancel(changed)
      await deps.quota.settleCounted(ctx, id)
    }
    if (action === 'reschedule') await deps.reschedule(changed)
    else await queue([changed])
    return shown.showOne(ctx, await shown.find(ctx, id))
  }

  async function move(ctx: Caller, campaign: CampaignRecord, { action, schedule, newText }: Change) {
    const at = now()
    const { from, to: status } = campaignMoves[action]
    const sends = action === 'resume' || action === 'start_now'
    if (sends && (campaign.pausedFor === 'more_recipients' || newText !== undefined))
      await deps.requireSecond(ctx, campaign)
    if (sends && offerProblem(campaign.template.offer, campaign.variables, at) !== undefined)
      throw errors.wrongState(
        'The offer of its template has ended: nobody would get it. Cancel the campaign, and copy it with a later end.',
      )
    const begins = sends && !campaign.startedAt
    const resumed = sends ? await resumedAs(campaign, at, { newText, by: causeOf(ctx) }) : undefined
    const quota = sends ? await quotaFor(campaign) : undefined
    const set = {
      status,
      watch: watched,
      nextAt: at,
      ...resumed,
      ...(begins && { startedAt: at, frozen: frozenAnew }),
      ...((action === 'pause' || action === 'cancel') && { stoppedAt: at }),
      ...(action === 'reschedule' && (await timeOf(ctx, campaign, schedule, at))),
      ...(quota && { hold: quota.hold }),
    } as const
    const unset = {
      pausedFor: 1,
      pauseDetail: 1,
      ...(action === 'start_now' && { schedule: 1, scheduledFor: 1 }),
    } as const
    const changed = await transaction(async (tx) => {
      const expected = {
        status: { $in: from },
        ...(notBegun.has(action) && { startedAt: { $exists: false } }),
      }
      const record = await campaigns.change(ctx, campaign.id, { expected, update: { $set: set, $unset: unset } }, tx)
      if (!record) return null
      emitCampaignChanged({ ...record, before: campaign.status }, causeOf(ctx), tx)
      await quota?.reserve(record.id, tx)
      // It was resumed since it was read, and then paused for quota.
      if (sends && !record.hold) throw errors.wrongState('This campaign has changed. Check it and try again.')
      const isNewText = resumed !== undefined && contentKey(resumed.template) !== contentKey(campaign.template)
      await deps.note(record, { memberId: memberIdOf(ctx), ...entryOf(action, record, { begins, isNewText }) }, tx)
      return record
    })
    if (changed) return changed
    const current = await shown.find(ctx, campaign.id)
    if (current.status === status && action !== 'reschedule') return current
    throw errors.wrongState(
      notBegun.has(action) && current.startedAt
        ? 'This campaign has already started.'
        : `The status of this campaign has changed: it is now ${current.status}.`,
    )
  }

  /** @throws `schedule_past`, `validation_failed`. */
  async function timeOf(ctx: Caller, { template, variables }: CampaignRecord, schedule: Change['schedule'], at: Date) {
    if (!schedule) throw errors.validation({ schedule: 'Choose a date and a time' })
    const scheduledFor = await deps.checks.momentFor(ctx, schedule)
    if (!scheduledFor || scheduledFor <= at)
      throw new AppError('schedule_past', 'That time has passed. Choose a later one.')
    if (offerProblem(template.offer, variables, scheduledFor) !== undefined)
      throw errors.validation({ schedule: 'The offer of its template has ended by then. Choose an earlier time.' })
    return { schedule, scheduledFor, nextAt: scheduledFor }
  }

  /** Reserves quota for a campaign that holds none yet, or less than it has people who wait for it. */
  async function quotaFor(campaign: CampaignRecord) {
    const { workspaceId, id, hold, frozen, expected, startedAt } = campaign
    if (hold && holdsRows(campaign)) return undefined
    const tallies = (await deps.recipients.totals({ workspaceId }, [id])).get(id) ?? {}
    const { queued, uncertain, sent } = countsOf(tallies)
    const needed = frozen.done && startedAt ? (frozen.pending ?? queued + uncertain) : expected.reachable
    return deps.quota.prepare({ workspaceId }, needed, hold?.before ?? sent)
  }

  return { change }
}

/** Returns the timeline entry of an action. */
function entryOf(
  action: CampaignAction,
  { scheduledFor }: CampaignRecord,
  { begins, isNewText }: { begins: boolean; isNewText: boolean },
): TimelineRecord['told'] {
  if (action === 'pause') return { kind: 'paused' }
  if (action === 'cancel') return { kind: 'cancelled' }
  if (action === 'reschedule' && scheduledFor) return { kind: 'rescheduled', scheduledFor: scheduledFor.toISOString() }
  return begins ? { kind: 'started' } : { kind: 'resumed', ...(isNewText && { newText: true as const }) }
}
