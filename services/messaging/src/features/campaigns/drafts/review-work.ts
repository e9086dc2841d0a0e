import { AppError } from '@parley/service-kit/core/errors'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { emitCampaignChanged } from '../campaign-events.ts'
import { createChangeAtEnd } from '../change-at-end.ts'
import type { Freeze } from '../freeze.ts'
import type { RecentSince } from '../recent-since.ts'
import type { Recount } from '../recount.ts'
import type { NoteCampaign } from '../results/timeline.repository.ts'
import { type DraftRecord, isUnderReview, type ReviewRecord, type UnderReview } from './drafts.model.ts'
import type { DraftsRepository } from './drafts.repository.ts'
import { validUntil } from './review.service.ts'
import type { ReviewChecks } from './review-checks.ts'
import type { ReviewResultOf } from './review-result.ts'

/** So much later than it could be launched its rows are deleted. */
const keptMs = 60_000
/** Counts are added up at most so often on the way. */
const addUpMs = 1000
/** One that cannot be written down for so long has failed. */
const longestMs = 10 * 60_000

interface Dependencies {
  readonly drafts: DraftsRepository
  readonly freeze: Freeze
  readonly recount: Pick<Recount, 'countFrom' | 'addUp' | 'countAll'>
  readonly recentSince: RecentSince
  readonly checks: Pick<ReviewChecks, 'meansOf'>
  readonly resultOf: ReviewResultOf
  readonly note: NoteCampaign
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readonly now: () => Date
}

/** What workers do for drafts: they write the audience down for a review, and delete the rows that are not needed any more. */
export function createReviewWork(deps: Dependencies) {
  const { drafts, freeze, recount, transaction, now } = deps
  const changeAtEnd = createChangeAtEnd({ records: drafts, transaction })
  const changeRemoved = createChangeAtEnd({ records: drafts.removed, transaction })

  async function perform({ id, workspaceId }: JobRecord): Promise<void> {
    const scope = { workspaceId }
    const draft = await drafts.read(scope, id)
    if (!draft) return removeRows(await drafts.removed.read(scope, id))
    if (!draft.watch || !draft.nextAt || draft.nextAt > now()) return
    if (!isUnderReview(draft) || draft.review.state !== 'counting') return clearRows(draft)
    try {
      await count(draft)
    } catch (error) {
      const failure = failureOf(error, draft.review)
      if (failure === undefined) throw error
      await end(draft, draft.review, { state: 'failed', failure }, now())
    }
  }

  async function count(draft: UnderReview): Promise<void> {
    const { id: reviewId, startedAt, facts } = draft.review
    const begins = facts.scheduledFor && facts.scheduledFor > startedAt ? facts.scheduledFor : startedAt
    const recentSince = await deps.recentSince(draft, begins)
    const rules = async () => ({ category: draft.template.category, needsOptIn: facts.needsOptIn, recentSince })
    let addedUpAt = now().getTime()
    let current: UnderReview | null = draft
    while (current && !current.frozen.done) {
      const before: UnderReview = current
      current = await freeze.next<UnderReview>(before, {
        ...{ until: startedAt, rules },
        store: async ({ seen, update }, work) => {
          const changed = await changeAtEnd(before, { seen: { ...seen, 'review.id': reviewId }, update }, work)
          return changed && isUnderReview(changed.record) ? changed.record : null
        },
      })
      if (!current || before.frozen.clearing) continue
      await recount.countFrom(current, before.frozen.rows)
      if (now().getTime() - addedUpAt < addUpMs) continue
      addedUpAt = now().getTime()
      await recount.addUp(current, current.id)
    }
    if (!current) return
    const [tallies, means] = await Promise.all([recount.countAll(current), deps.checks.meansOf(current, current)])
    const result = await deps.resultOf({ ...current, scheduledFor: facts.scheduledFor }, tallies, means)
    const readyAt = now()
    await end(draft, draft.review, { state: 'ready', readyAt, result }, new Date(validUntil(readyAt) + keptMs))
  }

  /** @param nextAt when its rows are deleted. */
  async function end(
    draft: DraftRecord,
    { id: reviewId, by }: ReviewRecord,
    came: Pick<ReviewRecord, 'state' | 'readyAt' | 'result' | 'failure'>,
    nextAt: Date,
  ): Promise<void> {
    const set = Object.fromEntries(Object.entries(came).map(([key, value]) => [`review.${key}`, value]))
    const seen = { 'review.id': reviewId, 'review.state': 'counting' } as const
    await changeAtEnd(draft, { seen, update: { $set: { ...set, nextAt } } }, async (tx) => {
      emitCampaignChanged(draft, { kind: 'system' }, tx)
      if (!came.result) return
      const { audience, recipients } = came.result.counts
      await deps.note(draft, { kind: 'reviewed', audience, recipients, memberId: by }, tx)
    })
  }

  /** Of a review that nobody can launch any more, or of a draft that was written again since. */
  async function clearRows(draft: DraftRecord): Promise<void> {
    const { id, review } = draft
    // Another review that has begun meanwhile clears what there is itself.
    const seen = review ? { 'review.id': review.id, 'review.state': review.state } : { 'review.id': null }
    const begun = draft.frozen?.clearing
      ? draft
      : await drafts.change(draft, id, { seen, update: { $set: { 'frozen.clearing': true } } })
    for (let current = begun; current?.frozen?.clearing; )
      current = await freeze.clear<DraftRecord>(draft, async (step, work) => {
        const changed = await changeAtEnd(draft, { ...step, seen: { ...step.seen, ...seen } }, work)
        return changed?.record ?? null
      })
    const update = { $unset: { frozen: 1, watch: 1, nextAt: 1 } } as const
    await drafts.change(draft, id, { seen: { ...seen, 'frozen.clearing': false }, update })
  }

  async function removeRows(removed: DraftRecord | null): Promise<void> {
    if (!removed) return
    for (let isMore = removed.frozen?.clearing === true; isMore; ) {
      const cleared = await freeze.clear<DraftRecord>(
        removed,
        async (step, work) => (await changeRemoved(removed, step, work))?.record ?? null,
      )
      // Another worker was faster.
      if (!cleared) return
      isMore = cleared.frozen?.clearing === true
    }
    await drafts.removed.forget(removed, removed.id)
  }

  /** Why a review has failed for good; undefined where it is tried again. */
  function failureOf(error: unknown, { startedAt }: ReviewRecord): string | undefined {
    if (error instanceof AppError && error.status < 500) return error.message.slice(0, 500)
    return now().getTime() - startedAt.getTime() > longestMs
      ? 'Parley could not write the audience down. Try again later.'
      : undefined
  }

  return { perform }
}
