import { type CampaignReview, reviewLastsMs } from '@parley/contracts/campaigns/campaign-drafts'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { causeOf } from '@parley/service-kit/http/context'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { emitCampaignChanged } from '../campaign-events.ts'
import { watched } from '../campaigns.model.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import { countsOf } from '../recipients/tallies.ts'
import type { DraftRecord, ReviewRecord } from './drafts.model.ts'
import type { DraftsRepository } from './drafts.repository.ts'
import type { Caller, DraftsService } from './drafts.service.ts'
import { changesSinceReview } from './review-changes.ts'
import { frozenOf, type ReviewChecks } from './review-checks.ts'
import type { ShowDrafts } from './show-drafts.ts'

interface Dependencies {
  readonly drafts: DraftsRepository
  readonly campaignDrafts: Pick<DraftsService, 'find'>
  readonly showDrafts: Pick<ShowDrafts, 'showOne'>
  readonly checks: ReviewChecks
  readonly recipients: Pick<RecipientsRepository, 'totals'>
  readonly transaction: RunInTransaction
  /** Has a worker look at drafts at once. */
  readonly queue: (drafts: readonly JobRecord[]) => Promise<void>
  readonly now: Clock
}

/** Reviews of drafts as people ask for them. */
export function createReviews({
  drafts,
  campaignDrafts: { find },
  showDrafts,
  recipients: { totals },
  checks,
  transaction,
  queue,
  now,
}: Dependencies) {
  /**
   * One that still holds is answered as it is.
   * @throws `not_found`, `wrong_state`, `stale_version`, `template_not_approved`, `validation_failed`.
   */
  async function start(ctx: Caller, id: string, version: number): Promise<CampaignReview> {
    const draft = await find(ctx, id)
    if (draft.edition !== version) throw errors.staleVersion(await showDrafts.showOne(ctx, draft))
    const { template, number } = await checks.complete(ctx, draft)
    const facts = await checks.factsOf(ctx, draft, number)
    if (
      draft.review &&
      stillHolds(draft, draft.review) &&
      !changesSinceReview(draft, draft.review, { template, number, facts })
    )
      return show(ctx, draft, draft.review)
    const review: ReviewRecord = { id: newId(ctx), state: 'counting', startedAt: now(), by: ctx.actor.id, facts }
    const started = await transaction(async (tx) => {
      const before = await drafts.read(ctx, id, tx)
      const set = { review, template: frozenOf(template), watch: watched, nextAt: review.startedAt }
      const frozen = { rows: 0, done: false, ...(before?.frozen && { clearing: true }) }
      // The second of two simultaneous requests finds the review of the first.
      if (before?.review?.id !== draft.review?.id) return before
      const expected = { edition: version }
      const changed = await drafts.change(ctx, id, { expected, update: { $set: { ...set, frozen } } }, tx)
      if (changed) emitCampaignChanged(changed, causeOf(ctx), tx)
      return changed
    })
    if (!started?.review || started.edition !== version)
      throw errors.staleVersion(await showDrafts.showOne(ctx, await find(ctx, id)))
    await queue([{ id, workspaceId: ctx.workspaceId }])
    return show(ctx, started, started.review)
  }

  const stillHolds = (draft: DraftRecord, { state, readyAt }: ReviewRecord): boolean =>
    state === 'counting' ||
    (state === 'ready' && draft.frozen?.done === true && readyAt !== undefined && now().getTime() < validUntil(readyAt))

  /** @throws `not_found`. */
  async function read(scope: WorkspaceScope, id: string): Promise<CampaignReview> {
    const draft = isId(id) ? await drafts.read(scope, id) : null
    if (!draft?.review) throw errors.notFound('There is no review of this draft.')
    return show(scope, draft, draft.review)
  }

  async function show(scope: WorkspaceScope, draft: DraftRecord, review: ReviewRecord): Promise<CampaignReview> {
    const { id, state, startedAt, readyAt, failure, result } = review
    const templateVersion = draft.template?.contentVersion
    const common = {
      id,
      state,
      startedAt: startedAt.toISOString(),
      ...(failure !== undefined && { failure }),
      ...(templateVersion !== undefined && { templateVersion }),
    }
    if (result)
      return { ...common, ...(readyAt && { validUntil: new Date(validUntil(readyAt)).toISOString() }), ...result }
    return {
      ...common,
      counts: await countsSoFar(scope, draft),
      fallbacks: [],
      cost: null,
      delivery: null,
      problems: [],
      warnings: [],
    }
  }

  async function countsSoFar(scope: WorkspaceScope, { id, frozen }: DraftRecord): Promise<CampaignReview['counts']> {
    // Totals are those of the previous review as long as its rows are being deleted.
    const tallies = frozen?.clearing ? {} : ((await totals(scope, [id])).get(id) ?? {})
    const { audience, excluded, queued: recipients } = countsOf(tallies)
    return { audience, excluded, recipients }
  }

  return { start, read }
}

/** Returns the time until which a launch sends the stored audience. */
export const validUntil = (readyAt: Date): number => readyAt.getTime() + reviewLastsMs
