import type { ConsentCategory, ConsentSettings } from '@parley/contracts/contacts/consent'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { updateVersion } from '@parley/service-kit/data/versioned'
import type { TimeSlice } from '../../../platform/time-slice.ts'
import {
  type EntryRecord,
  entrySchema,
  type SettingsRecord,
  type SuppressionRecord,
  settingsSchema,
  suppressionSchema,
} from './consent.model.ts'

export type NewEntryRecord = Omit<EntryRecord, 'id' | 'workspaceId'>
export type ConsentRepository = ReturnType<typeof createConsentRepository>
type Session = Pick<Tx, 'session'>
/** An address, and what was said about it when: an opt-out that holds, or what ends one. */
export interface Suppression {
  readonly addressHash: string
  readonly category: ConsentCategory
  readonly at: Date
}

/** Maximum entries of one contact that decide: the newest. */
const maxOfContact = 500

export function createConsentRepository(connection: ServiceConnection, cursors: PageCursors) {
  const entries = workspaceCollection<EntryRecord>({ connection, name: 'consentEntries', schema: entrySchema })
  const suppressions = workspaceCollection<SuppressionRecord>({
    connection,
    name: 'suppressions',
    schema: suppressionSchema,
  })
  const settings = workspaceCollection<SettingsRecord>({
    connection,
    name: 'consentSettings',
    schema: settingsSchema,
  })

  return {
    knownKeys: async (
      scope: WorkspaceScope,
      keys: readonly string[],
      { session }: { readonly session: Tx['session'] | null },
    ): Promise<Set<string>> => {
      const known = await entries(scope)
        .find({ key: { $in: keys } })
        .select('key')
        .hint('key')
        .session(session)
      return new Set(known.map(({ key }) => key))
    },
    insert: (scope: WorkspaceScope, records: readonly NewEntryRecord[], { session }: Session) =>
      entries(scope).insertMany(records, { session }),
    /** Inserts many complete entries with their ids. */
    insertPlain: (
      scope: WorkspaceScope,
      records: readonly (NewEntryRecord & { readonly _id?: string })[],
      { session }: Session,
    ) => entries(scope).insertPlain(records, { session }),
    entriesOf: (scope: WorkspaceScope, keys: readonly string[], { session }: Session): PromiseLike<EntryRecord[]> =>
      entries(scope)
        .find({ key: { $in: keys } })
        .hint('key')
        .session(session),
    revoke: (scope: WorkspaceScope, ids: readonly string[], takenBackAt: Date, { session }: Session) =>
      entries(scope).updateMany({ _id: { $in: ids } }, { $set: { takenBackAt } }, { session }),
    /** Returns the entries in force, the newest first. */
    ofContact: (scope: WorkspaceScope, contactId: string, { session }: Session): PromiseLike<EntryRecord[]> =>
      entries(scope)
        .find({ contactId, takenBackAt: { $exists: false } })
        .sort({ at: -1, _id: -1 })
        .limit(maxOfContact)
        .hint('contact')
        .session(session),
    /** Returns the entries of some contacts after a place, the newest first. */
    behind: (
      scope: WorkspaceScope,
      contactIds: readonly string[],
      { behind, limit }: TimeSlice,
    ): PromiseLike<EntryRecord[]> =>
      entries(scope)
        .find({
          contactId: { $in: contactIds },
          ...(behind && { at: { $lte: behind.at }, $nor: [{ at: behind.at, _id: { $gte: behind.id } }] }),
        })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .hint('contact'),
    allOf: (scope: WorkspaceScope, contactId: string): AsyncIterable<EntryRecord> =>
      entries(scope).find({ contactId }).sort({ at: -1, _id: -1 }).hint('contact'),
    /** Anonymises entries: they stay as proof of a choice, without fields that identify the person. */
    anonymise: async (scope: WorkspaceScope, contactId: string, { session }: Session): Promise<void> => {
      for await (const { id } of entries(scope).find({ contactId }).hint('contact').session(session))
        await entries(scope).updateOne({ _id: id }, { $set: { key: `erased:${id}` }, $unset: { note: 1 } }, { session })
    },
    page: (
      scope: WorkspaceScope,
      contactId: string,
      { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
    ) =>
      pageOf(entries(scope), {
        sort: { index: 'contact', field: 'at', direction: -1 },
        cursors,
        workspaceId: scope.workspaceId,
        filter: { contactId },
        limit,
        cursor,
      }),
    /** Returns entries in the order in which they were recorded, one by one. */
    recordedBetween: (scope: WorkspaceScope, from: Date, to: Date): AsyncIterable<EntryRecord> =>
      entries(scope)
        .find({ recordedAt: { $gte: from, $lte: to } })
        .sort({ recordedAt: 1, _id: 1 })
        .hint('recorded'),

    suppress: async (scope: WorkspaceScope, all: readonly Suppression[], { session }: Session): Promise<void> => {
      if (all.length === 0) return
      const writes = all.map(({ at, ...of }) => ({
        updateOne: { filter: { ...of }, update: { $setOnInsert: { ...of }, $max: { at } }, upsert: true },
      }))
      await suppressions(scope).bulkWrite(writes, { session })
    },
    /** Ends opt-outs that are older. @param options.same also those of the same moment. */
    release: async (
      scope: WorkspaceScope,
      all: readonly Suppression[],
      { session }: Session,
      { same = false }: { same?: boolean } = {},
    ): Promise<void> => {
      if (all.length === 0) return
      const before = (at: Date) => ({ $or: [{ at: { $exists: false } }, { at: same ? { $lte: at } : { $lt: at } }] })
      await suppressions(scope).bulkWrite(
        all.map(({ at, ...of }) => ({ deleteOne: { filter: { ...of, ...before(at) } } })),
        { session },
      )
    },
    hasSuppressions: async (scope: WorkspaceScope, session: Tx['session'] | null = null): Promise<boolean> =>
      (await suppressions(scope).find({}).hint('address').limit(1).session(session)).length > 0,
    suppressed: (
      scope: WorkspaceScope,
      hashes: readonly string[],
      session: Tx['session'] | null = null,
    ): PromiseLike<SuppressionRecord[]> =>
      suppressions(scope)
        .find({ addressHash: { $in: hashes } })
        .hint('address')
        .session(session),

    readSettings: (scope: WorkspaceScope) => settings(scope).findOne({}, { hint: 'workspace' }),
    ensureSettings: (scope: WorkspaceScope, fields: Omit<SettingsRecord, 'id' | 'workspaceId' | 'version'>) =>
      settings(scope).findOneAndUpdate({}, { $setOnInsert: fields }, { upsert: true }),
    updateSettings: (
      scope: WorkspaceScope,
      { id, version, ...fields }: ConsentSettings & { id: string },
      toAnswer: (record: SettingsRecord) => ConsentSettings,
      { session }: Session,
    ) => updateVersion(settings(scope), { id, version, update: { $set: fields }, toAnswer }, { session }),
  }
}
