import {
  type Audience,
  type CampaignDraft,
  completeDraftSchema,
  type DraftFields,
  type Exclusion,
  type VariableSource,
} from '@parley/contracts/campaigns/campaign-fields'
import { recentDaysSchema } from '@parley/contracts/campaigns/recent-messages'
import { maxFileAddress, maxFileName, type RecipientFile } from '@parley/contracts/campaigns/recipient-files'
import { momentOf } from '@parley/contracts/core/zoned-time'
import type { AudienceQuestion } from '../api.ts'
import { type Draft, type DraftContext, emptyDraft, most, recipientFileOf } from './draft.ts'

/** Returns the draft's audience; `undefined` until one is chosen. */
export function audienceOf(draft: Draft): Audience | undefined {
  const chosen = chosenOf(draft)
  const exclude = exclusionOf(draft)
  return chosen && { ...chosen, ...(exclude && { exclude }) }
}

function chosenOf({ kind, segmentId, tags, match, contacts, importId, earlierId, missed, classes }: Draft) {
  const reasons = missed === 'failed' && classes.length > 0 && { classes }
  if (kind === 'campaign') return earlierId === '' ? undefined : { kind, campaignId: earlierId, missed, ...reasons }
  if (kind === 'segment') return segmentId === '' ? undefined : { kind, segmentId }
  if (kind === 'import') return importId === '' ? undefined : { kind, importId }
  if (kind === 'tags') {
    const isAll = match === 'all' && tags.length > 1
    return tags.length === 0 ? undefined : { kind, tags: tags.slice(0, most.tags), ...(isAll && { match }) }
  }
  const contactIds = contacts.slice(0, most.contacts).map(({ value }) => value)
  return contactIds.length === 0 ? undefined : { kind, contactIds }
}

/** Returns the tags or segments left out; `undefined` where there are none. */
function exclusionOf({ leavesOut, withoutTags, withoutSegments }: Draft): Exclusion | undefined {
  if (!leavesOut || withoutTags.length + withoutSegments.length === 0) return undefined
  return { tags: withoutTags.slice(0, most.tags), segmentIds: withoutSegments.slice(0, most.segments) }
}

/**
 * Returns the days within which recipients may not have had marketing; `undefined` where the rule is off or the number invalid.
 */
const recentDaysOf = ({ skipsRecent, recentDays }: Draft): number | undefined =>
  skipsRecent ? recentDaysSchema.safeParse(recentDays).data : undefined

/** Returns the query that counts a draft's contacts; `undefined` until an audience is chosen. */
export function questionOf(draft: Draft, timeZone: string, templateId = ''): AudienceQuestion | undefined {
  const audience = audienceOf(draft)
  if (!audience) return undefined
  const recentDays = recentDaysOf(draft)
  const at = recentDays !== undefined && draft.when === 'later' ? momentOf(draft, timeZone) : undefined
  return {
    audience,
    ...(templateId && { templateId }),
    ...(recentDays !== undefined && { recentDays }),
    ...(at && { scheduledFor: at.toISOString() }),
  }
}

export function sourceOf(variable: Draft['variables'][string] | undefined): VariableSource {
  const { source = 'text', text = '', fallback = '' } = variable ?? {}
  return source === 'text'
    ? { kind: 'text', text: text.trim().slice(0, most.text) }
    : { kind: 'field', field: source, fallback: fallback.trim().slice(0, most.text) }
}

/** Returns its schedule; `undefined` for now, and until both date and time are chosen. */
const scheduleOf = ({ when, date, time }: Draft): DraftFields['schedule'] =>
  when === 'later' ? completeDraftSchema.shape.schedule.safeParse({ date, time }).data : undefined

/** Returns the fields that the server keeps of a draft, without hidden choices. */
export function fieldsOf(
  draft: Draft,
  { placeholdersOf, fileKindOf }: Pick<DraftContext, 'placeholdersOf' | 'fileKindOf'>,
): DraftFields {
  const audience = audienceOf(draft)
  const schedule = scheduleOf(draft)
  const recentDays = recentDaysOf(draft)
  const keys = placeholdersOf(draft.templateId) ?? Object.keys(draft.variables)
  const recipientFile = recipientFileOf(draft, fileKindOf(draft.templateId))
  return {
    name: draft.name.trim().slice(0, most.name).trim(),
    ...(audience && { audience }),
    ...(draft.numberId && { numberId: draft.numberId }),
    ...(draft.templateId && { templateId: draft.templateId }),
    variables: Object.fromEntries(
      keys.flatMap((key) => (draft.variables[key] ? [[key, sourceOf(draft.variables[key])]] : [])),
    ),
    ...(schedule && { schedule }),
    ...(draft.anyHour && { anyHour: true as const }),
    ...(draft.retryHeldBack && { retryHeldBack: true as const }),
    ...(recentDays !== undefined && { recentDays }),
    ...(recipientFile && { recipientFile: shortened(recipientFile) }),
  }
}

/** Cuts what is too long for the server. */
const shortened = (file: RecipientFile): RecipientFile => ({
  ...file,
  ...(file.from === 'address' && { address: file.address.slice(0, maxFileAddress) }),
  ...(file.fileName && { fileName: file.fileName.slice(0, maxFileName) }),
})

/** Data that the server adds to a draft's own fields. */
type Names = Partial<Pick<CampaignDraft, 'contacts' | 'earlierName'>>

/** Returns the form values of a stored draft. @param before the previous values: choices that the stored ones hide stay. */
export function valuesOf(fields: DraftFields, names: Names = {}, before: Draft = emptyDraft): Draft {
  const { name, numberId = '', templateId = '', variables, schedule, recentDays } = fields
  const { anyHour = false, retryHeldBack = false } = fields
  return {
    ...before,
    name,
    ...audienceValues(fields.audience, names, before),
    numberId,
    templateId,
    variables: { ...before.variables, ...variableValues(variables) },
    recipientFile: recipientFileValues(fields.recipientFile, before.recipientFile),
    ...(schedule ? { when: 'later', ...schedule } : { when: 'now' }),
    anyHour,
    retryHeldBack,
    skipsRecent: recentDays !== undefined,
    recentDays: recentDays ?? before.recentDays,
  }
}

function recipientFileValues(
  file: DraftFields['recipientFile'],
  before: Draft['recipientFile'],
): Draft['recipientFile'] {
  if (!file) return { ...before, isOwn: false }
  const { fileName = '', ...stored } = file
  return { ...before, ...stored, fileName, fields: { ...before.fields, ...stored.fields }, isOwn: true }
}

function audienceValues(audience: Audience | undefined, names: Names, before: Draft): Partial<Draft> {
  if (!audience) return { segmentId: '', tags: [], contacts: [], importId: '' }
  const { exclude } = audience
  const leftOut = exclude && { withoutTags: exclude.tags, withoutSegments: exclude.segmentIds }
  return { ...chosenValues(audience, names, before), leavesOut: exclude !== undefined, ...leftOut }
}

function chosenValues(audience: Audience, names: Names, before: Draft): Partial<Draft> {
  const { kind } = audience
  if (kind === 'segment') return { kind, segmentId: audience.segmentId }
  if (kind === 'import') return { kind, importId: audience.importId }
  if (kind === 'tags') return { kind, tags: audience.tags, match: audience.match ?? 'any' }
  if (kind === 'campaign') {
    const earlierName = names.earlierName ?? before.earlierName
    const { campaignId: earlierId, missed, classes = [] } = audience
    return { kind, earlierId, missed, classes, earlierName }
  }
  const known = new Map([
    ...before.contacts.map(({ value, label }) => [value, label] as const),
    ...(names.contacts ?? []).map(({ id, name }) => [id, name] as const),
  ])
  return { kind, contacts: audience.contactIds.map((value) => ({ value, label: known.get(value) ?? 'A contact' })) }
}

const variableValues = (variables: DraftFields['variables']): Draft['variables'] =>
  Object.fromEntries(
    Object.entries(variables).map(([key, source]) => [
      key,
      source.kind === 'text'
        ? { source: 'text', text: source.text, fallback: '' }
        : { source: source.field, text: '', fallback: source.fallback },
    ]),
  )
