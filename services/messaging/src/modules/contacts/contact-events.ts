import type { NewEvent } from '@parley/contracts/platform/events'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { toContact } from './contact-fields.ts'
import type { ContactRecord } from './contacts.model.ts'

/** Contacts named one by one at most; for more, pages read their lists again. */
const maxNamed = 25

/** Records that contacts have changed, been added, deleted or restored. @param records as they are after the change. */
export function emitContacts(
  { scope, by }: { scope: WorkspaceScope; by: NewEvent['by'] },
  records: readonly ContactRecord[],
  tx: Pick<Tx, 'emit'>,
): void {
  const common = { workspaceId: scope.workspaceId, by }
  if (records.length > maxNamed) {
    tx.emit({ ...common, type: 'contacts.changed', data: { count: records.length } })
    return
  }
  for (const record of records) {
    const { id, version, live } = record
    const about = { ...common, recordId: id, contactId: id, version }
    if (live) tx.emit({ ...about, type: 'contact.changed', data: { contact: toContact(record) } })
    else tx.emit({ ...about, type: 'contact.removed', data: { contactId: id, version } })
  }
}
