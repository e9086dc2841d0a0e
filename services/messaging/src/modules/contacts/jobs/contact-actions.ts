import type { ContactChange as Action, TagRename } from '@parley/contracts/contacts/contact-jobs'
import { maxTags } from '@parley/contracts/contacts/tags'
import type { ContactChange } from '../contact-store.ts'
import type { ContactRecord } from '../contacts.model.ts'
import type { ChangedContact } from './changed-contacts.model.ts'

/**
 * Returns the change by which an action affects a contact; `undefined` where there is nothing to change, or no room for the tags.
 */
export function changeBy(action: Action, record: ContactRecord): ContactChange | undefined {
  if (!record.live) return undefined
  if (action.kind === 'delete') return { record, fields: {}, live: false }
  if (action.kind === 'rename_tag') return renamed(record, action.tag, action.to)
  const tags =
    action.kind === 'add_tags'
      ? [...new Set([...record.tags, ...action.tags])]
      : record.tags.filter((tag) => !action.tags.includes(tag))
  if (tags.length === record.tags.length || tags.length > maxTags) return undefined
  return { record, fields: { tags } }
}

/**
 * Takes it back for one contact: exactly what the action changed, and nothing that was changed since then.
 * @returns `undefined` where nothing of it is left to undo.
 */
export function undoOf(
  action: Action,
  { tags: before, version }: ChangedContact,
  record: ContactRecord | undefined,
): ContactChange | undefined {
  if (!record) return undefined
  if (action.kind === 'delete')
    return !record.live && record.editedVersion === version ? { record, fields: {}, live: true } : undefined
  if (!record.live) return undefined
  if (action.kind === 'rename_tag') return renamedBack(record, action, before)
  const tags =
    action.kind === 'add_tags' ? withoutAdded(record, action.tags, before) : withLost(record, action.tags, before)
  return tags.length === record.tags.length || tags.length > maxTags ? undefined : { record, fields: { tags } }
}

/** Replaces a tag in its place; a contact that carries the other name too has it once. */
const renamed = (record: ContactRecord, tag: string, to: string): ContactChange | undefined =>
  record.tags.includes(tag)
    ? { record, fields: { tags: [...new Set(record.tags.map((name) => (name === tag ? to : name)))] } }
    : undefined

/**
 * Gives a contact that carried both names the lost one back; the other stays, and a contact that has lost it since stays without.
 */
function renamedBack(
  record: ContactRecord,
  { tag, to }: TagRename,
  before: readonly string[],
): ContactChange | undefined {
  if (!record.tags.includes(to) || record.tags.includes(tag)) return undefined
  if (!before.includes(to)) return renamed(record, to, tag)
  return record.tags.length < maxTags ? { record, fields: { tags: [...record.tags, tag] } } : undefined
}

const withoutAdded = ({ tags }: ContactRecord, added: readonly string[], before: readonly string[]): string[] =>
  tags.filter((tag) => !added.includes(tag) || before.includes(tag))

/** Puts removed tags back: in their old places where the others are unchanged since. */
function withLost({ tags }: ContactRecord, removed: readonly string[], before: readonly string[]): readonly string[] {
  const left = before.filter((tag) => !removed.includes(tag))
  if (left.length === tags.length && left.every((tag, index) => tag === tags[index])) return before
  return [...new Set([...tags, ...before.filter((tag) => removed.includes(tag))])]
}
