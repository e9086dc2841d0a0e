import type { ReviewWarning } from '@parley/contracts/campaigns/campaign-drafts'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { isFileHeader } from '@parley/contracts/campaigns/recipient-files'
import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { sumOf } from '@parley/contracts/usage/rate-cards'
import { quotaProblem } from '@parley/contracts/usage/usage'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { causeOf, memberIdOf } from '@parley/service-kit/http/context'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { Quota } from '../../usage/plan/quota.service.ts'
import { emitCampaignChanged } from '../campaign-events.ts'
import { type CampaignRecord, watched } from '../campaigns.model.ts'
import type { CampaignsService } from '../campaigns.service.ts'
import type { SentAgain } from '../results/sent-again.ts'
import type { NoteCampaign } from '../results/timeline.repository.ts'
import type { ReviewResult, UnderReview } from './drafts.model.ts'
import type { DraftsRepository } from './drafts.repository.ts'
import type { Caller } from './drafts.service.ts'
import type { LaunchApprovals } from './launch-approvals.ts'
import { readyReview, stale } from './ready-review.ts'
import { changesSinceReview } from './review-changes.ts'
import type { ReviewChecks } from './review-checks.ts'
import { isPast, nobodyIn, timePast } from './review-result.ts'
import type { ShowDrafts } from './show-drafts.ts'

interface Dependencies {
  readonly drafts: DraftsRepository
  readonly shown: Pick<CampaignsService, 'find' | 'showOne'>
  readonly checks: Pick<ReviewChecks, 'meansOf' | 'factsOf'>
  readonly showDrafts: Pick<ShowDrafts, 'showMany'>
  readonly quota: Pick<Quota, 'prepare' | 'usage'>
  readonly note: NoteCampaign
  readonly sentAgain: Pick<SentAgain, 'claim'>
  readonly requireApproval: LaunchApprovals['require']
  /** Has a scheduled campaign begin by the clock of the zone as it is now. */
  readonly reschedule: (campaign: CampaignRecord) => Promise<unknown>
  readonly transaction: RunInTransaction
  /** Has a worker look at campaigns at once. */
  readonly queue: (campaigns: readonly JobRecord[]) => Promise<void>
  readonly now: Clock
}

interface Launch {
  readonly preflightId: string
  readonly accepted: readonly ReviewWarning[]
}

/** Makes a campaign of a draft and what its review has written down. */
export function createLaunch(deps: Dependencies) {
  const { drafts, shown, checks, quota, reschedule, transaction, queue, now } = deps

  /**
   * The same launch again comes to the same campaign.
   * @throws `not_found`, `wrong_state`, `preflight_stale`, `validation_failed` for a warning that is not confirmed,
   * `approval_required`, `audience_empty`, `template_not_approved`, `quota_exceeded`, `schedule_past`.
   */
  return async function launch(ctx: Caller, id: string, { preflightId, accepted }: Launch): Promise<Campaign> {
    const draft = isId(id) ? await drafts.read(ctx, id) : null
    if (!draft) return launchedBy(ctx, id, preflightId)
    const { ready, result } = readyReview(draft, preflightId, now())
    await checkUnchanged(ctx, ready)
    checkAccepted(result, accepted)
    const { id: reviewId, facts } = ready.review
    const { scheduledFor } = facts
    const pending = ready.frozen.pending ?? 0
    if (pending === 0) throw new AppError('audience_empty', nobodyIn(ready.frozen.rows))
    if (isPast(scheduledFor, now())) throw new AppError('schedule_past', timePast)
    const takeApproval = await deps.requireApproval(ctx, ready)
    // A scheduled one holds nothing until it starts.
    const held = scheduledFor ? await checkRoom(ctx, scheduledFor, pending) : await quota.prepare(ctx, pending)
    const at = now()
    const started = scheduledFor
      ? { status: 'scheduled' as const, scheduledFor }
      : { status: 'active' as const, startedAt: at, roundAt: at }
    const set = {
      ...fieldsOf(ready, result),
      audienceName: (await deps.showDrafts.showMany(ctx, [draft]))[0]?.audienceName ?? draft.audienceName,
      ...started,
      ...(held && { hold: held.hold }),
      launched: { reviewId, by: ctx.actor.id, at, accepted: [...accepted] },
      createdAt: at,
      watch: watched,
      nextAt: scheduledFor ?? at,
    }
    const campaign = await transaction(async (tx) => {
      const expected = { 'review.id': reviewId, 'review.state': 'ready', ...writtenDown } as const
      const changed = await drafts.launch(ctx, id, { expected, update: { $set: set, $unset: unsetFor(ready) } }, tx)
      if (!changed) return null
      await takeApproval(tx)
      await held?.reserve(id, tx)
      await deps.sentAgain.claim(ctx, id, ready.audience, tx)
      emitCampaignChanged({ ...changed, before: 'draft' }, causeOf(ctx), tx)
      const until = scheduledFor && { scheduledFor: scheduledFor.toISOString() }
      const entry = { kind: 'launched' as const, recipients: pending, accepted: [...accepted], ...until }
      await deps.note(changed, { memberId: memberIdOf(ctx), ...entry }, tx)
      return changed
    })
    if (!campaign) return launch(ctx, id, { preflightId, accepted })
    // The zone may have been changed at this very moment.
    if (scheduledFor) await reschedule(campaign)
    else await queue([{ id, workspaceId: ctx.workspaceId }])
    return shown.showOne(ctx, await shown.find(ctx, id))
  }

  /** Returns the campaign that another member, or the same request before, has launched. */
  async function launchedBy(ctx: Caller, id: string, reviewId: string): Promise<Campaign> {
    const campaign = await shown.find(ctx, id)
    if (campaign.launched?.reviewId !== reviewId)
      throw errors.wrongState('Somebody has launched this campaign already, after another review.')
    return shown.showOne(ctx, campaign)
  }

  async function checkUnchanged(ctx: Caller, draft: UnderReview): Promise<void> {
    const means = await checks.meansOf(ctx, draft)
    const facts = await checks.factsOf(ctx, draft, means.number).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found')
        throw stale('A segment of its audience was deleted after the review.')
      throw error
    })
    const changed = changesSinceReview(draft, draft.review, { ...means, facts })
    if (changed !== undefined) throw stale(changed)
  }

  /** A scheduled one is not made for which the period in which it begins has no room. */
  async function checkRoom(ctx: Caller, at: Date, needs: number): Promise<undefined> {
    const problem = quotaProblem(await quota.usage(ctx, at), needs)
    if (problem !== undefined) throw new AppError('quota_exceeded', problem)
  }
}

function checkAccepted({ warnings }: ReviewResult, accepted: readonly ReviewWarning[]): void {
  const open = warnings.find(({ code }) => !accepted.includes(code))
  if (open) throw errors.validation({ accepted: `Confirm this first: ${open.message}` })
}

/** The rows are as the review has left them. */
const writtenDown = { 'frozen.done': true, 'frozen.clearing': null } as const

/** Fields that a campaign does not have, and settings that its template has no use for. */
const unsetFor = ({ template }: UnderReview) => ({
  review: 1,
  edition: 1,
  templateName: 1,
  ...(template.category !== 'marketing' && { recentDays: 1, retryHeldBack: 1 }),
  ...(!isFileHeader(template.headerMedia?.kind) && { recipientFile: 1 }),
})

/** Returns the campaign's fields that come from the draft and its review. */
function fieldsOf(draft: UnderReview, { counts, cost, warnings }: ReviewResult): Partial<CampaignRecord> {
  const { audience, excluded, recipients: reachable } = counts
  const planned = cost?.card ? { currency: cost.card.currency, ...sumOf(cost.lines) } : undefined
  return {
    position: 0,
    expected: { audience, excluded, reachable },
    ...(planned && { planned }),
    ...(warnings.some(({ code }) => code === 'number_quality_low') && { lowQualityAccepted: true }),
    // A template chosen before may have left other variables.
    variables: Object.fromEntries(
      templatePlaceholders(draft.template).flatMap((key) => {
        const source = draft.variables[key]
        return source ? [[key, source]] : []
      }),
    ),
  }
}
