import { AppError, errors } from '@parley/service-kit/core/errors'
import { type DraftRecord, isUnderReview, type ReviewResult, type UnderReview } from './drafts.model.ts'
import { validUntil } from './review.service.ts'

/** Finds the review by which a draft is launched. @throws `preflight_stale`, `wrong_state` while it is being counted. */
export function readyReview(
  draft: DraftRecord,
  preflightId: string,
  now: Date,
): { ready: UnderReview; result: ReviewResult } {
  const { review } = draft
  if (!review) throw stale('The campaign was changed after its review.')
  if (review.id !== preflightId) throw stale('The campaign was reviewed again.')
  if (review.state === 'counting') throw errors.wrongState('Its audience is still being counted. Wait a moment.')
  const { result, readyAt } = review
  if (!result || !readyAt) throw stale('Its review has failed.')
  if (now.getTime() >= validUntil(readyAt) || !isUnderReview(draft))
    throw stale('Its review is more than 15 minutes old.')
  return { ready: draft, result }
}

/** Refusal that a new review removes. */
export const stale = (why: string) => new AppError('preflight_stale', `${why} Review it again.`)
