import type { ConsentCategory } from '@parley/contracts/contacts/consent'
import { maxTags } from '@parley/contracts/contacts/tags'
import { newId } from '@parley/service-kit/data/plain'
import { backOptedOut, type ListedEntry } from '../consent/list-consent.ts'
import { identityNames, isKnownBy, newContactFields, toAttributes } from '../contact-fields.ts'
import type { ContactChange } from '../contact-store.ts'
import { type ContactRecord, withImports } from '../contacts.model.ts'
import type { CheckedRow } from './check-row.ts'
import type { ImportPlan } from './import-plan.ts'
import type { StoredChange, StoredRow } from './imports.model.ts'
import { hasLetters } from './name-cells.ts'

/** Outcome of a row, and what is to be written for it. */
export interface Decision {
  readonly row: StoredRow
  readonly added?: Omit<ContactRecord, 'id' | 'workspaceId' | 'version' | 'createdAt' | 'updatedAt' | SearchKeys>
  readonly change?: ContactChange
  /** Consent entries that it records. */
  readonly entries?: readonly Omit<ListedEntry, 'contactId' | 'who'>[]
  /** Set where its cell asks for a consent that is not recorded. */
  readonly refusesConsent?: true
}

/** Context of a row beside its cells. */
export interface Origin {
  readonly importId: string
  readonly fileName: string
  readonly memberId: string
  /** Time at which its statements count as made. */
  readonly at: Date
  /** Categories that the row's phone number or user id has opted out of, whatever contact it belonged to. */
  readonly suppressed: readonly ConsentCategory[]
}
type SearchKeys = 'nameKey' | 'words' | 'grams'

/** Decides on one row, and says what of it is left out. */
export function decide(row: CheckedRow, found: readonly ContactRecord[], plan: ImportPlan, origin: Origin): Decision {
  const decision = decideOn(row, found, plan, origin)
  const { unread, notes } = row
  const isRefused = unread !== undefined || decision.row.reason === keptOptedOut
  const refused = isRefused ? { refusesConsent: true as const } : {}
  if (!unread && notes.length === 0) return { ...decision, ...refused }
  const reason = [decision.row.reason ?? [], unread?.reason ?? [], notes].flat().join(' ')
  const value = unread && { value: unread.value }
  return { ...decision, ...refused, row: { ...decision.row, ...value, reason: reason.slice(0, 300) } }
}

/**
 * Decides the outcome of a row. An update replaces the name, adds tags, attributes and missing identities, and takes nothing
 * away; a deleted contact is as good as none, and comes back.
 * @param found contacts with the row's phone number or user id, deleted or not: a row of two contacts applies to neither.
 */
function decideOn(row: CheckedRow, found: readonly ContactRecord[], plan: ImportPlan, origin: Origin): Decision {
  const { line, name, phone = '', waUserId } = row
  const [known, second] = found
  const shown = { line, name: name || (known?.name ?? ''), phone, ...(waUserId !== undefined && { waUserId }) }
  const skipped = (reason: string): Decision => ({ row: { ...shown, outcome: 'skipped', reason } })
  if (known && second)
    return skipped(
      `The user id is that of ${known.name}, the phone number that of ${second.name}: merge them first.`.slice(0, 300),
    )
  const isKnown = (key: (typeof identities)[number]) => isKnownBy(key, { ...known }, row[key] ?? '')
  const other = known && identities.find((key) => row[key] && known[key] && !isKnown(key))
  if (other) return skipped(`${known.name} has another ${identityNames[other]}.`)
  const byWhat = identityNames[identities.find((key) => row[key] && (!known || isKnown(key))) ?? 'phone']
  if (known?.live) {
    if (plan.purpose === 'add') return skipped(`${known.name} already has this ${byWhat}.`)
    const changes = changesOf(row, known, plan, origin)
    const kept = keepsOptOut(row, known, origin) ? keptOptedOut : undefined
    if (changes.length === 0) return skipped(kept ?? 'Already up to date.')
    const stored = {
      ...shown,
      outcome: 'updated' as const,
      contactId: known.id,
      version: known.version + 1,
      changes,
      ...(kept && { reason: kept }),
    }
    const entries = entriesOf(changes, row, plan, origin)
    const fields = { ...fieldsAfter(known, changes), importIds: withImports(known.importIds, [origin.importId]) }
    return { row: stored, change: { record: known, fields }, entries }
  }
  if (plan.purpose === 'update') return skipped(`Nobody has this ${byWhat}.`)
  const fields = { name, ...identityOf(row), tags: row.tags, attributes: toAttributes({ ...row.attributes }) }
  if (!known) {
    const { consent, entries, reason } = consentOfNew(row, plan, origin)
    const { importId } = origin
    const added = { ...newContactFields('import'), importId, importIds: [importId], ...fields, ...consent }
    return { row: { ...shown, outcome: 'created', version: 1, ...(reason && { reason }) }, added, entries }
  }
  const kept = keepsOptOut(row, known, origin) ? { reason: keptOptedOut } : {}
  const back = changesOf(row, known, plan, origin)
  const stored = {
    ...shown,
    outcome: 'created' as const,
    contactId: known.id,
    version: known.version + 1,
    changes: back,
    ...kept,
  }
  const entries = entriesOf(back, row, plan, origin)
  const importIds = withImports(known.importIds, [origin.importId])
  return {
    row: stored,
    change: { record: known, fields: { ...fieldsAfter(known, back), importIds }, live: true },
    entries,
  }
}

const identities = ['phone', 'waUserId'] as const

/** Returns the identity by which the contact of a row is reached. */
export const identityOf = ({ phone, waUserId }: Pick<CheckedRow, 'phone' | 'waUserId'>) => ({
  ...(phone && { phone }),
  ...(waUserId !== undefined && { waUserId }),
})

function changesOf(row: CheckedRow, known: ContactRecord, plan: ImportPlan, origin: Origin): StoredChange[] {
  const changes: StoredChange[] = []
  const isName = row.name !== '' && (hasLetters(row.name) || !hasLetters(known.name))
  if (isName && row.name !== known.name) changes.push({ field: 'name', before: known.name, after: row.name })
  for (const key of identities) if (row[key] && known[key] === undefined) changes.push({ field: key, after: row[key] })
  const tags = [...new Set([...known.tags, ...row.tags])].slice(0, maxTags)
  if (tags.length !== known.tags.length) changes.push({ field: 'tags', before: [...known.tags], after: tags })
  for (const [key, after] of Object.entries(row.attributes)) {
    const before = known.attributes.find(({ k }) => k === key)?.v
    if (before !== after) changes.push({ field: 'attribute', key, ...(before !== undefined && { before }), after })
  }
  const consent = consentOf(row, plan, origin)
  const isKept = known.optIn.marketing === 'out' || keepsOptOut(row, known, origin)
  // The customer's own statement outweighs a list.
  if (consent && !isKept && known.optIn.marketing !== consent.marketing)
    changes.push({ field: 'consent', before: { ...known.optIn }, after: consent })
  return changes
}

const keptOptedOut = 'Kept opted out: an import cannot override the customer’s own choice.'
const isBack = 'Opted out of marketing before: gets none.'

/** A list cannot bring back a contact who has opted out. */
const keepsOptOut = (
  { consent }: CheckedRow,
  { optIn }: Pick<ContactRecord, 'optIn'>,
  { suppressed }: Origin,
): boolean => consent === 'in' && (optIn.marketing === 'out' || suppressed.includes('marketing'))

const consentOf = ({ consent }: CheckedRow, { evidence }: ImportPlan, { at }: Origin) =>
  consent && { marketing: consent, source: evidence === '' ? 'import' : `import: ${evidence}`, at, entryId: newId() }

/** Returns the key by which an entry is found again when its import is undone. */
export const entryKeyOf = (importId: string, line: number): string => `import:${importId}:${line}`

function entryOf(
  optIn: { marketing: 'in' | 'out'; at: Date; entryId: string },
  { line }: CheckedRow,
  { evidence }: ImportPlan,
  { importId, fileName, memberId }: Origin,
) {
  const { marketing: value, at, entryId: _id } = optIn
  const note = `import: ${evidence === '' ? fileName : `${evidence}, ${fileName}`}, line ${line}`
  const about = { _id, category: 'marketing' as const, value, at }
  return { ...about, source: 'import' as const, note, memberId, key: entryKeyOf(importId, line) }
}

function entriesOf(changes: readonly StoredChange[], row: CheckedRow, plan: ImportPlan, origin: Origin) {
  const consent = consentOf(row, plan, origin)
  const change = changes.find(({ field }) => field === 'consent')
  return consent && change ? [entryOf({ ...consent, ...Object(change.after) }, row, plan, origin)] : []
}

function consentOfNew(row: CheckedRow, plan: ImportPlan, origin: Origin) {
  const { at, importId, suppressed } = origin
  const before = backOptedOut(suppressed, { at, key: `${importId}:${row.line}` })
  if (before.fields.optIn)
    return { consent: before.fields, entries: before.entries, reason: row.consent === 'in' ? keptOptedOut : isBack }
  const optIn = consentOf(row, plan, origin)
  return {
    consent: { ...before.fields, ...(optIn && { optIn }) },
    entries: [...before.entries, ...(optIn ? [entryOf(optIn, row, plan, origin)] : [])],
  }
}

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
