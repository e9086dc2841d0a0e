import type { NewEvent } from '@parley/contracts/platform/events'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type ActorContext, type Caused, causeOf } from '@parley/service-kit/http/context'
import { actorOf } from '../../platform/actor-of.ts'
import { changeFrom, changeFromNothing, emitContacts, emitForFlows } from './contact-events.ts'
import { isKnownBy, lineOf, searchKeys } from './contact-fields.ts'
import type { ContactRecord } from './contacts.model.ts'
import type { ContactsRepository, NewContactRecord } from './contacts.repository.ts'

/** Caller, or Parley itself where no one has asked for a change. */
export type Author = WorkspaceScope & Caused & Pick<ActorContext, 'intent'>

/** Caller on whose behalf something is changed. */
export type Caller = WorkspaceScope & Pick<ActorContext, 'actor' | 'intent'>

/** Actor of an erasure: a person, or no one once the time to restore a contact is over. */
export interface Eraser extends WorkspaceScope {
  readonly userId?: string | undefined
}

/** A person's change of one contact, by hand or by an import; `live` deletes or restores it. */
export interface ContactChange {
  readonly record: ContactRecord
  readonly fields: Partial<
    Pick<
      ContactRecord,
      'name' | 'phone' | 'waUserId' | 'tags' | 'attributes' | 'optIn' | 'utilityConsent' | 'blocked' | 'importIds'
    >
  >
  readonly live?: boolean | undefined
}

export type ContactStore = ReturnType<typeof createContactStore>

/** Writes people's changes of contacts, with the events by which pages that show a contact learn of them. */
export function createContactStore({
  contacts,
  updateConversations,
}: {
  contacts: ContactsRepository
  /** Conversations show name, phone number and tags of their contact, and are found by them. */
  updateConversations: (
    scope: WorkspaceScope,
    changed: readonly ContactRecord[],
    tx: Tx,
    by: NewEvent['by'],
  ) => Promise<void>
}) {
  async function insert(
    ctx: Author,
    fields: readonly (NewContactRecord & { _id?: string })[],
    tx: Tx,
  ): Promise<ContactRecord[]> {
    if (fields.length === 0) return []
    const records = await contacts.insertMany(ctx, fields, tx)
    emitContacts({ scope: ctx, by: causeOf(ctx), became: changeFromNothing }, records, tx)
    return records
  }

  /** @returns the records after the change, in the order of the changes. */
  async function save(
    ctx: WorkspaceScope & Caused,
    changes: readonly ContactChange[],
    tx: Tx,
  ): Promise<ContactRecord[]> {
    if (changes.length === 0) return []
    await contacts.change(
      ctx,
      changes.map(({ record, fields, live }) => ({ record, update: updateOf(record, fields, live) })),
      tx,
    )
    const ids = changes.map(({ record: { id } }) => id)
    const saved = await contacts.readMany(ctx, ids, tx)
    const by = causeOf(ctx)
    const before = new Map(changes.map(({ record }) => [record.id, record]))
    emitContacts({ scope: ctx, by, became: (record) => changeFrom(before.get(record.id) ?? record, record) }, saved, tx)
    await updateConversations(ctx, saved, tx, by)
    const byId = new Map(saved.map((record) => [record.id, record]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  /**
   * Adds contacts of an import, which announces all of them together.
   * @throws a duplicate key where one of the numbers was added meanwhile.
   */
  const insertQuietly = (ctx: Caller, fields: readonly (NewContactRecord & { _id: string })[], tx: Tx) =>
    contacts.insertPlain(ctx, fields, tx)

  /** Changes contacts by an import, which records one event for all of them; their conversations are updated at once. */
  async function saveQuietly(ctx: WorkspaceScope & Caused, changes: readonly ContactChange[], tx: Tx): Promise<void> {
    if (changes.length === 0) return
    const updates = changes.map(({ record, fields, live }) => ({ record, update: updateOf(record, fields, live) }))
    await contacts.change(ctx, updates, tx)
    const saved = changes.map(({ record, fields, live = record.live }) => ({ ...record, ...fields, live }))
    await updateConversations(ctx, saved, tx, causeOf(ctx))
  }

  /** Has workflows start on what was written quietly, with one event for each contact. @param added ids of those that are new. */
  async function startWorkflows(
    ctx: WorkspaceScope & Caused,
    { added = [], changes }: { added?: readonly string[]; changes: readonly ContactChange[] },
    tx: Tx,
  ): Promise<void> {
    const before = new Map(changes.map(({ record }) => [record.id, record]))
    const ids = [...added, ...before.keys()]
    if (ids.length === 0) return
    const became = (record: ContactRecord) => {
      const earlier = before.get(record.id)
      return earlier ? changeFrom(earlier, record) : changeFromNothing(record)
    }
    emitForFlows({ scope: ctx, by: causeOf(ctx), became }, await contacts.readMany(ctx, ids, tx), tx)
  }

  /** Takes a contact out of every list while it is erased, without a time of deletion, so that it cannot be restored. */
  const withdraw = (scope: Eraser, record: ContactRecord, tx: Tx): Promise<void> =>
    setLive(scope, { ...record, live: false, deletedAt: undefined }, tx)

  /** Puts a contact back that was not erased; one that was deleted is deleted again as of that time. */
  const putBack = (scope: Eraser, record: ContactRecord, deletedAt: Date | undefined, tx: Tx): Promise<void> =>
    // One that was merged into another is in no list.
    setLive(scope, { ...record, live: !deletedAt && !record.merged, deletedAt }, tx)

  async function setLive(scope: Eraser, record: ContactRecord, tx: Tx): Promise<void> {
    const { live, deletedAt } = record
    const version = record.version + 1
    const $set = { live, editedVersion: version, ...(deletedAt && { deletedAt }) }
    await contacts.change(scope, [{ record, update: { $set, ...(!deletedAt && { $unset: { deletedAt: 1 } }) } }], tx)
    emitContacts({ scope, by: actorOf(scope.userId) }, [{ ...record, version }], tx)
  }

  return { insert, save, insertQuietly, saveQuietly, startWorkflows, withdraw, putBack }
}

function updateOf(record: ContactRecord, fields: ContactChange['fields'], live: boolean | undefined) {
  const $set: Record<string, unknown> = { ...searchKeys({ ...record, ...fields }), editedVersion: record.version + 1 }
  const $unset: Record<string, 1> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) $unset[name] = 1
    else $set[name] = value
  }
  const { phone } = fields
  // One of two contacts with one phone, kept apart by a person, has no line.
  if ('phone' in fields && !(phone !== undefined && isKnownBy('phone', record, phone))) {
    const line = lineOf(phone)
    if (line === undefined) $unset['line'] = 1
    else $set['line'] = line
  }
  if (live !== undefined) $set['live'] = live
  if (live === false) $set['deletedAt'] = new Date()
  if (live === true) $unset['deletedAt'] = 1
  return { $set, ...(Object.keys($unset).length > 0 && { $unset }) }
}
