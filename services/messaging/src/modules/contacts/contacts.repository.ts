import { placeholderName } from '@parley/rules/contact-name'
import type { Filter, SessionOption, Update } from '@parley/service-kit/data/collection-types'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { newId } from '@parley/service-kit/data/plain'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { formerAfter, lineOf, newContactFields, searchKeys } from './contact-fields.ts'
import { createContactPages } from './contact-pages.ts'
import { createContactWalks } from './contact-walks.ts'
import { type ContactRecord, contactSchema, type FormerIdentity } from './contacts.model.ts'
import { createFindContacts } from './find-contacts.ts'

/** Sender of a message, as a webhook reports it. */
export interface SeenPerson {
  readonly phone: string | undefined
  readonly waUserId: string | undefined
  readonly name: string | undefined
  readonly username: string | undefined
}
export type NewContactRecord = Omit<ContactRecord, 'id' | 'workspaceId' | 'version' | 'createdAt' | 'updatedAt'>
export type ContactsRepository = ReturnType<typeof createContactsRepository>

/** Number that WhatsApp reported for the recipient of a message. */
export interface ReportedWaPhone {
  readonly contactId: string
  readonly waPhone: NonNullable<ContactRecord['waPhone']>
}

/** Limit of one request’s count of contacts who were in touch lately. */
const maxCountedActive = 20_000
/** Maximum contacts that are merged into one. */
const maxMerged = 100

export function createContactsRepository(connection: ServiceConnection, cursors: PageCursors) {
  const contacts = workspaceCollection<ContactRecord>({ connection, name: 'contacts', schema: contactSchema })
  const { countedParts, leastOf, ...walks } = createContactWalks(contacts)
  const finds = createFindContacts(contacts)

  /** Creates contacts that do not exist yet. Safe to race: the loser finds the winner's record at the next read. */
  async function createMissing(scope: WorkspaceScope, people: readonly SeenPerson[]): Promise<void> {
    const records = people.map(({ phone, waUserId, name, username }) => {
      const fields = {
        name: name || phone || username || placeholderName,
        ...(phone !== undefined && { phone, ...withLine(phone) }),
        ...(waUserId !== undefined && { waUserId }),
        ...(username !== undefined && { username }),
        tags: [],
      }
      return { ...newContactFields('inbound'), ...fields, ...searchKeys(fields), attributes: [] }
    })
    await contacts(scope).insertPlain(records)
  }

  /** Returns contacts that were merged into one, the latest first. */
  const mergedInto = (
    scope: WorkspaceScope,
    id: string,
    { session = null }: { readonly session?: Tx['session'] | null } = {},
  ): PromiseLike<ContactRecord[]> =>
    contacts(scope).find({ 'merged.id': id }).sort({ 'merged.at': -1 }).limit(maxMerged).hint('merged').session(session)

  /** Finds all contacts that were merged into one, directly or through another: one query for each level. */
  async function allMerged(
    scope: WorkspaceScope,
    id: string,
    { session = null }: { readonly session?: Tx['session'] | null } = {},
  ): Promise<ContactRecord[]> {
    const all: ContactRecord[] = []
    for (let ids = [id]; ids.length > 0; ) {
      const found = await contacts(scope)
        .find({ 'merged.id': { $in: ids } })
        .hint('merged')
        .session(session)
      all.push(...found)
      ids = found.map((other) => other.id)
    }
    return all
  }

  return {
    ...finds,
    mergedInto,
    allMerged,
    mergedIds: async (...of: Parameters<typeof allMerged>): Promise<string[]> =>
      (await allMerged(...of)).map(({ id }) => id),
    createMissing,
    list: createContactPages({ contacts, cursors, countedParts, leastOf }),
    ...walks,
    read: (scope: WorkspaceScope, id: string, options?: SessionOption) => contacts(scope).findOne({ _id: id }, options),
    readLive: (scope: WorkspaceScope, id: string, options?: SessionOption) =>
      contacts(scope).findOne({ _id: id, live: true }, options),
    /** Counts contacts who have been in touch since a moment: those of the sample data, or all others. */
    countActiveSince: async (scope: WorkspaceScope, since: Date, of: 'own' | 'sample'): Promise<number> => {
      const active = { live: true, lastContactAt: { $gte: since } }
      const ofSample = await contacts(scope).countDocuments({ ...active, sample: true }, { hint: 'sample' })
      return of === 'sample' ? ofSample : (await contacts(scope).countDocuments(active, { hint: 'last' })) - ofSample
    },
    /** Counts contacts who were in touch since a moment; `undefined` where there are too many for every request. */
    countActiveUpTo: async (scope: WorkspaceScope, since: Date): Promise<number | undefined> => {
      const active = { live: true, lastContactAt: { $gte: since } } as const
      const found = await contacts(scope).countDocuments(active, { hint: 'last', limit: maxCountedActive + 1 })
      return found > maxCountedActive ? undefined : found
    },
    readMany: (scope: WorkspaceScope, ids: readonly string[], options: SessionOption = {}) =>
      contacts(scope)
        .find({ _id: { $in: ids } })
        .session(options.session ?? null),
    /** Returns whether a contact has a value of this field. */
    anyWithField: async (scope: WorkspaceScope, name: string): Promise<boolean> =>
      (await contacts(scope).find({ live: true, 'attributes.k': name }).limit(1).select('_id').hint('newest')).length >
      0,
    /** Finds contacts by this folded name. */
    named: (scope: WorkspaceScope, nameKey: string, limit: number) =>
      contacts(scope).find({ live: true, nameKey }).limit(limit).hint('name'),
    /** Contacts in the order of their names, behind all with the name of one of them. */
    byNameAfter: (scope: WorkspaceScope, nameKey: string, limit: number) =>
      contacts(scope)
        .find({ live: true, nameKey: { $gt: nameKey } })
        .sort({ nameKey: 1, _id: 1 })
        .limit(limit)
        .hint('name'),
    insertMany: (
      scope: WorkspaceScope,
      records: readonly (NewContactRecord & { _id?: string })[],
      { session }: Pick<Tx, 'session'>,
    ) =>
      contacts(scope).insertMany(
        records.map((record) => ({ _id: newId(), ...record, ...withLine(record.phone) })),
        { session },
      ),
    /** Inserts the contacts of an import: the records are complete, and many. */
    insertPlain: (
      scope: WorkspaceScope,
      records: readonly (NewContactRecord & { _id: string })[],
      { session }: Pick<Tx, 'session'>,
    ) => {
      const plain = records.map((record) => ({ ...record, ...withLine(record.phone) }))
      return contacts(scope).insertPlain(plain, { session })
    },
    /**
     * Writes changes to records that are still at the version that was read, and keeps the names and numbers that they replace.
     * @returns how many were.
     */
    change: async (
      scope: WorkspaceScope,
      changes: readonly {
        record: Pick<ContactRecord, 'id' | 'version'> & Partial<ContactRecord>
        update: Update<ContactRecord>
      }[],
      { session }: Pick<Tx, 'session'>,
    ): Promise<number> => {
      if (changes.length === 0) return 0
      const writes = changes.map(({ record, update }) => {
        const filter: Filter<ContactRecord> = { _id: record.id, version: record.version }
        const former = formerAfter(record, update)
        const kept = former ? { ...update, $set: { ...('$set' in update && update.$set), former } } : update
        return { updateOne: { filter, update: kept } }
      })
      return (await contacts(scope).bulkWrite(writes, { session, ordered: false })).matchedCount
    },
    /** Moves the times of last contact forward, where a contact is listed and nothing else of it changes with a message. */
    noteTimes: async (scope: WorkspaceScope, times: ReadonlyMap<string, Date>): Promise<void> => {
      const writes = [...times].map(([_id, at]) => {
        const filter: Filter<ContactRecord> = {
          _id,
          live: true,
          lastContactAt: { $lt: at },
          undeliveredIn: { $exists: false },
        }
        return { updateOne: { filter, update: { $max: { lastContactAt: at } } } }
      })
      if (writes.length > 0) await contacts(scope).bulkWrite(writes, { ordered: false })
    },
    /** Records the time at which WhatsApp accepted marketing to them; an earlier one changes nothing. */
    noteMarketing: (scope: WorkspaceScope, ids: readonly string[], at: Date, { session }: Pick<Tx, 'session'>) =>
      contacts(scope).updateMany({ _id: { $in: ids } }, { $max: { lastMarketingAt: at } }, { session }),
    /** Records the number by which WhatsApp names contacts. Those who have another phone number now stay as they are. */
    noteWaPhones: async (
      scope: WorkspaceScope,
      reported: readonly ReportedWaPhone[],
      { session }: Pick<Tx, 'session'>,
    ) => {
      const writes = reported.map(({ contactId, waPhone }) => {
        const filter: Filter<ContactRecord> = { _id: contactId, phone: waPhone.of }
        return { updateOne: { filter, update: { $set: { waPhone } } } }
      })
      if (writes.length > 0) await contacts(scope).bulkWrite(writes, { session, ordered: false })
    },
    /** A campaign's message to them could not be delivered; the same campaign once more, and a fourth one, change nothing. */
    noteUndelivered: (
      scope: WorkspaceScope,
      ids: readonly string[],
      campaignId: string,
      { session }: Pick<Tx, 'session'>,
    ) =>
      contacts(scope).updateMany(
        { _id: { $in: ids }, 'undeliveredIn.2': { $exists: false } },
        { $addToSet: { undeliveredIn: campaignId } },
        { session },
      ),
    /** A message has reached them. */
    noteDelivered: (scope: WorkspaceScope, ids: readonly string[], { session }: Pick<Tx, 'session'>) =>
      contacts(scope).updateMany(
        { _id: { $in: ids }, undeliveredIn: { $exists: true } },
        { $unset: { undeliveredIn: 1 } },
        { session },
      ),
    /** Holds a contact for this transaction as merged into another one, or as not. @returns whether it is so. */
    holdMerged: async (
      scope: WorkspaceScope,
      id: string,
      into: string | undefined,
      { session }: Pick<Tx, 'session'>,
    ): Promise<boolean> => {
      const state = into === undefined ? { merged: { $exists: false } } : { 'merged.id': into }
      return (await contacts(scope).updateOne({ _id: id, ...state }, {}, { session })).matchedCount === 1
    },
    /**
     * Adds the user id that the platform reported for a contact known by the phone number. @returns whether no other contact has
     * it.
     */
    addUserId: (scope: WorkspaceScope, id: string, waUserId: string): Promise<boolean> =>
      contacts(scope)
        .updateOne({ _id: id, waUserId: { $exists: false } }, { $set: { waUserId } })
        .then(
          ({ matchedCount }) => matchedCount === 1,
          (error: unknown) => {
            if (!isDuplicateKey(error)) throw error
            return false
          },
        ),
    /** Names and numbers that an older record of them tells. */
    addFormer: (scope: WorkspaceScope, id: string, former: readonly FormerIdentity[]) =>
      contacts(scope).updateOne({ _id: id }, { $addToSet: { former: { $each: former } } }),
    remove: (scope: WorkspaceScope, id: string, { session }: Pick<Tx, 'session'>) =>
      contacts(scope).deleteOne({ _id: id }, { session }),
  }
}

const withLine = (phone: string | undefined) => {
  const line = lineOf(phone)
  return line === undefined ? {} : { line }
}
