import { AppError } from '@parley/service-kit/core/errors'
import type { Filter, SessionOption, Update } from '@parley/service-kit/data/collection-types'
import { isDuplicateKey, isTimeLimit, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { newId } from '@parley/service-kit/data/plain'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { newContactFields, searchKeys } from './contact-fields.ts'
import { type ContactPart, contactOrders, together } from './contact-query.ts'
import { type ContactRecord, contactSchema } from './contacts.model.ts'
import { gramsOf } from './phone-grams.ts'

/** Who wrote, as a webhook tells it. */
export interface SeenPerson {
  readonly phone: string | undefined
  readonly waUserId: string | undefined
  readonly name: string | undefined
  readonly username: string | undefined
}
export type NewContactRecord = Omit<ContactRecord, 'id' | 'workspaceId' | 'version' | 'createdAt' | 'updatedAt'>
export type ContactsRepository = ReturnType<typeof createContactsRepository>

/** Where so many match a part of the filter by itself, its index is not worth following. */
const mostByPart = 20_000
const mostByOnlyPart = 5000
/** Longest that a total beyond the exactly counted ones may take; a page says `more than` otherwise. */
const countLimitMs = 100
/** Longest that a list may look for conditions that no index answers. */
const searchLimitMs = 5000

export function createContactsRepository(connection: ServiceConnection, cursors: PageCursors) {
  const contacts = workspaceCollection<ContactRecord>({ connection, name: 'contacts', schema: contactSchema })

  /** Everybody who is known by one of these identities, deleted or not. */
  async function findBy(scope: WorkspaceScope, people: readonly Pick<SeenPerson, 'phone' | 'waUserId'>[]) {
    const userIds = people.flatMap(({ waUserId }) => waUserId ?? [])
    const phones = people.flatMap(({ phone }) => phone ?? [])
    // One query for each index: a disjunction of pairs cannot use them.
    const [byUserId, byPhone] = await Promise.all([
      userIds.length > 0
        ? contacts(scope)
            .find({ waUserId: { $in: userIds } })
            .hint('user-id')
        : [],
      phones.length > 0
        ? contacts(scope)
            .find({ phone: { $in: phones } })
            .hint('phone')
        : [],
    ])
    return [...byUserId, ...byPhone]
  }

  /** Creates those who are not known yet. Safe to race: whoever loses finds the winner's record at the next read. */
  async function createMissing(scope: WorkspaceScope, people: readonly SeenPerson[]): Promise<void> {
    const records = people.map(({ phone, waUserId, name, username }) => {
      const fields = {
        name: name || phone || username || 'Customer',
        ...(phone !== undefined && { phone }),
        ...(waUserId !== undefined && { waUserId }),
        ...(username !== undefined && { username }),
        tags: [],
      }
      return { ...newContactFields('inbound'), ...fields, ...searchKeys(fields), attributes: [] }
    })
    await contacts(scope)
      .insertMany(records, { ordered: false })
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error
      })
  }

  const ignoreDuplicate = (error: unknown) => {
    // Two records turn out to be one person: merging them is for people to decide.
    if (!isDuplicateKey(error)) throw error
  }

  /**
   * Of the parts of a filter the one that the fewest contacts match, if its index is worth following. The planner's own
   * choice depends on a short trial, and can be a thousand times slower.
   */
  async function leadingPart(scope: WorkspaceScope, parts: readonly ContactPart[], live: boolean) {
    const counted = await Promise.all(
      parts.flatMap((part) =>
        part.index === undefined
          ? []
          : contacts(scope)
              .countDocuments({ live, ...part.filter }, { hint: part.index, limit: mostByPart + 1 })
              .then((count) => ({ part, count })),
      ),
    )
    const [least] = counted.sort((left, right) => left.count - right.count)
    return least && least.count <= (parts.length > 1 ? mostByPart : mostByOnlyPart) ? least.part : undefined
  }

  async function list(
    scope: WorkspaceScope,
    {
      parts,
      sort,
      query,
      limit,
      cursor,
      total,
    }: {
      readonly parts: readonly ContactPart[]
      readonly sort: keyof typeof contactOrders
      readonly query: unknown
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
      /** How many match, where that is known without counting them. */
      readonly total?: (() => Promise<number>) | undefined
    },
  ) {
    const leading = await leadingPart(scope, parts, true)
    const filter = together(parts, leading)
    const page = pageOf(contacts(scope), {
      limitMs: searchLimitMs,
      sort: contactOrders[sort],
      cursors,
      workspaceId: scope.workspaceId,
      filter,
      index: leading?.index,
      query,
      limit,
      cursor,
      kept:
        total ??
        (() =>
          contacts(scope).countDocuments(filter, {
            hint: leading?.index ?? contactOrders[sort].index,
            maxTimeMS: countLimitMs,
          })),
    })
    return page.catch(sayTooLong)
  }

  /** Ids of all that match, at most `most` and one. */
  async function matchingIds(
    scope: WorkspaceScope,
    { parts, live, most }: { parts: readonly ContactPart[]; live: boolean; most: number },
  ): Promise<string[]> {
    const leading = await leadingPart(scope, parts, live)
    const found = await contacts(scope)
      .find(together(parts, leading, live))
      .hint(leading?.index ?? 'newest')
      .limit(most + 1)
      .maxTimeMS(searchLimitMs)
      .select('_id')
      .then((found) => found, sayTooLong)
    return found.map(({ id }) => id)
  }

  /** Contacts that match, in the order of their ids, behind one of them; none that was made after a moment. */
  const walk = (
    scope: WorkspaceScope,
    parts: readonly ContactPart[],
    { after, until, limit }: { after: string | undefined; until: Date; limit: number },
  ): PromiseLike<ContactRecord[]> =>
    contacts(scope)
      .find({
        $and: [together(parts, undefined), { createdAt: { $lte: until } }],
        live: true,
        ...(after !== undefined && { _id: { $gt: after } }),
      })
      .sort({ _id: 1 })
      .limit(limit)
      .hint('newest')

  /** How many match all parts. @returns null where `maxTimeMS` was not enough. */
  async function count(
    scope: WorkspaceScope,
    parts: readonly ContactPart[],
    limits: { limit?: number; maxTimeMS?: number } = {},
  ): Promise<number | null> {
    const [only] = parts
    const leading = parts.length > 1 ? await leadingPart(scope, parts, true) : only?.index ? only : undefined
    return contacts(scope)
      .countDocuments(together(parts, leading), { hint: leading?.index ?? 'newest', ...limits })
      .catch((error: unknown) => {
        if (isTimeLimit(error)) return null
        throw error
      })
  }

  return {
    /** Another identity in the place of one, where that one is still there. */
    replaceIdentity: (scope: WorkspaceScope, field: 'phone' | 'waUserId', previous: string, current: string) =>
      contacts(scope)
        .updateOne(
          { [field]: previous },
          { $set: { [field]: current, ...(field === 'phone' && { grams: gramsOf(current) }) } },
        )
        .catch(ignoreDuplicate),
    findBy,
    createMissing,
    list,
    matchingIds,
    walk,
    read: (scope: WorkspaceScope, id: string, options?: SessionOption) => contacts(scope).findOne({ _id: id }, options),
    readLive: (scope: WorkspaceScope, id: string, options?: SessionOption) =>
      contacts(scope).findOne({ _id: id, live: true }, options),
    readMany: (scope: WorkspaceScope, ids: readonly string[], options: SessionOption = {}) =>
      contacts(scope)
        .find({ _id: { $in: ids } })
        .session(options.session ?? null),
    byPhones: (scope: WorkspaceScope, phones: readonly string[], options: SessionOption = {}) =>
      contacts(scope)
        .find({ phone: { $in: phones } })
        .hint('phone')
        .session(options.session ?? null),
    count,
    insertMany: (scope: WorkspaceScope, records: readonly NewContactRecord[], { session }: Pick<Tx, 'session'>) =>
      contacts(scope).insertMany(
        records.map((record) => ({ _id: newId(), ...record })),
        { session },
      ),
    /** What an import adds: the records are complete, and many. */
    insertPlain: (
      scope: WorkspaceScope,
      records: readonly (NewContactRecord & { _id: string })[],
      { session }: Pick<Tx, 'session'>,
    ): Promise<void> => (records.length > 0 ? contacts(scope).insertPlain(records, { session }) : Promise.resolve()),
    /** Writes changes to records that are still at the version that was read. @returns how many were. */
    change: async (
      scope: WorkspaceScope,
      changes: readonly { record: Pick<ContactRecord, 'id' | 'version'>; update: Update<ContactRecord> }[],
      { session }: Pick<Tx, 'session'>,
    ): Promise<number> => {
      if (changes.length === 0) return 0
      const writes = changes.map(({ record: { id, version }, update }) => {
        const filter: Filter<ContactRecord> = { _id: id, version }
        return { updateOne: { filter, update } }
      })
      return (await contacts(scope).bulkWrite(writes, { session, ordered: false })).matchedCount
    },
    remove: (scope: WorkspaceScope, id: string, { session }: Pick<Tx, 'session'>) =>
      contacts(scope).deleteOne({ _id: id }, { session }),
    /** The platform has told the second identity of somebody who was known by one. */
    addIdentity: (
      scope: WorkspaceScope,
      id: string,
      identity: { phone?: string; grams?: string[]; waUserId?: string },
    ) => contacts(scope).updateOne({ _id: id }, { $set: identity }).catch(ignoreDuplicate),
  }
}

function sayTooLong(error: unknown): never {
  if (!isTimeLimit(error)) throw error
  throw new AppError(
    'search_too_long',
    'Searching all contacts for this takes too long. Add a tag or a last contact that fewer of them have.',
  )
}
