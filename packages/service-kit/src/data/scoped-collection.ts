import { type Model, type Query, type Schema, Types } from 'mongoose'
import { unwrittenCall } from '../core/call-context.ts'
import type { FindQuery, ScopedCollection, SessionOption, UpdateResult } from './collection-types.ts'
import { fullConnection, isDuplicateKey, type ServiceConnection } from './mongo.ts'
import { toRecord, withStringIds } from './plain.ts'
import { assertComplete, type ScopeFilter, scopePipeline, scopeUpdate } from './scope.ts'
import { inTransaction } from './transaction.ts'

export type { ScopedCollection } from './collection-types.ts'

/** The part of a request's context that decides which records exist for it. A worker names the workspace it works for. */
export interface WorkspaceScope {
  readonly workspaceId: string
}

interface Definition {
  readonly connection: ServiceConnection
  readonly name: string
  readonly schema: Schema
  /** Its records follow from others, or say who was seen when: writing one alone is no change that is audited. */
  readonly bookkeeping?: true
}

type Document = Record<string, unknown>

/** Most records that a `find` without a limit answers with. */
const maxFound = 10_000

/** Binds a collection to workspaces: `contacts(ctx).find(…)`. */
export const workspaceCollection = <T>(definition: Definition): ((scope: WorkspaceScope) => ScopedCollection<T>) =>
  scopedCollection<WorkspaceScope, T>(definition, ({ workspaceId }) => ({ workspaceId }))

/** Binds a collection to another scope than a workspace: one user, one identity. @throws where it has another schema. */
export function scopedCollection<Scope, T>(
  { connection, name, schema, bookkeeping }: Definition,
  filterOf: (scope: Scope) => ScopeFilter,
): (scope: Scope) => ScopedCollection<T> {
  const mongo = fullConnection(connection)
  const known: Model<Document> | undefined = mongo.models[name]
  if (known && known.schema !== schema) throw new Error(`${name} has two schemas`)
  const model = known ?? mongo.model<Document>(name, schema, name)
  const audit = bookkeeping ? unaudited : { write: writeWithEntry(connection), noteCreated }
  return (scope) => bind<T>(model, assertComplete(filterOf(scope)), audit)
}

type Write = <R>(
  options: SessionOption,
  isChange: (result: R) => boolean,
  write: (own: SessionOption) => Promise<R>,
) => Promise<R>

/** A write that stands alone is stored together with the audit entry of the call at hand. */
const writeWithEntry =
  (connection: ServiceConnection): Write =>
  (options, isChange, write) =>
    options.session || !unwrittenCall()
      ? write({})
      : inTransaction(connection, ({ session }) => write({ session }), { isChange })
interface Audit {
  readonly write: Write
  readonly noteCreated: (kind: string, id: string) => void
}
const unaudited: Audit = { write: (_options, _isChange, write) => write({}), noteCreated: () => undefined }

function bind<T>(model: Model<Document>, scope: ScopeFilter, audit: Audit): ScopedCollection<T> {
  const { write: audited } = audit
  const versioned = model.schema.path('version') !== undefined
  const fixed = { fields: new Set(['_id', ...Object.keys(scope), ...(versioned ? ['version'] : [])]), versioned }
  const within = (filter: object = {}): Document => ({ ...filter, ...scope })
  const change = (update: object) => scopeUpdate(update, fixed)
  const complete = (record: object) => ({ ...record, ...scope, ...(versioned && { version: 1 }) })
  const changeOptions = (update: object) => ({
    runValidators: true,
    ...(Array.isArray(update) && { updatePipeline: true }),
  })

  const findOneAndUpdate = (filter: object, update: object, options: SessionOption & { upsert?: boolean } = {}) =>
    audited<T | null>(
      options,
      (found) => found !== null,
      async (own) => {
        const found = await model
          .findOneAndUpdate(within(filter), change(update), {
            returnDocument: 'after',
            ...changeOptions(update),
            ...readOptions(filter, { ...options, ...own }),
          })
          .lean()
        return found ? toRecord<T>(found) : null
      },
    )

  type InsertOptions = SessionOption & { ordered?: boolean }
  const insertMany = (records: readonly object[], options: InsertOptions = {}) =>
    audited(
      options,
      () => true,
      (own) => insert(records, { ...options, ...own }),
    )

  async function insert(records: readonly object[], options: InsertOptions): Promise<T[]> {
    const stored = await model.insertMany(records.map(complete), { ...defined(options), throwOnValidationError: true })
    return stored.map((document) => toRecord<T>(document.toObject()))
  }

  async function insertPlain(records: readonly object[], { session }: SessionOption = {}): Promise<void> {
    const idPaths = Object.keys(model.schema.paths).filter((path) => model.schema.path(path)?.instance === 'ObjectId')
    const now = new Date()
    const times = model.schema.path('createdAt') ? { createdAt: now, updatedAt: now } : {}
    const documents = records.map((record) => {
      const { _id, ...fields }: Document = { ...times, ...complete(record) }
      for (const path of idPaths) if (typeof fields[path] === 'string') fields[path] = new Types.ObjectId(fields[path])
      return { ...fields, _id: typeof _id === 'string' ? new Types.ObjectId(_id) : new Types.ObjectId() }
    })
    const options = { ordered: false, ignoreUndefined: true, ...(session && { session }) }
    await model.collection.insertMany(documents, options).catch((error: unknown) => {
      if (session || !isDuplicateKey(error)) throw error
    })
  }

  /** Ids are cast in the stages that still see documents as they are stored. */
  function castLeadingMatches(pipeline: readonly object[]): object[] {
    const end = pipeline.findIndex((stage) => !('$match' in stage))
    return pipeline.map((stage, index) =>
      '$match' in stage && (end === -1 || index < end) ? { ...stage, $match: cast(Object(stage.$match)) } : stage,
    )
  }
  const cast = (filter: object): Document => ({ ...model.find().cast(model, { ...filter }) })

  return {
    find: (filter) => findQuery<T>(model.find(within(filter), null, readOptions(filter, {})).lean()),
    findOne: async (filter, options = {}) => {
      const found = await model.findOne(within(filter), null, readOptions(filter, options)).lean()
      return found ? toRecord<T>(found) : null
    },
    findOneAndUpdate: (filter, update, options = {}) =>
      findOneAndUpdate(filter, update, options).catch((error: unknown) => {
        // The loser of a race to insert finds the winner's record. A transaction has ended by then.
        if (options.upsert && !options.session && isDuplicateKey(error))
          return findOneAndUpdate(filter, update, options)
        throw error
      }),
    create: (record, options = {}) =>
      audited(
        options,
        () => true,
        async (own) => {
          const [created] = await insert([record], { ...options, ...own })
          if (!created) throw new Error('an insert answered with nothing')
          const { id, publicId = id } = Object(created)
          audit.noteCreated(model.collection.name, String(publicId))
          return created
        },
      ),
    insertMany,
    insertPlain,
    updateOne: (filter, update, options = {}) =>
      audited(options, isUpdate, async (own) =>
        updated(
          await model.updateOne(within(filter), change(update), {
            ...changeOptions(update),
            ...readOptions(filter, { ...options, ...own }),
          }),
        ),
      ),
    updateMany: (filter, update, options = {}) =>
      audited(options, isUpdate, async (own) =>
        updated(
          await model.updateMany(within(filter), change(update), {
            ...changeOptions(update),
            ...readOptions(filter, { ...options, ...own }),
          }),
        ),
      ),
    bulkWrite: async (writes, options = {}) => {
      const scoped = writes.map((write) => scopeWrite(write, { within, change, complete }))
      const result = await model.bulkWrite(scoped, { ...defined(options), throwOnValidationError: true })
      const { insertedCount, matchedCount, modifiedCount, upsertedCount, deletedCount } = result
      return { insertedCount, matchedCount, modifiedCount, upsertedCount, deletedCount }
    },
    aggregate: async <R>(pipeline: readonly object[], options = {}) => {
      const scoped = scopePipeline(castLeadingMatches(pipeline), cast(scope))
      const rows = await model.aggregate<unknown>(scoped, defined(options))
      return rows.map(withStringIds) as R[]
    },
    countDocuments: (filter, options = {}) => model.countDocuments(within(filter), readOptions(filter, options)).exec(),
    distinct: async (field, filter, options = {}) => {
      const values: unknown[] = await model.distinct(field, within(filter), defined(options))
      return values.map(withStringIds)
    },
    deleteOne: (filter, options = {}) =>
      audited(options, isDeletion, (own) =>
        model.deleteOne(within(filter), readOptions(filter, { ...options, ...own })).exec(),
      ),
    deleteMany: (filter, options = {}) =>
      audited(options, isDeletion, (own) =>
        model.deleteMany(within(filter), readOptions(filter, { ...options, ...own })).exec(),
      ),
  }
}

/** Index for queries by ids: without the hint the server also tries each index that begins with the scope. */
function hintOf(filter: object | undefined): { hint?: '_id_' } {
  const id: unknown = Object(filter)._id
  const isNamed = typeof id === 'string' || id instanceof Types.ObjectId || Object.hasOwn(Object(id), '$in')
  return isNamed ? { hint: '_id_' } : {}
}

const readOptions = (filter: object | undefined, options: object) => ({ ...hintOf(filter), ...defined(options) })

/** Drops undefined options: the driver would send them. */
const defined = (options: object) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

/** Most created records that an entry names. */
const maxCreated = 3
function noteCreated(kind: string, id: string): void {
  const created = unwrittenCall()?.created
  if (!created || created.some((known) => known.id === id) || created.length === maxCreated) return
  created.push({ kind, id })
}

const isUpdate = ({ modifiedCount, upsertedId }: UpdateResult): boolean => modifiedCount > 0 || upsertedId !== null
const isDeletion = ({ deletedCount }: { deletedCount: number }): boolean => deletedCount > 0

const updated = (result: { matchedCount: number; modifiedCount: number; upsertedId: unknown }): UpdateResult => ({
  matchedCount: result.matchedCount,
  modifiedCount: result.modifiedCount,
  upsertedId: result.upsertedId === null ? null : String(result.upsertedId),
})

interface Scoping {
  readonly within: (filter: object) => Document
  readonly change: (update: object) => object
  readonly complete: (record: object) => object
}

/** Rebuilds one write of a batch from the known fields of its kind: nothing else is passed on. */
function scopeWrite(write: object, { within, change, complete }: Scoping) {
  const [[kind, value] = ['', {}], ...others] = Object.entries(write)
  if (others.length > 0) throw new Error('a write of a batch has one kind')
  switch (kind) {
    case 'insertOne':
      return { insertOne: { document: complete(value.document) } }
    case 'updateOne':
      return {
        updateOne: {
          filter: within(value.filter),
          update: change(value.update),
          upsert: value.upsert === true,
          ...hintOf(value.filter),
        },
      }
    case 'updateMany':
      return {
        updateMany: {
          filter: within(value.filter),
          update: change(value.update),
          upsert: value.upsert === true,
          ...hintOf(value.filter),
        },
      }
    case 'deleteOne':
      return { deleteOne: { filter: within(value.filter), ...hintOf(value.filter) } }
    case 'deleteMany':
      return { deleteMany: { filter: within(value.filter), ...hintOf(value.filter) } }
    default:
      throw new Error(`a batch may not hold ${kind}`)
  }
}

function findQuery<T>(query: Query<unknown[], unknown>): FindQuery<T> {
  let limited = false
  async function run(): Promise<T[]> {
    if (!limited) query.limit(maxFound + 1)
    const found = await query.exec()
    if (!limited && found.length > maxFound)
      throw new Error(`more than ${maxFound} records match: set a limit, or iterate over them`)
    return found.map((document) => toRecord<T>(Object(document)))
  }
  const self: FindQuery<T> = {
    sort: (by) => {
      query.sort(by)
      return self
    },
    limit: (count) => {
      if (!Number.isInteger(count) || count < 1) throw new Error('a limit is a whole number from 1')
      limited = true
      query.limit(count)
      return self
    },
    skip: (count) => {
      query.skip(count)
      return self
    },
    select: (fields) => {
      query.select(fields)
      return self
    },
    hint: (index) => {
      query.hint(index)
      return self
    },
    maxTimeMS: (limitMs) => {
      query.maxTimeMS(limitMs)
      return self
    },
    session: (session) => {
      query.session(session)
      return self
    },
    // biome-ignore lint/suspicious/noThenProperty: a query is awaited as it is, like Mongoose's own.
    then: (resolve, reject) => run().then(resolve, reject),
    async *[Symbol.asyncIterator]() {
      for await (const document of query.cursor()) yield toRecord<T>(Object(document))
    },
  }
  return self
}
