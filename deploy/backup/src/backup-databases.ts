import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NamedKey } from '@parley/service-kit/core/key-ring'
import { BSON, type ClientSession, type Db, type MongoClient, MongoServerError } from 'mongodb'
import { formats, type Manifest, type SavedCollection, writeDocuments, writeManifest } from './archive.ts'
import { type BackupKeys, cipher } from './encryption.ts'
import { Refusal } from './refusal.ts'

/**
 * Saves databases into a new folder, all collections of all of them as they were at one moment (a snapshot read of the
 * replica set). A folder under its final name is whole: it is filled beside it and renamed at the end.
 * @param keys the first one encrypts; without any the files are plain.
 * @returns the manifest and its SHA-256.
 * @throws Refusal where the folder exists, the server gives no snapshot, or the copy takes longer than it keeps one (five
 * minutes unless `minSnapshotHistoryWindowInSeconds` says otherwise).
 */
export async function backupDatabases(
  client: MongoClient,
  databases: readonly string[],
  folder: string,
  [key]: BackupKeys = [],
) {
  const part = `${folder}.part`
  await claim(folder, part)
  try {
    const collections: SavedCollection[] = []
    await client.withSession({ snapshot: true }, async (session) => {
      for (const name of databases) await save(client.db(name), session, { folder: part, key }, collections)
    })
    const { version } = await client.db('admin').admin().serverInfo()
    const takenAt = new Date().toISOString()
    const manifest: Manifest = {
      format: key ? formats.encrypted : formats.plain,
      ...(key && { encryption: { cipher, key: key.id } }),
      takenAt,
      serverVersion: String(version),
      databases: [...databases],
      collections,
    }
    const sha256 = await writeManifest(part, manifest, key)
    await rename(part, folder)
    return { manifest, sha256 }
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw inWords(error)
  }
}

/** Documents of people: for the owner's eyes only. */
async function claim(folder: string, part: string): Promise<void> {
  const exists = () => {
    throw new Refusal(`${folder} exists already, or a backup into it is under way (${part}).`)
  }
  await mkdir(folder, { mode: 0o700 }).catch(exists)
  await rm(folder, { recursive: true })
  await mkdir(part, { mode: 0o700 }).catch(exists)
}

async function save(
  db: Db,
  session: ClientSession,
  { folder, key }: { folder: string; key: NamedKey | undefined },
  saved: SavedCollection[],
): Promise<void> {
  const found = await db.listCollections({}, { nameOnly: false }).toArray()
  for (const { name, type, options = {} } of found.filter((one) => !one.name.startsWith('system.'))) {
    if (type !== 'collection') throw new Refusal(`${name} is a ${type}: only plain collections can be saved.`)
    const collection = db.collection(name)
    // Dates and ids in a partial index or a validator keep their kind in extended JSON.
    const indexes = (await collection.indexes()).map(({ v: _version, ...index }) => BSON.EJSON.serialize(index))
    const file = `${String(saved.length).padStart(3, '0')}-${name.replace(/[^\w-]/g, '_')}.bson.gz${key ? '.enc' : ''}`
    const documents = collection.find<Buffer>({}, { session, raw: true, batchSize: 500 })
    const facts = await writeDocuments(join(folder, file), documents, key)
    saved.push({ database: db.databaseName, name, file, options: BSON.EJSON.serialize(options), indexes, ...facts })
  }
}

const tooOld = 239
const noSnapshots = new Set([72, 20, 123, 246])

function inWords(error: unknown): unknown {
  if (!(error instanceof MongoServerError)) return error
  if (error.code === tooOld)
    return new Refusal(
      "The copy took longer than MongoDB keeps a snapshot: raise minSnapshotHistoryWindowInSeconds, or use your provider's snapshots.",
    )
  return noSnapshots.has(Number(error.code)) ? new Refusal(`The server gives no snapshot: ${error.message}`) : error
}
