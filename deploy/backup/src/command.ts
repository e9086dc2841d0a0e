import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keyRingSchema } from '@parley/service-kit/core/key-ring'
import { MongoClient } from 'mongodb'
import { z } from 'zod'
import { type Manifest, verifyBackup } from './archive.ts'
import { backupDatabases } from './backup-databases.ts'
import { listBeside, recordErasures } from './erasures.ts'
import { countHeld, releaseHeld } from './held-records.ts'
import { Refusal } from './refusal.ts'
import { restoreDatabases } from './restore-databases.ts'

/**
 * `npm run data -- backup <new folder>`, `npm run data -- restore <folder> [--verify] [--force] [--erasures <file>]`,
 * `npm run data -- erasures <folder of backups>`, `npm run data -- release-held [workspace id]`.
 * A refusal is one line and exit code 1.
 */
const usage =
  'usage: MONGODB_URL=… npm run data -- backup <new folder>, or restore <folder> [--verify] [--force] [--erasures <file>], ' +
  'or erasures <folder of backups>, or release-held [workspace id]'

const urlSchema = z
  .string()
  .regex(/^mongodb(\+srv)?:\/\/[^/]+/)
  .catch(() => {
    throw new Refusal('MONGODB_URL must be a mongodb URL.')
  })

/** Reads the keys of backups, in the form of `SESSION_KEYS`: name:base64 pairs, of which the first encrypts and all decrypt. */
function keysOfBackups() {
  const text = process.env['BACKUP_KEYS']
  if (!text) return []
  const { data, error } = keyRingSchema.safeParse(text)
  if (error) throw new Refusal(`BACKUP_KEYS ${error.issues[0]?.message}.`)
  return data
}

const workspaceIdSchema = z
  .string()
  .regex(/^[0-9a-f]{24}$/)
  .catch(() => {
    throw new Refusal('A workspace id has 24 hexadecimal digits.')
  })

try {
  const [command, folder, flags] = readArguments()
  if (command === 'release-held') await onServer((client) => release(client, folder))
  else if (command === 'erasures') await onServer((client) => noteErasures(client, join(folder, 'erasures.jsonl')))
  else if (command === 'restore' && flags.verify)
    print('Verified', (await verifyBackup(folder, keysOfBackups())).manifest)
  else await onServer((client) => work(client, command, { folder, ...flags }))
} catch (error) {
  process.exitCode = 1
  // The URL holds a password; the driver's messages name hosts only.
  console.error(error instanceof Refusal ? error.message : `Failed: ${error instanceof Error ? error.message : error}`)
}

async function work(
  client: MongoClient,
  command: string,
  { folder, force, erasures }: { folder: string; force: boolean; erasures?: string | undefined },
): Promise<void> {
  const keys = keysOfBackups()
  if (command === 'restore') {
    const options = { force, into: namedDatabase(), keys, erasures }
    const { manifest, held, sessions, erased } = await restoreDatabases(client, folder, options)
    print('Restored', manifest)
    console.log(`${erased} contacts of the list of erasures are erased again when the worker runs.`)
    if (held > 0)
      console.log(`${held} messages that waited to be sent are held: npm run data -- release-held lists them.`)
    if (sessions > 0) console.log(`${sessions} sessions of bots are held: members release or end them.`)
    return
  }
  const { manifest, sha256 } = await backupDatabases(client, await databasesOf(client), folder, keys)
  print('Saved', manifest)
  if (keys.length === 0) console.log('It is not encrypted: BACKUP_KEYS names no key.')
  await noteErasures(client, listBeside(folder))
  console.log(`${folder} is whole. SHA-256 of its manifest, to keep elsewhere: ${sha256}`)
}

async function noteErasures(client: MongoClient, file: string): Promise<void> {
  const databases = (await databasesOf(client)).map((name) => client.db(name))
  console.log(`${await recordErasures(databases, file)} erasures added to ${file}.`)
}

/** Releases the held messages of a workspace; only lists them where none is given. */
async function release(client: MongoClient, workspaceId: string): Promise<void> {
  const wanted = workspaceId === '' ? undefined : workspaceIdSchema.parse(workspaceId)
  const databases = (await databasesOf(client)).map((name) => client.db(name))
  if (wanted) {
    const released = await Promise.all(databases.map((db) => releaseHeld(db, wanted)))
    return console.log(
      `${released.reduce((sum, count) => sum + count, 0)} messages of workspace ${wanted} will be sent.`,
    )
  }
  const held = (await Promise.all(databases.map(countHeld))).flat()
  for (const { workspaceId: id, messages } of held) console.log(`workspace ${id}: ${messages} messages held`)
  if (held.length === 0) console.log('No message is held.')
}

function readArguments() {
  const options = {
    force: { type: 'boolean', default: false },
    verify: { type: 'boolean', default: false },
    erasures: { type: 'string' },
  } as const
  const [command = '', ...rest] = process.argv.slice(2)
  try {
    const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true })
    const [folder, ...more] = positionals
    if (['backup', 'restore', 'erasures'].includes(command) && folder && more.length === 0)
      return [command, folder, values] as const
    if (command === 'release-held' && more.length === 0) return [command, folder ?? '', values] as const
  } catch {
    // An unknown flag is answered with the usage, too.
  }
  throw new Refusal(usage)
}

async function onServer(run: (client: MongoClient) => Promise<void>): Promise<void> {
  const url = urlSchema.parse(process.env['MONGODB_URL'])
  const client = new MongoClient(url, { appName: 'parley-backup', serverSelectionTimeoutMS: 5000 })
  try {
    await client.connect()
    await run(client)
  } finally {
    await client.close()
  }
}

/** The database of the URL, which may list several hosts. */
function namedDatabase(): string | undefined {
  const [, name] = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(process.env['MONGODB_URL'] ?? '') ?? []
  return name && decodeURIComponent(name)
}

/** The one that the URL names, or all that its account may see but MongoDB's own. */
async function databasesOf(client: MongoClient): Promise<string[]> {
  const named = namedDatabase()
  if (named) return [named]
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true, authorizedDatabases: true })
  const names = databases.map(({ name }) => name).filter((name) => !['admin', 'config', 'local'].includes(name))
  if (names.length === 0) throw new Refusal('There is no database that this account may read.')
  return names
}

function print(what: string, { takenAt, collections }: Manifest): void {
  for (const { database, name, documents } of collections) console.log(`${database}.${name}: ${documents} documents`)
  console.log(`${what}: the backup of ${takenAt}.`)
}
