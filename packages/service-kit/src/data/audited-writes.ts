import { isDeepStrictEqual } from 'node:util'
import { unwrittenCall } from '../core/call-context.ts'
import type { Filter, ScopedCollection, SessionOption, UpdateResult } from './collection-types.ts'
import type { ServiceConnection } from './mongo.ts'

/** Most created records that an entry names. */
const maxCreated = 3

/** Stores each write that stands alone together with the audit entry of the call at hand. Writes of a transaction have its entry. */
export function auditedWrites<T>(
  connection: ServiceConnection,
  kind: string,
): (collection: ScopedCollection<T>) => ScopedCollection<T> {
  const audited = async <R>(
    options: SessionOption,
    isChange: (result: R) => boolean,
    write: (session: SessionOption) => Promise<R>,
  ): Promise<R> => {
    if (options.session || !unwrittenCall()) return write({})
    // Processes without such calls do not open the log of events and its contracts.
    const { inTransaction } = await import('./transaction.ts')
    return inTransaction(connection, ({ session }) => write({ session }), { isChange })
  }

  return (collection) => ({
    ...collection,
    findOneAndUpdate: (filter, update, options = {}) =>
      audited(options, isFound, async (own) => {
        await noteValuesBefore(collection, { filter, update, session: { ...options, ...own }.session })
        return collection.findOneAndUpdate(filter, update, { ...options, ...own })
      }),
    create: (record, options = {}) =>
      audited(options, always, async (own) => {
        const created = await collection.create(record, { ...options, ...own })
        const { id, publicId = id } = Object(created)
        noteCreated(kind, String(publicId))
        return created
      }),
    insertMany: (records, options = {}) =>
      audited(options, always, (own) => collection.insertMany(records, { ...options, ...own })),
    updateOne: (filter, update, options = {}) =>
      audited(options, isUpdate, async (own) => {
        await noteValuesBefore(collection, { filter, update, session: { ...options, ...own }.session })
        return collection.updateOne(filter, update, { ...options, ...own })
      }),
    updateMany: (filter, update, options = {}) =>
      audited(options, isUpdate, (own) => collection.updateMany(filter, update, { ...options, ...own })),
    deleteOne: (filter, options = {}) =>
      audited(options, isDeletion, (own) => collection.deleteOne(filter, { ...options, ...own })),
    deleteMany: (filter, options = {}) =>
      audited(options, isDeletion, (own) => collection.deleteMany(filter, { ...options, ...own })),
  })
}

/** Adds to the entry of the call at hand what the fields were that a write is about to replace. Reads the record where there is one. */
async function noteValuesBefore<T>(
  collection: ScopedCollection<T>,
  { filter, update, session }: { filter: Filter<T>; update: object } & SessionOption,
): Promise<void> {
  const call = unwrittenCall()
  if (!call) return
  const set = Object('$set' in update ? update.$set : undefined)
  const replaced = call.changes.filter(({ field, to }) => to !== undefined && isDeepStrictEqual(set[field], to))
  if (replaced.length === 0) return
  const before = Object(await collection.findOne(filter, session ? { session } : {}))
  for (const change of replaced) {
    const value: unknown = before[change.field]
    if (call.isListed(change.field, value)) change.from = value
  }
}

const always = () => true
const isFound = (found: unknown): boolean => found !== null
const isUpdate = ({ modifiedCount, upsertedId }: UpdateResult): boolean => modifiedCount > 0 || upsertedId !== null
const isDeletion = ({ deletedCount }: { deletedCount: number }): boolean => deletedCount > 0

function noteCreated(kind: string, id: string): void {
  const created = unwrittenCall()?.created
  if (!created || created.some((known) => known.id === id) || created.length === maxCreated) return
  created.push({ kind, id })
}
