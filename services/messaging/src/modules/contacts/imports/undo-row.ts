import { identityNames } from '../contact-fields.ts'
import type { ContactChange } from '../contact-store.ts'
import type { ContactRecord } from '../contacts.model.ts'
import { fieldsAfter } from './decide.ts'
import type { StoredChange, StoredRow } from './imports.model.ts'

/**
 * Takes one row of an import back: a contact that it added is deleted, fields that it changed get their old values. What was
 * changed since then stays as it is, with the reason.
 * @param current the row's contact as it is now.
 */
export function undoRow(
  row: StoredRow,
  current: ContactRecord | undefined,
): { row: StoredRow; change?: ContactChange } {
  const kept = (reason: string) => ({ row: { ...row, undone: 'kept' as const, reason } })
  if (row.outcome !== 'created' && row.outcome !== 'updated') return { row }
  if (!current?.live) return kept('This contact was deleted since.')
  const isEdited = current.editedVersion !== row.version
  const changes = row.changes ?? []
  if (row.outcome === 'created') {
    if (isEdited) return kept('This contact was changed since.')
    if (current.lastContactAt) return kept('This contact has been in touch since.')
    const fields = fieldsAfter(current, changes.map(reverse))
    return { row: { ...row, undone: 'removed' }, change: { record: current, fields, live: false } }
  }
  const [back, changed] = partition(changes, (change) => !isEdited || isAsImported(change, current))
  const fields = fieldsAfter(
    current,
    back.map((change) => withTagsOf(current, reverse(change), change)),
  )
  const change = back.length > 0 ? { change: { record: current, fields } } : {}
  if (changed.length > 0)
    return { ...kept(`Changed since: ${changed.map(nameOf).join(', ')}.`.slice(0, 300)), ...change }
  return { row: { ...row, undone: 'restored' }, ...change }
}

const reverse = ({ before, after, ...change }: StoredChange): StoredChange => ({
  ...change,
  ...(after !== undefined && { before: after }),
  ...(before !== undefined && { after: before }),
})

/** Takes away the import's own tags; those that others have added since stay. */
function withTagsOf(
  { tags }: ContactRecord,
  reversed: StoredChange,
  { field, before, after }: StoredChange,
): StoredChange {
  if (field !== 'tags' || !Array.isArray(before) || !Array.isArray(after)) return reversed
  const added = after.filter((tag) => !before.includes(tag))
  return { ...reversed, after: tags.filter((tag) => !added.includes(tag)) }
}

function isAsImported({ field, key, after }: StoredChange, current: ContactRecord): boolean {
  if (field === 'name' || field === 'phone' || field === 'waUserId') return current[field] === after
  if (field === 'attribute') return current.attributes.find(({ k }) => k === key)?.v === after
  return field === 'tags' || JSON.stringify(current.optIn) === JSON.stringify(after)
}

export function nameOf({ field, key }: Pick<StoredChange, 'field' | 'key'>): string {
  if (field === 'attribute') return key ?? ''
  return field === 'phone' || field === 'waUserId' ? identityNames[field] : field
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
