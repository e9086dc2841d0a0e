import type { NewEvent } from '@parley/contracts/platform/events'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { attributesOf, toContact } from './contact-fields.ts'
import type { ContactRecord } from './contacts.model.ts'

/** Contacts named one by one at most; for more, pages read their lists again. */
const maxNamed = 25

type ContactBecame = Extract<NewEvent, { type: 'contact.changed' }>['data']['became']
/** Author and effects of a change of contacts. */
interface ChangeOfMany {
  readonly scope: WorkspaceScope
  readonly by: NewEvent['by']
  /** Returns what the change did to a contact that flows may wait for. */
  readonly became?: (record: ContactRecord) => ContactBecame
}

type Flowing = Pick<ContactRecord, 'tags' | 'attributes' | 'optIn'>

/** Records that contacts have changed, been added, deleted or restored. @param records as they are after the change. */
export function emitContacts(change: ChangeOfMany, records: readonly ContactRecord[], tx: Pick<Tx, 'emit'>): void {
  const { scope, by, became = () => undefined } = change
  const common = { workspaceId: scope.workspaceId, by }
  if (records.length > maxNamed) {
    tx.emit({ ...common, type: 'contacts.changed', data: { count: records.length } })
    emitForFlows(change, records, tx)
    return
  }
  for (const record of records) {
    const { id, version, live } = record
    const about = { ...common, recordId: id, contactId: id, version }
    const did = became(record)
    const data = { contact: toContact(record), ...(did && { became: did }) }
    if (live) tx.emit({ ...about, type: 'contact.changed', data })
    else tx.emit({ ...about, type: 'contact.removed', data: { contactId: id, version } })
  }
}

/** Records for flows alone what a change of many did to each contact. @param records as they are after the change. */
export function emitForFlows(
  { scope: { workspaceId }, by, became }: ChangeOfMany,
  records: readonly ContactRecord[],
  tx: Pick<Tx, 'emit'>,
): void {
  for (const record of records) {
    const did = record.live ? became?.(record) : undefined
    const { id, version } = record
    if (did)
      tx.emit({ workspaceId, by, type: 'contact.bulk_changed', recordId: id, contactId: id, version, data: { did } })
  }
}

/** Returns what a change did to a contact; `undefined` where flows wait for none of it. */
export function changeFrom(before: Flowing, after: Flowing): ContactBecame {
  const [had, has] = [attributesOf(before), attributesOf(after)]
  const names = [...new Set([...Object.keys(had), ...Object.keys(has)])].filter((name) => had[name] !== has[name])
  const tagsAdded = after.tags.filter((tag) => !before.tags.includes(tag))
  const tagsRemoved = before.tags.filter((tag) => !after.tags.includes(tag))
  const consent = after.optIn.marketing
  const became = {
    ...(tagsAdded.length > 0 && { tagsAdded }),
    ...(tagsRemoved.length > 0 && { tagsRemoved }),
    ...(names.length > 0 && {
      fields: names.map((name) => ({ name, before: had[name] ?? null, after: has[name] ?? null })),
    }),
    ...(consent !== before.optIn.marketing && { consent }),
  }
  return Object.keys(became).length > 0 ? became : undefined
}

/** The same for a contact that is new. */
export const changeFromNothing = (after: Flowing): ContactBecame => ({
  created: true,
  ...changeFrom({ tags: [], attributes: [], optIn: { marketing: 'unknown', source: '' } }, after),
})
