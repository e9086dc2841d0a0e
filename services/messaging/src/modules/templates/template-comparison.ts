import type { TemplateAtWhatsApp } from '../../whatsapp/template-calls.ts'
import { changesOf, hasSameComponents } from './template-differences.ts'
import { contentOf } from './template-versions.ts'
import type { TemplateRecord } from './templates.model.ts'
import type { FieldChange } from './templates.repository.ts'
import { isUnsent } from './unsent.ts'

/** Milliseconds in which an unanswered submission may still reach WhatsApp. */
export const unansweredMs = 10 * 60_000

/** Returns whether WhatsApp may still accept a submission. */
export function isUnanswered(record: TemplateRecord, startedAt: Date): boolean {
  const { removedAt, submittedAt, waTemplateId, status, updatedAt } = record
  const since = submittedAt ?? (waTemplateId === undefined && status === 'pending' ? updatedAt : undefined)
  return !removedAt && since !== undefined && since.getTime() > startedAt.getTime() - unansweredMs
}

/**
 * Returns the update for a template found at WhatsApp. Where a submission is not there after a while, WhatsApp's text counts and
 * no edit was used up.
 */
export function updateOf(
  record: TemplateRecord,
  atWhatsApp: TemplateAtWhatsApp,
  startedAt: Date,
): FieldChange | undefined {
  if (record.removedAt) return undefined
  const { submittedAt, editedAt = [] } = record
  const changes = changesOf(record, atWhatsApp, startedAt)
  if (isUnsent(record)) return changes && keepingDraft(record, changes)
  if (!submittedAt) return changes
  const isTaken = hasSameComponents(record, atWhatsApp)
  if (!isTaken && isUnanswered(record, startedAt)) return undefined
  const counted = isTaken ? editedAt : editedAt.filter((at) => at.getTime() !== submittedAt.getTime())
  const set = { ...changes?.$set, editedAt: counted }
  return {
    $set: set,
    $unset: { ...('statusDetail' in set ? {} : { statusDetail: '' }), ...changes?.$unset, submittedAt: '' },
  }
}

/** Keeps the draft beside a template of the same name that was written at WhatsApp. */
function keepingDraft(record: TemplateRecord, changes: FieldChange): FieldChange {
  const isSame = !('body' in changes.$set)
  if (isSame || record.draft) return changes
  return { ...changes, $set: { ...changes.$set, draft: { content: contentOf(record) } } }
}

/** Returns the change to a template that WhatsApp's whole list does not have. */
export function missing(record: TemplateRecord, startedAt: Date): FieldChange | undefined {
  const { removedAt, waTemplateId, status, createdAt } = record
  if (removedAt || isUnanswered(record, startedAt)) return undefined
  if (waTemplateId === undefined) {
    if (status !== 'pending') return undefined
    const statusDetail = 'It has not reached WhatsApp: edit it and send it again.'
    return { $set: { status: 'draft', statusDetail }, $unset: { submittedAt: '' } }
  }
  if (status === 'disabled' || createdAt >= startedAt) return undefined
  return { $set: { status: 'disabled', statusDetail: 'It no longer exists at WhatsApp.' } }
}
