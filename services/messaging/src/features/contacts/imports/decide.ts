import { newContactFields, toAttributes } from '../contact-fields.ts'
import type { ContactChange } from '../contact-store.ts'
import type { ContactRecord } from '../contacts.model.ts'
import type { CheckedRow, ImportPlan } from './check-row.ts'
import type { StoredChange, StoredRow } from './imports.model.ts'

/** What becomes of a row, and what is to be written for it. */
export interface Decision {
  readonly row: StoredRow
  readonly added?: Omit<ContactRecord, 'id' | 'workspaceId' | 'version' | 'createdAt' | 'updatedAt' | SearchKeys>
  readonly change?: ContactChange
}
type SearchKeys = 'nameKey' | 'words' | 'grams'

const mostTags = 50

/**
 * Decides on one row. An update replaces the name, adds tags and attributes, and takes nothing away; a deleted contact is as
 * good as none, and comes back.
 * @param known who has the row's phone number, deleted or not.
 * @param now when consent was given, as far as the import knows.
 */
export function decide(row: CheckedRow, known: ContactRecord | undefined, plan: ImportPlan, now: Date): Decision {
  const { line, name, phone } = row
  const shown = { line, name: name || (known?.name ?? ''), phone }
  const skipped = (reason: string): Decision => ({ row: { ...shown, outcome: 'skipped', reason } })
  if (known?.live) {
    if (plan.purpose === 'add') return skipped(`${known.name} already has this phone number.`)
    const changes = changesOf(row, known, plan, now)
    const kept = keepsOptOut(row, known) ? keptOptedOut : undefined
    if (changes.length === 0) return skipped(kept ?? 'Already up to date.')
    const stored = {
      ...shown,
      outcome: 'updated' as const,
      contactId: known.id,
      version: known.version + 1,
      changes,
      ...(kept && { reason: kept }),
    }
    return { row: stored, change: { record: known, fields: fieldsAfter(known, changes) } }
  }
  if (plan.purpose === 'update') return skipped('Nobody has this phone number.')
  const optIn = consentOf(row, plan, now)
  const fields = { name, phone, tags: row.tags, attributes: toAttributes({ ...row.attributes }) }
  if (!known) {
    const added = { ...newContactFields('import'), ...fields, ...(optIn && { optIn }) }
    return { row: { ...shown, outcome: 'created', version: 1 }, added }
  }
  const kept = keepsOptOut(row, known) ? { reason: keptOptedOut } : {}
  const back = changesOf({ ...row, tags: row.tags }, known, plan, now)
  const stored = {
    ...shown,
    outcome: 'created' as const,
    contactId: known.id,
    version: known.version + 1,
    changes: back,
    ...kept,
  }
  return { row: stored, change: { record: known, fields: fieldsAfter(known, back), live: true } }
}

function changesOf(row: CheckedRow, known: ContactRecord, plan: ImportPlan, now: Date): StoredChange[] {
  const changes: StoredChange[] = []
  if (row.name !== '' && row.name !== known.name) changes.push({ field: 'name', before: known.name, after: row.name })
  const tags = [...new Set([...known.tags, ...row.tags])].slice(0, mostTags)
  if (tags.length !== known.tags.length) changes.push({ field: 'tags', before: [...known.tags], after: tags })
  for (const [key, after] of Object.entries(row.attributes)) {
    const before = known.attributes.find(({ k }) => k === key)?.v
    if (before !== after) changes.push({ field: 'attribute', key, ...(before !== undefined && { before }), after })
  }
  const consent = consentOf(row, plan, now)
  // What the customer has said themselves outweighs a list.
  if (consent && known.optIn.marketing !== 'out' && known.optIn.marketing !== consent.marketing)
    changes.push({ field: 'consent', before: { ...known.optIn }, after: consent })
  return changes
}

const keptOptedOut = 'Kept opted out: no list lifts what the customer has said.'

/** A list cannot bring back whoever has opted out. */
const keepsOptOut = ({ consent }: CheckedRow, { optIn }: ContactRecord): boolean =>
  consent === 'in' && optIn.marketing === 'out'

const consentOf = ({ consent }: CheckedRow, { evidence }: ImportPlan, at: Date) =>
  consent && { marketing: consent, source: evidence === '' ? 'import' : `import: ${evidence}`, at }

/** The fields of a contact once these changes are made. */
export function fieldsAfter(
  { attributes }: Pick<ContactRecord, 'attributes'>,
  changes: readonly StoredChange[],
): ContactChange['fields'] {
  const values = new Map(attributes.map(({ k, v }) => [k, v]))
  const fields: Record<string, unknown> = {}
  for (const { field, key, after } of changes) {
    if (field === 'attribute') {
      if (after === undefined) values.delete(key ?? '')
      else values.set(key ?? '', String(after))
    } else fields[field === 'consent' ? 'optIn' : field] = after
  }
  const isChanged = changes.some(({ field }) => field === 'attribute')
  return { ...fields, ...(isChanged && { attributes: [...values].map(([k, v]) => ({ k, v })) }) }
}
