import type { ClientSession, PipelineStage } from 'mongoose'

/** A record as filters, sorts and updates name it: the id is `_id` there, as in Mongoose. */
type Stored<T> = Omit<T, 'id'> & { readonly _id: string }

interface Operators<V> {
  $eq?: V | null
  $ne?: V | null
  $gt?: V | null
  $gte?: V | null
  $lt?: V | null
  $lte?: V | null
  $in?: readonly (V | null | RegExp)[]
  $nin?: readonly (V | null)[]
  $exists?: boolean
  $type?: string
  $regex?: RegExp | string
  $not?: Operators<V> | RegExp
  $all?: readonly unknown[]
  $size?: number
  $elemMatch?: Record<string, unknown>
}
type Item<V> = V extends readonly (infer I)[] ? I : V
type Condition<V> = V | Item<V> | null | RegExp | Operators<Item<V>>
interface Nested {
  [path: `${string}.${string}`]: unknown
}

/** A filter in MongoDB's own words. Ids are strings; the schema casts them. */
export type Filter<T> = { readonly [K in keyof Stored<T>]?: Condition<Stored<T>[K]> } & Nested & {
    $and?: readonly Filter<T>[]
    $or?: readonly Filter<T>[]
    $nor?: readonly Filter<T>[]
    $expr?: Record<string, unknown>
  }

/** Fields of a record, and paths into them. */
type OrPaths<F> = F | (F & Nested)
type Fields<T> = OrPaths<{ readonly [K in keyof T]?: T[K] | null }>
type AnyFields<T> = OrPaths<{ readonly [K in keyof T]?: unknown }>

/** Changes to a record in MongoDB's own words, or an update pipeline of `$set` and `$unset` stages. */
export type Update<T> =
  | {
      readonly $set?: Fields<T>
      readonly $setOnInsert?: Fields<T>
      readonly $unset?: AnyFields<T>
      readonly $inc?: OrPaths<{ readonly [K in keyof T]?: number }>
      readonly $min?: Fields<T>
      readonly $max?: Fields<T>
      readonly $push?: AnyFields<T>
      readonly $pull?: AnyFields<T>
      readonly $addToSet?: AnyFields<T>
      readonly $rename?: Record<string, string>
    }
  | readonly ({ readonly $set: Record<string, unknown> } | { readonly $unset: readonly string[] })[]

/** Stored fields of a new record. The scope, the version and the times are added; `_id` is made where absent. */
type NewRecord<T> = Partial<Stored<T>>

export type SortBy = Record<string, 1 | -1>

export interface SessionOption {
  /** Session of the transaction (`tx.session`), inside one. */
  readonly session?: ClientSession | undefined
}

type Write<T> =
  | { insertOne: { document: NewRecord<T> } }
  | { updateOne: { filter: Filter<T>; update: Update<T>; upsert?: boolean } }
  | { updateMany: { filter: Filter<T>; update: Update<T>; upsert?: boolean } }
  | { deleteOne: { filter: Filter<T> } }
  | { deleteMany: { filter: Filter<T> } }

export interface UpdateResult {
  readonly matchedCount: number
  readonly modifiedCount: number
  readonly upsertedId: string | null
}

interface ReadOptions extends SessionOption {
  readonly hint?: string
  readonly maxTimeMS?: number
}

/** A read that is sent when it is awaited or iterated. Resolves to plain records. */
export interface FindQuery<T> extends PromiseLike<T[]>, AsyncIterable<T> {
  sort(by: SortBy): FindQuery<T>
  limit(count: number): FindQuery<T>
  skip(count: number): FindQuery<T>
  /** Field names, `-` before those to leave out. Records lack what is left out, whatever their type says. */
  select(fields: string): FindQuery<T>
  hint(index: string): FindQuery<T>
  maxTimeMS(limitMs: number): FindQuery<T>
  session(session: ClientSession | null): FindQuery<T>
}

/**
 * Mongoose's verbs on the records of one scope. Its filter is part of every one of them, and no update can move a record
 * into another scope. Records are plain objects: `id` for `_id`, ids as strings at any depth. Where the schema has a
 * `version`, every write raises it.
 */
export interface ScopedCollection<T> {
  /** @throws when awaited without a limit and more than 10,000 records match: iterate over them instead. */
  find(filter?: Filter<T>): FindQuery<T>
  findOne(filter?: Filter<T>, options?: ReadOptions & { readonly sort?: SortBy }): Promise<T | null>
  /** Resolves to the record as it is after the change. Racing upserts outside a transaction end in one record. */
  findOneAndUpdate(
    filter: Filter<T>,
    update: Update<T>,
    options?: SessionOption & { readonly upsert?: boolean; readonly sort?: SortBy },
  ): Promise<T | null>
  create(record: NewRecord<T>, options?: SessionOption): Promise<T>
  insertMany(records: readonly NewRecord<T>[], options?: SessionOption & { readonly ordered?: boolean }): Promise<T[]>
  updateOne(filter: Filter<T>, update: Update<T>, options?: SessionOption & { upsert?: boolean }): Promise<UpdateResult>
  updateMany(filter: Filter<T>, update: Update<T>, options?: SessionOption): Promise<UpdateResult>
  /**
   * Stores complete records as they are: ids are cast and times set. What the schema would refuse or store otherwise is an error in
   * tests and development alone, which is a tenth of the work. Records that are there already stay as they are; in a transaction they
   * end it. Not the only change of a call: it leaves no audit entry.
   * @returns the records as they were given, with those that are there already.
   */
  insertPlain(records: readonly NewRecord<T>[], options?: SessionOption): Promise<T[]>
  bulkWrite(
    writes: readonly Write<T>[],
    options?: SessionOption & { readonly ordered?: boolean },
  ): Promise<{
    insertedCount: number
    matchedCount: number
    modifiedCount: number
    upsertedCount: number
    deletedCount: number
  }>
  /**
   * Results keep the names that the pipeline gives; ids come out as strings. String ids in leading `$match` stages are cast,
   * later ones are compared as they are. Stages that leave the scope are refused; `$lookup` and `$unionWith` see it alone.
   */
  aggregate<R = Record<string, unknown>>(pipeline: readonly PipelineStage[], options?: ReadOptions): Promise<R[]>
  countDocuments(filter?: Filter<T>, options?: ReadOptions & { readonly limit?: number }): Promise<number>
  distinct(field: string, filter?: Filter<T>, options?: SessionOption): Promise<unknown[]>
  deleteOne(filter: Filter<T>, options?: SessionOption): Promise<{ deletedCount: number }>
  deleteMany(filter: Filter<T>, options?: SessionOption): Promise<{ deletedCount: number }>
}
