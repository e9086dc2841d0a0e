import { isDeepStrictEqual } from 'node:util'
import { isStopped } from '../../../whatsapp/error-classes.ts'
import type { DraftRecord, ReviewFacts, ReviewRecord } from './drafts.model.ts'
import { frozenOf, type ReviewMeans } from './review-checks.ts'

/** What a review depends on has changed since it was made: what that is, for a person. */
export function whatHasChanged(
  draft: Pick<DraftRecord, 'template'>,
  { facts: before }: Pick<ReviewRecord, 'facts'>,
  { template, number, facts: now }: ReviewMeans & { readonly facts: ReviewFacts },
): string | undefined {
  if (!template) return 'Its template was deleted after the review.'
  if (template.status !== 'approved') return 'WhatsApp has stopped approving its template after the review.'
  const category = draft.template?.category
  if (category !== template.category)
    return `WhatsApp has moved its template from ${category} to ${template.category} after the review.`
  if (!isDeepStrictEqual(plain(draft.template), plain(frozenOf(template))))
    return 'Its template was changed after the review.'
  if (!number) return 'Its number was disconnected after the review.'
  if (number.stopped && isStopped(number.stopped, { isTemplate: true, category }))
    return `Its number was stopped after the review. ${number.stopped.reason}`
  if (now.isQualityLow && !before.isQualityLow)
    return 'WhatsApp has rated the quality of its number as low after the review.'
  if (now.needsOptIn !== before.needsOptIn)
    return 'Who has to agree to marketing was changed in the settings after the review.'
  if (now.conditions !== before.conditions) return 'The conditions of its segment were changed after the review.'
  if (now.scheduledFor?.getTime() !== before.scheduledFor?.getTime())
    return 'The time zone of the workspace was changed after the review.'
  return undefined
}

/** As it is stored: without what is undefined. */
const plain = (template: unknown): unknown => JSON.parse(JSON.stringify(template ?? {}))
