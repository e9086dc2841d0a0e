import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Connection } from 'mongoose'
import type { Logger } from '../core/logger.ts'
import { isDuplicateKey } from './mongo.ts'

type Db = NonNullable<Connection['db']>

/** One step of a database's history. It must be safe to run again: a crash may strike between its end and its record. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly up: (db: Db) => Promise<void>
}

interface Applied {
  _id: number
  name: string
  appliedAt: Date
}

const leaseMs = 30_000
const lockWaitMs = 60_000
const lockId = 'lock'

/** Reads `0001-name.ts`, `0002-name.ts`, … of a folder; each exports `up(db)`. @throws where a number is missing or doubled. */
export async function loadMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => /^\d{4}-[\w-]+\.ts$/.test(file)).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const number = Number(file.slice(0, 4))
      if (number !== index + 1) throw new Error(`migration ${file} should have number ${index + 1}`)
      const { up } = await import(pathToFileURL(join(directory, file)).href)
      if (typeof up !== 'function') throw new Error(`migration ${file} exports no function up`)
      return { number, name: file.slice(5, -3), up }
    }),
  )
}

/**
 * Brings a database up to date, forward only. Several processes may call it at once: one holds the lock and works, the
 * others wait and then find nothing to do.
 * @throws when the database has been written by newer code, or when the lock is not free within a minute.
 */
export async function runMigrations(
  connection: Connection,
  { migrations, logger }: { migrations: readonly Migration[]; logger: Logger },
): Promise<void> {
  const { db } = connection
  if (!db) throw new Error('the connection is not open')
  if ((await pendingOf(db, migrations)).length === 0) return
  await withLock(db, async () => {
    for (const migration of await pendingOf(db, migrations)) {
      await migration.up(db)
      await applied(db).insertOne({ _id: migration.number, name: migration.name, appliedAt: new Date() })
      logger.info({ migration: migration.number, title: migration.name }, 'migration applied')
    }
  })
}

const applied = (db: Db) => db.collection<Applied>('migrations')

async function pendingOf(db: Db, migrations: readonly Migration[]): Promise<Migration[]> {
  const done = new Set((await applied(db).find({}).toArray()).map((record) => record._id))
  const newest = Math.max(0, ...done)
  if (newest > migrations.length) {
    throw new Error(
      `the database is at migration ${newest}, this code knows only ${migrations.length}: deploy newer code`,
    )
  }
  return migrations.filter((migration) => !done.has(migration.number))
}

/** Runs `work` while holding the one lock of the database; the lease is renewed as long as it lasts. */
async function withLock(db: Db, work: () => Promise<void>): Promise<void> {
  const owner = randomUUID()
  await createLock(db)
  const giveUpAt = Date.now() + lockWaitMs
  while (!(await takeLock(db, owner))) {
    if (Date.now() > giveUpAt) throw new Error('another process has held the migration lock for a minute')
    await wait(200)
  }
  const renewal = setInterval(() => {
    takeLock(db, owner).catch(() => {
      // The lease outlasts two missed renewals; a lost database fails the migration itself.
    })
  }, leaseMs / 3)
  try {
    await work()
  } finally {
    clearInterval(renewal)
    await releaseLock(db, owner)
  }
}

const locks = (db: Db) => db.collection<{ _id: string; owner: string; expiresAt: Date }>('migrationLock')

/** By the server's clock: the clocks of several machines need not agree. */
async function takeLock(db: Db, owner: string): Promise<boolean> {
  const free = { $or: [{ owner }, { $expr: { $lt: ['$expiresAt', '$$NOW'] } }] }
  const lease = { owner, expiresAt: { $add: ['$$NOW', leaseMs] } }
  const { matchedCount } = await locks(db).updateOne({ _id: lockId, ...free }, [{ $set: lease }])
  return matchedCount === 1
}

/** The server takes no `$expr` in an upsert, so the lock exists before anyone takes it. */
async function createLock(db: Db): Promise<void> {
  const free = { owner: '', expiresAt: new Date(0) }
  await locks(db)
    .updateOne({ _id: lockId }, { $setOnInsert: free }, { upsert: true })
    .catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
}

async function releaseLock(db: Db, owner: string): Promise<void> {
  await locks(db).updateOne({ _id: lockId, owner }, { $set: { owner: '', expiresAt: new Date(0) } })
}
