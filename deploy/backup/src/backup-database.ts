import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BSON, type ClientSession, type Db, type MongoClient, MongoServerError } from 'mongodb'
import { writeDocuments } from './bson-file.ts'
import { format, type Manifest, type SavedCollection, writeManifest } from './manifest.ts'
import { Refusal } from './refusal.ts'

/**
 * Saves one database into a new folder, all collections as they were at one moment (a snapshot read of the replica set).
 * A folder under its final name is whole: it is filled beside it and renamed at the end.
 * @returns the manifest and its SHA-256.
 * @throws Refusal where the folder exists, the server gives no snapshot, or the copy takes longer than it keeps one (five
 * minutes unless `minSnapshotHistoryWindowInSeconds` says otherwise).
 */
export async function backupDatabase(
  client: MongoClient,
  folder: string,
): Promise<{ manifest: Manifest; sha256: string }> {
  const part = `${folder}.part`
  await claim(folder, part)
  try {
    const db = client.db()
    const collections = await client.withSession({ snapshot: true }, (session) => saveAll(db, session, part))
    const { version } = await db.admin().serverInfo()
    const manifest: Manifest = {
      format,
      database: db.databaseName,
      takenAt: new Date().toISOString(),
      serverVersion: String(version),
      collections,
    }
    const sha256 = await writeManifest(part, manifest)
    await rename(part, folder)
    return { manifest, sha256 }
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw inWords(error)
  }
}

/** Documents of people: for the owner's eyes only. */
async function claim(folder: string, part: string): Promise<void> {
  const taken = () => {
    throw new Refusal(`${folder} exists already, or a backup into it is under way (${part}).`)
  }
  await mkdir(folder, { mode: 0o700 }).catch(taken)
  await rm(folder, { recursive: true })
  await mkdir(part, { mode: 0o700 }).catch(taken)
}

async function saveAll(db: Db, session: ClientSession, folder: string): Promise<SavedCollection[]> {
  const found = await db.listCollections({}, { nameOnly: false }).toArray()
  const odd = found.filter(({ name, type }) => type !== 'collection' && !name.startsWith('system.'))
  if (odd.length > 0) throw new Refusal(`${odd[0]?.name} is a ${odd[0]?.type}: only plain collections can be saved.`)
  const saved: SavedCollection[] = []
  for (const { name, options = {} } of found.filter((collection) => !collection.name.startsWith('system.'))) {
    const collection = db.collection(name)
    // Dates and ids in a partial index or a validator keep their kind in extended JSON.
    const indexes = (await collection.indexes()).map(({ v: _version, ...index }) => BSON.EJSON.serialize(index))
    const file = `${String(saved.length).padStart(3, '0')}-${name.replace(/[^\w-]/g, '_')}.bson.gz`
    const documents = collection.find<Buffer>({}, { session, raw: true, batchSize: 500 })
    saved.push({
      name,
      file,
      options: BSON.EJSON.serialize(options),
      indexes,
      ...(await writeDocuments(join(folder, file), documents)),
    })
  }
  return saved
}

const tooOld = 239
const noSnapshots = new Set([72, 20, 123, 246])

function inWords(error: unknown): unknown {
  if (!(error instanceof MongoServerError)) return error
  if (error.code === tooOld)
    return new Refusal(
      "The copy took longer than MongoDB keeps a snapshot: raise minSnapshotHistoryWindowInSeconds, or use your provider's snapshots.",
    )
  if (noSnapshots.has(Number(error.code))) return new Refusal(`The server gives no snapshot: ${error.message}`)
  return error
}
