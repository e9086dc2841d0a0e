import { isChanged, stopOf } from '../run/auto-pause.ts'
import type { DraftRecord, ReviewFacts, ReviewRecord } from './drafts.model.ts'
import type { ReviewMeans } from './review-checks.ts'

/** Returns, in words for a member, what a review depends on and has changed since it was made. */
export function changesSinceReview(
  draft: Pick<DraftRecord, 'template'>,
  { facts: before }: Pick<ReviewRecord, 'facts'>,
  { template, number, facts: now }: ReviewMeans & { readonly facts: ReviewFacts },
): string | undefined {
  if (!template) return 'Its template was deleted after the review.'
  if (template.status !== 'approved') return 'WhatsApp has stopped approving its template after the review.'
  const category = draft.template?.category
  if (category !== template.category)
    return `WhatsApp has moved its template from ${category} to ${template.category} after the review.`
  if (!draft.template || isChanged(draft.template, template)) return 'Its template was changed after the review.'
  if (!number) return 'Its number was disconnected after the review.'
  const stopped = stopOf(number, category)
  if (stopped !== undefined) return `Its number was stopped after the review. ${stopped}`
  if (now.isQualityLow && !before.isQualityLow)
    return 'WhatsApp has rated the quality of its number as low after the review.'
  if (now.needsOptIn !== before.needsOptIn)
    return 'The marketing consent rules in the settings changed after the review.'
  if (now.conditions !== before.conditions) return 'The conditions of its segment were changed after the review.'
  if (now.exclusions !== before.exclusions)
    return 'The conditions of a segment that it leaves out were changed after the review.'
  if (now.importProblem !== undefined) return now.importProblem
  if (now.scheduledFor?.getTime() !== before.scheduledFor?.getTime())
    return 'The time zone of the workspace was changed after the review.'
  return undefined
}
