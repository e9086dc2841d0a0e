import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Connection } from 'mongoose'
import type { Logger } from '../core/logger.ts'
import { isDuplicateKey } from './mongo.ts'

type Db = NonNullable<Connection['db']>

/** One step of a database's history. */
export interface Migration {
  readonly number: number
  readonly name: string
  /** Reads the file of a step that is to be done: the code of the others is not opened. */
  readonly load: () => Promise<Step>
}

interface Step {
  /** Must be safe to run again: a crash may strike between its end and its record. */
  readonly up: (db: Db) => Promise<void>
  /**
   * Set where code that does not know this migration cannot work with the database any more; says why, for the operator.
   * Any other migration is additive: the version before keeps running, and starting, beside it.
   */
  readonly breaking?: string
}

type Applied = { _id: number; name: string; appliedAt: Date } & (
  | { kind: 'additive' }
  | { kind: 'breaking'; reason: string }
)

const usualLeaseMs = 30_000
const lockWaitMs = 60_000
const lockId = 'lock'

/**
 * Lists `0001-name.ts`, `0002-name.ts`, … of a folder; numbers may be left out, so that branches can each take a range. Each
 * file exports `up(db)`, and a text `breaking` where older code cannot work with the result. @throws where a number is doubled.
 */
export async function loadMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => /^\d{4}-[\w-]+\.ts$/.test(file)).sort()
  return files.map((file, index) => {
    if (files[index - 1]?.startsWith(file.slice(0, 4))) throw new Error(`two migrations have the number of ${file}`)
    return { number: Number(file.slice(0, 4)), name: file.slice(5, -3), load: () => loadStep(directory, file) }
  })
}

async function loadStep(directory: string, file: string): Promise<Step> {
  const { up, breaking } = await import(pathToFileURL(join(directory, file)).href)
  if (typeof up !== 'function') throw new Error(`migration ${file} exports no function up`)
  if (breaking !== undefined && (typeof breaking !== 'string' || breaking === ''))
    throw new Error(`migration ${file} must export as breaking the reason, as a text`)
  return { up, ...(breaking !== undefined && { breaking }) }
}

interface Options {
  readonly migrations: readonly Migration[]
  readonly logger: Logger
  /** Milliseconds for which the lock of a killed process still holds; it is renewed while its holder lives. */
  readonly leaseMs?: number
  /** Ends the wait for the lock, and the work before its next step. */
  readonly signal?: AbortSignal | undefined
}

/** Another process holds the lock: its work will be done, and this one may try again. */
export class LockNotHeld extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LockNotHeld'
  }
}

/**
 * Brings a database up to date, forward only. Several processes may call it at once: one holds the lock and works, the
 * others wait and then find nothing to do. Additive migrations of newer code are accepted as they are.
 * @throws when newer code has made a breaking migration, or other code one of the same number; {@link LockNotHeld} when the lock is not free within a
 * minute or was lost.
 */
export async function runMigrations(
  connection: Connection,
  { migrations, logger, leaseMs = usualLeaseMs, signal }: Options,
): Promise<void> {
  const db = databaseOf(connection)
  if ((await pendingOf(db, migrations)).length === 0) return
  await withLock(db, { leaseMs, signal }, async (assertHeld) => {
    const pending = await pendingOf(db, migrations)
    const steps = await Promise.all(pending.map(async (migration) => ({ ...migration, ...(await migration.load()) })))
    for (const migration of steps) {
      signal?.throwIfAborted()
      await assertHeld()
      await migration.up(db)
      await assertHeld()
      await applied(db).insertOne(recordOf(migration))
      logger.info({ migration: migration.number, title: migration.name }, 'migration applied')
    }
  })
}

/**
 * Returns what {@link runMigrations} would do now, in its order. Only reads: it takes no lock and makes no collection.
 * @throws where {@link runMigrations} would refuse the database.
 */
export const pendingMigrations = (connection: Connection, migrations: readonly Migration[]): Promise<Migration[]> =>
  pendingOf(databaseOf(connection), migrations)

function databaseOf({ db }: Connection): Db {
  if (!db) throw new Error('the connection is not open')
  return db
}

const applied = (db: Db) => db.collection<Applied>('migrations')

function recordOf({ number, name, breaking }: Migration & Step): Applied {
  const record = { _id: number, name, appliedAt: new Date() }
  return breaking === undefined ? { ...record, kind: 'additive' } : { ...record, kind: 'breaking', reason: breaking }
}

async function pendingOf(db: Db, migrations: readonly Migration[]): Promise<Migration[]> {
  const done = await applied(db).find({}).sort({ _id: 1 }).toArray()
  const knownNumbers = new Set(migrations.map(({ number }) => number))
  for (const record of done.filter(({ _id }) => !knownNumbers.has(_id)))
    refuseBreaking(record, Math.max(0, ...knownNumbers))
  const names = new Map(done.map(({ _id, name }) => [_id, name]))
  for (const { number, name } of migrations) {
    const recorded = names.get(number)
    if (recorded !== undefined && recorded !== name) {
      throw new Error(`migration ${number} of the database is "${recorded}", that of this code is "${name}"`)
    }
  }
  return migrations.filter((migration) => !names.has(migration.number))
}

/** A record without a kind is of a version that did not tell them apart: it may not be additive. */
function refuseBreaking(record: Applied, known: number): void {
  if (record.kind === 'additive') return
  const reason = record.kind === 'breaking' ? ` (${record.name}: ${record.reason})` : ''
  throw new Error(
    `the database is at migration ${record._id}${reason}, this code knows only ${known}: deploy newer code, or restore a backup from before`,
  )
}

/**
 * Runs `work` while holding the one lock of the database; the lease is renewed as long as it lasts. A process that was frozen
 * past its lease finds out by `assertHeld` and leaves the rest to the process that took over.
 */
async function withLock(
  db: Db,
  { leaseMs, signal }: { leaseMs: number; signal: AbortSignal | undefined },
  work: (assertHeld: () => Promise<void>) => Promise<void>,
) {
  const owner = randomUUID()
  await createLock(db)
  const giveUpAt = Date.now() + lockWaitMs
  while (!(await takeLock(db, owner, leaseMs))) {
    if (Date.now() > giveUpAt) throw new LockNotHeld('another process has held the migration lock for a minute')
    await wait(200, undefined, signal && { signal })
  }
  const renewal = setInterval(() => {
    renewLock(db, owner, leaseMs).catch(() => {
      // The lease outlasts two missed renewals; a lost database fails the migration itself.
    })
  }, leaseMs / 3)
  const assertHeld = async () => {
    if (!(await renewLock(db, owner, leaseMs)))
      throw new LockNotHeld('another process has taken over the migration lock')
  }
  try {
    await work(assertHeld)
  } finally {
    clearInterval(renewal)
    await releaseLock(db, owner)
  }
}

const locks = (db: Db) => db.collection<{ _id: string; owner: string; expiresAt: Date }>('migrationLock')

const takeLock = (db: Db, owner: string, leaseMs: number) =>
  lease(db, { $expr: { $lt: ['$expiresAt', '$$NOW'] } }, owner, leaseMs)

const renewLock = (db: Db, owner: string, leaseMs: number) => lease(db, { owner }, owner, leaseMs)

/** Takes or renews the lock by the server's clock: the clocks of several machines need not agree. */
async function lease(db: Db, free: object, owner: string, leaseMs: number): Promise<boolean> {
  const held = { owner, expiresAt: { $add: ['$$NOW', leaseMs] } }
  const { matchedCount } = await locks(db).updateOne({ _id: lockId, ...free }, [{ $set: held }])
  return matchedCount === 1
}

/** Creates the lock's document first, because the server accepts no `$expr` in an upsert. */
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
