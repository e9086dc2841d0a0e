import { type Model, type Query, type Schema, Types } from 'mongoose'
import { auditedWrites } from './audited-writes.ts'
import type { FindQuery, ScopedCollection, SessionOption, UpdateResult } from './collection-types.ts'
import { fullConnection, isDuplicateKey, type ServiceConnection } from './mongo.ts'
import { toRecord, withStringIds } from './plain.ts'
import { plainDocuments } from './plain-documents.ts'
import { assertComplete, type ScopeFilter, scopePipeline, scopeUpdate } from './scope.ts'

export type { ScopedCollection } from './collection-types.ts'

/** The part of a request's context that decides which records exist for it. A worker names the workspace it works for. */
export interface WorkspaceScope {
  readonly workspaceId: string
  /** User id of a member for whom conversations of others do not exist; absent: all do. */
  readonly viewer?: string
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
  const withEntries = bookkeeping ? <C>(writes: C) => writes : auditedWrites<T>(connection, model.collection.name)
  const plain = plainDocuments(model)
  return (scope) => retryLostInserts(withEntries(bind<T>(model, assertComplete(filterOf(scope)), plain)))
}

function bind<T>(
  model: Model<Document>,
  scope: ScopeFilter,
  plain: ReturnType<typeof plainDocuments>,
): ScopedCollection<T> {
  const versioned = model.schema.path('version') !== undefined
  const fixed = { fields: new Set(['_id', ...Object.keys(scope), ...(versioned ? ['version'] : [])]), versioned }
  const within = (filter: object = {}): Document => ({ ...filter, ...scope })
  const change = (update: object) => scopeUpdate(update, fixed)
  const complete = (record: object) => ({ ...record, ...scope, ...(versioned && { version: 1 }) })
  const changeOptions = (update: object) => ({
    runValidators: true,
    ...(Array.isArray(update) && { updatePipeline: true }),
  })

  const updateWith =
    (method: 'updateOne' | 'updateMany') =>
    async (filter: object, update: object, options: SessionOption & { upsert?: boolean } = {}) =>
      updated(
        await model[method](within(filter), change(update), {
          ...changeOptions(update),
          ...readOptions(filter, options),
        }),
      )

  async function insertMany(
    records: readonly object[],
    options: SessionOption & { ordered?: boolean } = {},
  ): Promise<T[]> {
    const stored = await model.insertMany(records.map(complete), { ...defined(options), throwOnValidationError: true })
    return stored.map((document) => toRecord<T>(document.toObject()))
  }

  async function insertPlain(records: readonly object[], { session }: SessionOption = {}): Promise<T[]> {
    if (records.length === 0) return []
    const stored = await plain(records.map(complete))
    const options = { ordered: false, ignoreUndefined: true, ...(session && { session }) }
    const documents = stored.map(({ document }) => document)
    await model.collection.insertMany(documents, options).catch((error: unknown) => {
      if (session || !isDuplicateKey(error)) throw error
    })
    return stored.map(({ record }) => record as T)
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
    findOneAndUpdate: async (filter, update, options = {}) => {
      const found = await model
        .findOneAndUpdate(within(filter), change(update), {
          returnDocument: 'after',
          ...changeOptions(update),
          ...readOptions(filter, options),
        })
        .lean()
      return found ? toRecord<T>(found) : null
    },
    create: async (record, options = {}) => {
      const [created] = await insertMany([record], options)
      if (!created) throw new Error('an insert answered with nothing')
      return created
    },
    insertMany,
    insertPlain,
    updateOne: updateWith('updateOne'),
    updateMany: updateWith('updateMany'),
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
    deleteOne: (filter, options = {}) => model.deleteOne(within(filter), readOptions(filter, options)).exec(),
    deleteMany: (filter, options = {}) => model.deleteMany(within(filter), readOptions(filter, options)).exec(),
  }
}

/** Lets the loser of a race to insert find the winner's record. A transaction of the caller's has ended by then. */
const retryLostInserts = <T>(collection: ScopedCollection<T>): ScopedCollection<T> => ({
  ...collection,
  findOneAndUpdate: (filter, update, options = {}) =>
    collection.findOneAndUpdate(filter, update, options).catch((error: unknown) => {
      if (options.upsert && !options.session && isDuplicateKey(error))
        return collection.findOneAndUpdate(filter, update, options)
      throw error
    }),
})

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
  const updateOf = ({ filter, update, upsert }: { filter: object; update: object; upsert?: boolean }) => ({
    filter: within(filter),
    update: change(update),
    upsert: upsert === true,
    ...hintOf(filter),
  })
  switch (kind) {
    case 'insertOne':
      return { insertOne: { document: complete(value.document) } }
    case 'updateOne':
      return { updateOne: updateOf(value) }
    case 'updateMany':
      return { updateMany: updateOf(value) }
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
  const chained = (_query: unknown) => self
  const self: FindQuery<T> = {
    sort: (by) => chained(query.sort(by)),
    limit: (count) => {
      if (!Number.isInteger(count) || count < 1) throw new Error('a limit is a whole number from 1')
      limited = true
      return chained(query.limit(count))
    },
    skip: (count) => chained(query.skip(count)),
    select: (fields) => chained(query.select(fields)),
    hint: (index) => chained(query.hint(index)),
    maxTimeMS: (limitMs) => chained(query.maxTimeMS(limitMs)),
    session: (session) => chained(query.session(session)),
    // biome-ignore lint/suspicious/noThenProperty: a query is awaited as it is, like Mongoose's own.
    then: (resolve, reject) => run().then(resolve, reject),
    async *[Symbol.asyncIterator]() {
      for await (const document of query.cursor()) yield toRecord<T>(Object(document))
    },
  }
  return self
}
