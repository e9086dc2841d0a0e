import { type Db, ObjectId } from 'mongodb'
import { log } from '../report.ts'

/** Records of one collection that a further workspace has. */
const recordsOfEach = 3
const batchSize = 2000

/** Adds workspaces with copies of some records of one that is at rest, of every collection: nothing of theirs waits for work. */
export async function addWorkspaces(db: Db, workspaceId: ObjectId, count: number): Promise<void> {
  const own = { workspaceId: { $in: [workspaceId, workspaceId.toHexString()] } }
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
  const workspaces = Array.from({ length: count }, () => new ObjectId())
  for (const name of names.filter((one) => !one.startsWith('system.'))) {
    const records = await db.collection(name).find(own).limit(recordsOfEach).toArray()
    const copies = workspaces.flatMap((of) =>
      records.map(({ _id, workspaceId: was, ...fields }) => ({
        ...fields,
        ...(_id instanceof ObjectId
          ? {}
          : { _id: String(_id).replaceAll(workspaceId.toHexString(), of.toHexString()) }),
        workspaceId: typeof was === 'string' ? of.toHexString() : of,
      })),
    )
    for (let start = 0; start < copies.length; start += batchSize)
      await db
        .collection(name)
        // A number of the platform is in one workspace alone.
        .insertMany(copies.slice(start, start + batchSize) as object[], { ordered: false })
        .catch((error: unknown) => {
          if (!(error instanceof Error && 'code' in error && error.code === 11_000)) throw error
        })
  }
  log(`${count} further workspaces`)
}
