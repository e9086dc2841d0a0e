import mongoose from 'mongoose'
import type { Logger } from '../core/logger.ts'
import { fullConnection, type ServiceConnection } from './mongo.ts'

const batch = 1000
/** Milliseconds of one run: what is left is done in the next one. */
const runMs = 30_000

const { ObjectId } = mongoose.mongo
type Collection = mongoose.mongo.Collection
type Filter = mongoose.mongo.Filter<mongoose.mongo.Document>

/** Files of a service, whose contents lie apart from their records. */
export interface ErasableFiles {
  /** Collection of their records. */
  readonly name: string
  /** Deletes files of a workspace with their contents, some at a time. @returns their number. */
  readonly removeOf: (scope: { readonly workspaceId: string }) => Promise<number>
}

interface Options {
  readonly files?: readonly ErasableFiles[]
  /** Collections that stay. */
  readonly keep?: readonly string[]
  /** Collections that are erased once a run has found nothing else: what stands in them is known for as long as anything is left. */
  readonly last?: readonly string[]
  readonly now?: () => number
}

/**
 * Deletes what a service has stored of a workspace: in every collection of its database, whatever feature it belongs to, in batches.
 * Safe to run again, also beside another process.
 * @returns how much it has deleted, and whether it has come to the end.
 */
export async function eraseWorkspace(
  database: ServiceConnection,
  workspaceId: string,
  { files = [], keep = [], last = [], now = Date.now }: Options = {},
): Promise<{ removed: number; done: boolean }> {
  const { db } = fullConnection(database)
  if (!db) throw new Error('the database is not open')
  const end = now() + runMs
  let removed = 0

  /** Runs a deletion until it finds nothing. @returns false where its time is over. */
  async function exhaust(remove: () => Promise<number>): Promise<boolean> {
    for (let found = 1; found > 0; removed += found) {
      if (now() >= end) return false
      found = await remove()
    }
    return true
  }

  for (const { removeOf } of files)
    if (!(await exhaust(() => removeOf({ workspaceId })))) return { removed, done: false }
  const apart = new Set([...keep, ...last, ...files.map(({ name }) => name)])
  const found = (await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()).map(({ name }) => name)
  const isLast = (name: string) => last.includes(name) && !keep.includes(name)
  for (const name of [...found.filter((one) => !apart.has(one) && !isApart(one)), ...found.filter(isLast)]) {
    if (isLast(name) && removed > 0) return { removed, done: true }
    const collection = db.collection(name)
    for (const part of await partsOf(collection, workspaceId))
      if (!(await exhaust(() => removeBatch(collection, part)))) return { removed, done: false }
  }
  return { removed, done: true }
}

/** Collections that are found by others: contents of files by their records. */
export const isApart = (name: string): boolean => /^system\.|\.(?:files|chunks)$/.test(name)

interface Part {
  readonly filter: Filter
  readonly hint: string
}

/** Returns the filters that find the documents of a workspace in a collection, each with its index. */
export async function partsOf(collection: Collection, workspaceId: string): Promise<Part[]> {
  // Files name their workspace by a string.
  const own = { workspaceId: { $in: [new ObjectId(workspaceId), workspaceId] } }
  const indexes = (await collection.indexes()).filter(({ key }) => Object.keys(key)[0] === 'workspaceId')
  const whole = indexes.find(({ partialFilterExpression, sparse }) => !partialFilterExpression && !sparse)
  const parts = whole ? [whole] : indexes
  return [
    ...parts.map(({ name = '', partialFilterExpression = {} }) => ({
      filter: { ...partialFilterExpression, ...own },
      hint: name,
    })),
    // One document for a workspace, and those whose id begins with it.
    { filter: { _id: new ObjectId(workspaceId) }, hint: '_id_' },
    { filter: { _id: { $gte: `${workspaceId}.`, $lt: `${workspaceId}/` } as object }, hint: '_id_' },
  ]
}

async function removeBatch(collection: Collection, { filter, hint }: Part): Promise<number> {
  const ids = await collection.find(filter, { projection: { _id: 1 }, limit: batch, hint }).toArray()
  if (ids.length === 0) return 0
  const { deletedCount } = await collection.deleteMany({ _id: { $in: ids.map(({ _id }) => _id) } })
  return deletedCount
}

/**
 * The part of a worker in the deletion of workspaces: erases those that profile names, and reports how much it has found. Profile asks
 * again until nothing was found: what was under way at the first time may have been stored after it.
 */
export function createWorkspaceEraser({
  connection,
  files = [],
  last = [],
  due,
  report,
  logger,
}: {
  readonly connection: ServiceConnection
  readonly files?: readonly ErasableFiles[]
  readonly last?: readonly string[]
  readonly due: () => Promise<readonly string[]>
  readonly report: (workspaceId: string, removed: number) => Promise<void>
  readonly logger: Pick<Logger, 'info'>
}): () => Promise<void> {
  return async function run(): Promise<void> {
    for (const workspaceId of await due()) {
      const { removed, done } = await eraseWorkspace(connection, workspaceId, { files, last })
      logger.info({ workspaceId, removed, done }, 'records of a deleted workspace were erased')
      if (done) await report(workspaceId, removed)
    }
  }
}
