import { type Connection, Types } from 'mongoose'
import { partsOf } from '../data/erase-workspace.ts'

type Document = Record<string, unknown>

interface Known {
  /** Collections with one document for a workspace, under its id. */
  readonly keyed?: readonly string[]
  /** Collections whose ids begin with a workspace. */
  readonly prefixed?: readonly string[]
  /** Collections that have nothing of a workspace. */
  readonly others?: readonly string[]
  /** Collections without an index of all documents of a workspace: fields of documents that its partial indexes cover together. */
  readonly covered?: Readonly<Record<string, readonly Document[]>>
}

/**
 * Fills every collection of a migrated database with documents of some workspaces, as its indexes ask for.
 * @param known collections that have no `workspaceId`. @throws for a collection that is neither known nor has one.
 */
export async function fillEveryCollection(
  { db, models }: Connection,
  workspaceIds: readonly string[],
  { keyed = [], prefixed = [], others = [], covered = {} }: Known,
): Promise<string[]> {
  if (!db) throw new Error('the connection is not open')
  const filled: string[] = []
  const unknown: string[] = []
  const ofModels = Object.values(models).map(({ collection }) => collection.collectionName)
  const stored = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
  for (const name of new Set([...stored, ...ofModels])) {
    if (others.includes(name) || /^system\.|\.(?:files|chunks)$/.test(name)) continue
    const collection = db.collection<Document>(name)
    const indexes = await collection.indexes().catch(() => [])
    const paths = new Set(indexes.flatMap(({ key }) => Object.keys(key)))
    const hasWorkspaces = paths.has('workspaceId')
    if (!hasWorkspaces && !keyed.includes(name) && !prefixed.includes(name)) {
      unknown.push(name)
      continue
    }
    const whole = indexes.some(
      ({ key, partialFilterExpression }) => Object.keys(key)[0] === 'workspaceId' && !partialFilterExpression,
    )
    if (hasWorkspaces && !whole && !covered[name]) {
      unknown.push(name)
      continue
    }
    for (const workspaceId of workspaceIds) {
      const id = new Types.ObjectId(workspaceId)
      const ids: Document[] = keyed.includes(name)
        ? [{ _id: id }]
        : prefixed.includes(name)
          ? [{ _id: `${workspaceId}.a` }, { _id: `${workspaceId}.b` }]
          : (covered[name] ?? [{}, {}]).map((fields) => ({ ...valuesOf(paths, indexes), ...fields, workspaceId: id }))
      // One document for each value of a unique index that has the workspace alone.
      await collection.insertMany(ids as never, { ordered: false }).catch((error: { code?: unknown }) => {
        if (error.code !== 11_000) throw error
      })
    }
    filled.push(name)
  }
  if (unknown.length > 0) throw new Error(`no index finds all of a workspace in ${unknown.join(', ')}`)
  return filled
}

/** A time at which no index has deleted a document. */
const nextYear = new Date(Date.now() + 365 * 86_400_000)

/** Values for all indexed paths: another one each time. */
function valuesOf(
  paths: ReadonlySet<string>,
  indexes: readonly { expireAfterSeconds?: number; key: object }[],
): Document {
  const times = new Set(
    indexes.flatMap(({ expireAfterSeconds, key }) => (expireAfterSeconds === undefined ? [] : Object.keys(key))),
  )
  const document: Document = {}
  for (const path of paths) {
    if (path === '_id' || path === 'workspaceId') continue
    const parts = path.split('.')
    const last = parts.pop() ?? ''
    let place = document
    for (const part of parts) {
      if (typeof place[part] !== 'object') place[part] = {}
      place = Object(place[part])
    }
    if (typeof place[last] !== 'object') place[last] = times.has(path) ? nextYear : new Types.ObjectId().toHexString()
  }
  return document
}

/** Returns everything that a database says of a workspace, by collection; files by their records. */
export async function everythingOf({ db }: Connection, workspaceId: string): Promise<Record<string, unknown[]>> {
  if (!db) throw new Error('the connection is not open')
  const found: Record<string, unknown[]> = {}
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (name.endsWith('.chunks')) continue
    // Whatever names it, in whichever field: the whole collection is looked through.
    const documents = (await db.collection(name).find({}).sort({ _id: 1 }).toArray()).filter((document) =>
      JSON.stringify(document).includes(workspaceId),
    )
    if (documents.length > 0) found[name] = documents
  }
  return found
}

/** Returns collections of which a query of the erasure has no index. */
export async function unindexedParts({ db }: Connection, workspaceId: string): Promise<string[]> {
  if (!db) throw new Error('the connection is not open')
  const slow: string[] = []
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (/^system\.|\.(?:files|chunks)$/.test(name)) continue
    const collection = db.collection(name)
    for (const { filter, hint } of await partsOf(collection, workspaceId)) {
      const plan = await collection.find(filter).hint(hint).explain('queryPlanner')
      if (JSON.stringify(plan).includes('COLLSCAN')) slow.push(name)
    }
  }
  return slow
}
