import { Readable } from 'node:stream'
import type mongoose from 'mongoose'
import type { FileAnswer } from '../http/file-answer.ts'
import { partsOf } from './erase-workspace.ts'
import { fullConnection, type ServiceConnection } from './mongo.ts'
import type { WorkspaceScope } from './scoped-collection.ts'

type Fields = Readonly<Record<string, unknown>>

/** Records of a collection as an export of their workspace shows them. */
export interface ExportedCollection {
  readonly collection: string
  /** Fields that are exported, beside the id: what is not named here, secrets above all, stays. */
  readonly fields: readonly string[]
  /** Changes a record before it is written; null leaves it out. */
  readonly shown?: (record: Fields) => Fields | null
}

/**
 * Reads what an export shows of a collection, by the index of its workspace and a batch at a time.
 * @returns records with `id` first; ids and times become texts once they are written as JSON.
 */
export async function* exportedRecords(
  database: ServiceConnection,
  { workspaceId }: WorkspaceScope,
  { collection: name, fields, shown = (record) => record }: ExportedCollection,
): AsyncGenerator<Fields> {
  const collection = collectionOf(database, name)
  const projection = Object.fromEntries(fields.map((field) => [field, 1]))
  for (const { filter, hint } of await ownParts(collection, workspaceId))
    for await (const { _id, ...record } of collection.find(filter, { projection, hint })) {
      const found = shown({ id: _id, ...record })
      if (found) yield found
    }
}

/** Counts the records of a collection, also those that {@link ExportedCollection.shown} leaves out. */
export async function countExported(
  database: ServiceConnection,
  { workspaceId }: WorkspaceScope,
  { collection: name }: Pick<ExportedCollection, 'collection'>,
): Promise<number> {
  const collection = collectionOf(database, name)
  const counts = (await ownParts(collection, workspaceId)).map(({ filter, hint }) =>
    collection.countDocuments(filter, { hint }),
  )
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

/** Records as lines of JSON. */
export async function* jsonLines(records: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`
}

/** Answers another service with a file of an export, written while it is sent. */
export const exportAnswer = (fileName: string, lines: AsyncIterable<string>): FileAnswer => ({
  type: 'application/x-ndjson',
  fileName: `${fileName}.ndjson`,
  open: () => Readable.from(startingAtOnce(lines)),
})

/** Begins a file even where it has no records. */
async function* startingAtOnce(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield ''
  yield* lines
}

function collectionOf(database: ServiceConnection, name: string): mongoose.mongo.Collection {
  const { db } = fullConnection(database)
  if (!db) throw new Error('the database is not open')
  return db.collection(name)
}

/** Parts whose records name their workspace; those that are found by their id are bookkeeping. */
const ownParts = async (collection: mongoose.mongo.Collection, workspaceId: string) =>
  (await partsOf(collection, workspaceId)).filter(({ hint }) => hint !== '_id_')
