import type { Clock } from '@parley/service-kit/core/clock'
import { AppError } from '@parley/service-kit/core/errors'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { SendingHoursService } from '../../outbound/sending-hours/sending-hours.service.ts'
import type { MaterializeAudience } from '../audience/materialize-audience.ts'
import { recentSinceOf } from '../audience/recent-since.ts'
import { emitCampaignChanged } from '../campaign-events.ts'
import type { NoteCampaign } from '../results/timeline.repository.ts'
import { createCommitIfUnchanged } from '../run/commit-if-unchanged.ts'
import type { Recount } from '../run/recount.ts'
import { type DraftRecord, isUnderReview, type ReviewRecord, type UnderReview } from './drafts.model.ts'
import type { DraftsRepository } from './drafts.repository.ts'
import { createFileChecks, judgeFiles } from './file-checks.ts'
import { validUntil } from './review.service.ts'
import type { ReviewChecks } from './review-checks.ts'
import { createReviewResult } from './review-result.ts'

/** Milliseconds after the last possible launch until its rows are deleted. */
const keptMs = 60_000
/** Minimum milliseconds between two sums of the counts while the audience is written down. */
const addUpMs = 1000
/** Milliseconds after which a review that cannot be written down has failed. */
const maxMs = 10 * 60_000

type SharedDependencies = Parameters<typeof createReviewResult>[0] & Parameters<typeof createFileChecks>[0]
interface Dependencies extends SharedDependencies {
  readonly drafts: DraftsRepository
  readonly freeze: MaterializeAudience
  readonly recount: Pick<Recount, 'countFrom' | 'addUp' | 'countAll'>
  readonly sendingHours: Pick<SendingHoursService, 'zoneOf'>
  readonly checks: Pick<ReviewChecks, 'meansOf'>
  readonly note: NoteCampaign
  readonly transaction: RunInTransaction
  readonly now: Clock
}

/** Creates the work on drafts: it stores the audience for a review, and deletes rows that are not needed any more. */
export function createReviewWork(deps: Dependencies) {
  const { drafts, freeze, recount, transaction, now } = deps
  const resultOf = createReviewResult(deps)
  const checkFiles = createFileChecks(deps)
  const commitIfUnchanged = createCommitIfUnchanged({ records: drafts, transaction })
  const changeRemoved = createCommitIfUnchanged({ records: drafts.removed, transaction })

  /** Time of the last sum of a draft's counts, while its audience is written down. */
  const addedUpAt = new Map<string, number>()

  async function perform({ id, workspaceId }: JobRecord, requeue: () => void): Promise<void> {
    const scope = { workspaceId }
    const draft = await drafts.read(scope, id)
    if (!draft) return removeRows(await drafts.removed.read(scope, id), requeue)
    if (!draft.watch || !draft.nextAt || draft.nextAt > now()) return
    if (!isUnderReview(draft) || draft.review.state !== 'counting') return clearRows(draft, requeue)
    try {
      await count(draft, requeue)
    } catch (error) {
      const failure = failureOf(error, draft.review)
      if (failure === undefined) throw error
      await end(draft, draft.review, { state: 'failed', failure }, now())
    }
  }

  /** A page, or what is left to do after the last one. */
  async function count(draft: UnderReview, requeue: () => void): Promise<void> {
    const written = draft.frozen.done ? draft : await nextPage(draft)
    if (!written) return
    if (!written.frozen.done) return requeue()
    const [tallies, means] = await Promise.all([recount.countAll(written), deps.checks.meansOf(written, written)])
    const counted = await resultOf({ ...written, scheduledFor: draft.review.facts.scheduledFor }, tallies, means)
    const files = await checkFiles(written, tallies)
    const { problems, warnings } = judgeFiles(files)
    const result = {
      ...counted,
      ...(files && { files }),
      problems: [...counted.problems, ...problems],
      warnings: [...counted.warnings, ...warnings],
    }
    const readyAt = now()
    await end(draft, draft.review, { state: 'ready', readyAt, result }, new Date(validUntil(readyAt) + keptMs))
  }

  /** @returns the draft as it is then; null where it has changed meanwhile. */
  async function nextPage(draft: UnderReview): Promise<UnderReview | null> {
    const { id: reviewId, startedAt, facts } = draft.review
    const begins = facts.scheduledFor && facts.scheduledFor > startedAt ? facts.scheduledFor : startedAt
    const recentSince = await recentSinceOf(deps.sendingHours, draft, begins)
    const current = await freeze.next<UnderReview>(draft, {
      until: startedAt,
      rules: async () => ({ category: draft.template.category, needsOptIn: facts.needsOptIn, recentSince }),
      store: async ({ expected, update }, work) => {
        const changed = await commitIfUnchanged(
          draft,
          { expected: { ...expected, 'review.id': reviewId }, update },
          work,
        )
        return changed && isUnderReview(changed.record) ? changed.record : null
      },
    })
    if (current && !draft.frozen.clearing) await addUpNow(current, draft.frozen.rows)
    return current
  }

  /** Counts the rows from a place on, and adds up now and then. */
  async function addUpNow(draft: UnderReview, from: number): Promise<void> {
    await recount.countFrom(draft, from)
    if (now().getTime() - (addedUpAt.get(draft.id) ?? 0) < addUpMs) return
    addedUpAt.set(draft.id, now().getTime())
    await recount.addUp(draft, draft.id)
  }

  /** @param nextAt when its rows are deleted. */
  async function end(
    draft: DraftRecord,
    { id: reviewId, by }: ReviewRecord,
    came: Pick<ReviewRecord, 'state' | 'readyAt' | 'result' | 'failure'>,
    nextAt: Date,
  ): Promise<void> {
    addedUpAt.delete(draft.id)
    const set = Object.fromEntries(Object.entries(came).map(([key, value]) => [`review.${key}`, value]))
    const expected = { 'review.id': reviewId, 'review.state': 'counting' } as const
    await commitIfUnchanged(draft, { expected, update: { $set: { ...set, nextAt } } }, async (tx) => {
      emitCampaignChanged(draft, { kind: 'system' }, tx)
      if (!came.result) return
      const { audience, recipients } = came.result.counts
      await deps.note(draft, { kind: 'reviewed', audience, recipients, memberId: by }, tx)
    })
  }

  /** Deletes rows of a review that can no longer be launched, or of a draft that was written again since. */
  async function clearRows(draft: DraftRecord, requeue: () => void): Promise<void> {
    const { id, review } = draft
    // Another review that has begun meanwhile clears the rows itself.
    const expected = review ? { 'review.id': review.id, 'review.state': review.state } : { 'review.id': null }
    const begun = draft.frozen?.clearing
      ? draft
      : await drafts.change(draft, id, { expected, update: { $set: { 'frozen.clearing': true } } })
    if (!begun) return
    const cleared = await freeze.clear<DraftRecord>(draft, async (step, work) => {
      const changed = await commitIfUnchanged(draft, { ...step, expected: { ...step.expected, ...expected } }, work)
      return changed?.record ?? null
    })
    if (cleared?.frozen?.clearing) return requeue()
    const update = { $unset: { frozen: 1, watch: 1, nextAt: 1 } } as const
    await drafts.change(draft, id, { expected: { ...expected, 'frozen.clearing': false }, update })
  }

  async function removeRows(removed: DraftRecord | null, requeue: () => void): Promise<void> {
    if (!removed) return
    if (removed.frozen?.clearing) {
      const cleared = await freeze.clear<DraftRecord>(
        removed,
        async (step, work) => (await changeRemoved(removed, step, work))?.record ?? null,
      )
      // Another worker was faster.
      if (!cleared) return
      if (cleared.frozen?.clearing) return requeue()
    }
    await drafts.removed.forget(removed, removed.id)
  }

  /** Returns the reason why a review has failed for good; undefined where it is tried again. */
  function failureOf(error: unknown, { startedAt }: ReviewRecord): string | undefined {
    if (error instanceof AppError && error.status < 500) return error.message.slice(0, 500)
    return now().getTime() - startedAt.getTime() > maxMs
      ? 'Parley could not create the recipient list. Try again later.'
      : undefined
  }

  return { perform }
}
