import { type Connection, type Model, type Schema, Types } from 'mongoose'
import { isDuplicateKey } from './mongo.ts'

/** The part of a request's context that decides which records exist for it. */
export interface Tenant {
  readonly workspaceId: string
}

type Fields<T> = Partial<{ [K in keyof T]: T[K] | null }>

/** Changes to a record, in MongoDB's own words; only these operators are used. */
interface Change<T> {
  readonly $set?: Fields<T>
  readonly $setOnInsert?: Fields<T>
  readonly $inc?: Partial<{ [K in keyof T]: number }>
}

/**
 * Stored records of one collection within one scope. The scope's filter is added to every query, after the caller's own,
 * so that no query can leave it. Records come out as plain objects: `id` for `_id`, ids as strings.
 */
export interface ScopedRepository<Scope, T> {
  findOne(scope: Scope, filter?: Fields<T>): Promise<T | undefined>
  /** Changes one record and answers with it as it is then; `undefined` where there is none. */
  updateOne(scope: Scope, filter: Fields<T>, change: Change<T>): Promise<T | undefined>
  /** The same, but creates a missing record. Safe to race: the loser of an insert finds the winner's record. */
  upsertOne(scope: Scope, filter: Fields<T>, change: Change<T>): Promise<T>
}

interface Collection {
  readonly connection: Connection
  readonly name: string
  readonly schema: Schema
}

/** The usual scope: a workspace. */
export function createTenantRepository<T>(collection: Collection): ScopedRepository<Tenant, T> {
  return createScopedRepository<Tenant, T>(collection, ({ workspaceId }) => ({ workspaceId }))
}

/** A repository whose scope is something else than a workspace: one user, one identity. */
export function createScopedRepository<Scope, T>(
  { connection, name, schema }: Collection,
  filterOf: (scope: Scope) => Record<string, unknown>,
): ScopedRepository<Scope, T> {
  const known: Model<Record<string, unknown>> | undefined = connection.models[name]
  const model = known ?? connection.model<Record<string, unknown>>(name, schema, name)
  const scoped = (scope: Scope, filter: Fields<T> = {}) => ({ ...filter, ...filterOf(scope) })

  async function change(scope: Scope, filter: Fields<T>, update: Change<T>, upsert: boolean) {
    const found = await model
      .findOneAndUpdate(scoped(scope, filter), { ...update }, { upsert, returnDocument: 'after', runValidators: true })
      .lean()
    return found ? toPlain<T>(found) : undefined
  }

  return {
    findOne: async (scope, filter) => {
      const found = await model.findOne(scoped(scope, filter)).lean()
      return found ? toPlain<T>(found) : undefined
    },
    updateOne: (scope, filter, update) => change(scope, filter, update, false),
    upsertOne: async (scope, filter, update) => {
      const attempt = () => change(scope, filter, update, true)
      const record = await attempt().catch((error: unknown) => {
        if (isDuplicateKey(error)) return attempt()
        throw error
      })
      if (!record) throw new Error(`an upsert in ${name} answered with nothing`)
      return record
    },
  }
}

/** What a schema stores is what its record type says; ids alone differ between the two. */
function toPlain<T>({ _id, ...fields }: Record<string, unknown>): T {
  const plain: Record<string, unknown> = { id: String(_id) }
  for (const [key, value] of Object.entries(fields))
    plain[key] = value instanceof Types.ObjectId ? String(value) : value
  return plain as T
}
