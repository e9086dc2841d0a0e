import type { Contact } from '@parley/contracts/contacts/contacts'
import type { MergedThread } from '@parley/contracts/platform/event-data'
import { errors } from '@parley/service-kit/core/errors'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords } from '@parley/service-kit/data/job-records'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { actorOf } from '../../../platform/actor-of.ts'
import { emitContacts } from '../../contacts/contact-events.ts'
import { toContact } from '../../contacts/contact-fields.ts'
import type { ContactRecord, ContactsRepository } from '../../contacts/contacts.service.ts'
import type { ConversationsService } from '../../inbox/conversations/conversations.service.ts'
import type { Merger } from './merged-fields.ts'
import { type MoveInput, moveKind } from './move-messages.ts'

export interface MergeRecordDependencies {
  readonly contacts: Pick<ContactsRepository, 'readLive' | 'readMany' | 'change'>
  readonly conversations: Pick<ConversationsService, 'contactsChanged'>
  readonly jobs: Pick<JobRecords, 'create'>
}

/** Reads and writes the records of a merge: both contacts, their events, and the job that moves messages. */
export function createMergeRecords({ contacts, conversations, jobs }: MergeRecordDependencies) {
  async function find(scope: WorkspaceScope, id: string): Promise<ContactRecord> {
    const record = isId(id) ? await contacts.readLive(scope, id) : null
    if (!record) throw errors.notFound('There is no such contact.')
    return record
  }

  async function requireVersion(ctx: Merger, id: string, version: number, tx: Tx): Promise<ContactRecord> {
    const record = await contacts.readLive(ctx, id, tx)
    if (!record) throw errors.notFound('There is no such contact.')
    if (version < record.editedVersion || version > record.version) throw errors.staleVersion(toContact(record))
    return record
  }

  async function write(ctx: Merger, record: ContactRecord, fields: Partial<ContactRecord>, tx: Tx): Promise<void> {
    if (Object.keys(fields).length === 0) return
    const $set = { ...omitUndefined(fields), editedVersion: record.version + 1 }
    const absent = Object.entries(fields).filter(([, value]) => value === undefined)
    const update = { $set, $unset: Object.fromEntries(absent.map(([name]) => [name, 1])) }
    if ((await contacts.change(ctx, [{ record, update }], tx)) === 0)
      throw errors.serviceUnavailable(new Error('a contact has changed meanwhile'))
  }

  /** Emits the changes to the contacts and their conversations. @returns the contact that was kept. */
  async function emitChange(
    ctx: Merger,
    { keptId, otherId, ...how }: { keptId: string; otherId: string; threads: MergedThread[]; back?: true },
    tx: Tx,
  ): Promise<Contact> {
    const records = await contacts.readMany(ctx, [keptId, otherId], tx)
    const by = actorOf(ctx.userId)
    emitContacts({ scope: ctx, by }, records, tx)
    const live = records.filter((record) => record.live)
    await conversations.contactsChanged(ctx, live, tx, by)
    tx.emit({
      workspaceId: ctx.workspaceId,
      by,
      type: 'contact.merged',
      contactId: keptId,
      data: { contactId: keptId, otherId, ...how },
    })
    const kept = records.find(({ id }) => id === keptId)
    if (!kept) throw errors.internal()
    return toContact(kept)
  }

  const move = (ctx: Merger, input: MoveInput, tx: Tx): Promise<JobRecord> =>
    jobs.create(ctx, { kind: moveKind, total: 0, input, startedBy: ctx.userId ?? null }, { session: tx.session })

  return { find, requireVersion, write, emitChange, move }
}
