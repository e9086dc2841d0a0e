import type { Connection } from 'mongoose'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { type Migration, pendingMigrations, runMigrations } from '../data/migrations.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const logger = createLogger({ name: 'test', level: 'silent' })
let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
})
afterEach(() => database.drop())

type Step = Awaited<ReturnType<Migration['load']>>
const migration = (number: number, up: Step['up'], more: Omit<Step, 'up'> = {}): Migration => ({
  number,
  name: `step-${number}`,
  load: async () => ({ up, ...more }),
})
/** A step that leaves one document for each time it runs. */
const counted = (number: number, more?: Omit<Step, 'up'>) =>
  migration(
    number,
    async (db) => {
      await db.collection('steps').insertOne({ number })
    },
    more,
  )
const stepsRun = async ({ db }: Connection): Promise<unknown[]> =>
  ((await db?.collection('steps').find().sort({ number: 1 }).toArray()) ?? []).map((step) => step['number'])
const lock = () => database.connection.collection<{ _id: string; owner: string; expiresAt: Date }>('migrationLock')

test('processes that start together run each step once, in order', async () => {
  const migrations = [counted(1), counted(2), counted(3)]
  const start = () => runMigrations(database.connection, { migrations, logger })
  await Promise.all([start(), start(), start(), start()])
  expect(await stepsRun(database.connection)).toEqual([1, 2, 3])
})

test('a later version runs only what is new', async () => {
  await runMigrations(database.connection, { migrations: [counted(1)], logger })
  await runMigrations(database.connection, { migrations: [counted(1), counted(2)], logger })
  expect(await stepsRun(database.connection)).toEqual([1, 2])
})

test('a step that fails is not recorded and leaves the lock free: the next start runs it again', async () => {
  const broken = migration(2, () => Promise.reject(new Error('no disk')))
  const failing = runMigrations(database.connection, { migrations: [counted(1), broken], logger })
  await expect(failing).rejects.toThrow('no disk')
  await runMigrations(database.connection, { migrations: [counted(1), counted(2)], logger })
  expect(await stepsRun(database.connection)).toEqual([1, 2])
})

test('older code accepts the additive steps of newer code, and adds none of its own anew', async () => {
  const newer = [counted(1), counted(2), counted(3)]
  await runMigrations(database.connection, { migrations: newer, logger })
  await runMigrations(database.connection, { migrations: [counted(1)], logger })
  expect(await stepsRun(database.connection)).toEqual([1, 2, 3])
  expect(await pendingMigrations(database.connection, [counted(1)])).toEqual([])
})

test('older code refuses a breaking step, with the reason that newer code gave', async () => {
  const breaking = counted(2, { breaking: 'phones moved to their own collection' })
  await runMigrations(database.connection, { migrations: [counted(1), breaking, counted(3)], logger })
  const older = runMigrations(database.connection, { migrations: [counted(1)], logger })
  await expect(older).rejects.toThrow(
    /at migration 2 \(step-2: phones moved to their own collection\), this code knows only 1/,
  )
})

test('the kind of each step is stored with it', async () => {
  const migrations = [counted(1), counted(2, { breaking: 'why' })]
  await runMigrations(database.connection, { migrations, logger })
  const records = await database.connection.collection('migrations').find().sort({ _id: 1 }).toArray()
  expect(records).toMatchObject([{ kind: 'additive' }, { kind: 'breaking', reason: 'why' }])
})

test('a newer step of unknown kind is refused', async () => {
  await runMigrations(database.connection, { migrations: [counted(1), counted(2)], logger })
  await database.connection.collection('migrations').updateMany({}, { $unset: { kind: 1 } })
  const older = runMigrations(database.connection, { migrations: [counted(1)], logger })
  await expect(older).rejects.toThrow(/at migration 2, this code knows only 1/)
})

test('a database with another step under the same number is refused: two branches have written it', async () => {
  await runMigrations(database.connection, { migrations: [counted(1)], logger })
  const other = runMigrations(database.connection, { migrations: [{ ...counted(1), name: 'other' }], logger })
  await expect(other).rejects.toThrow('migration 1 of the database is "step-1", that of this code is "other"')
})

test('a step below those that are done already is made up for: branches take ranges of numbers', async () => {
  await runMigrations(database.connection, { migrations: [counted(1), counted(20)], logger })
  await runMigrations(database.connection, { migrations: [counted(1), counted(10), counted(20)], logger })
  expect(await stepsRun(database.connection)).toEqual([1, 10, 20])
})

test('what is to be done can be asked without doing it, not even a lock is made', async () => {
  await runMigrations(database.connection, { migrations: [counted(1)], logger })
  await database.connection.dropCollection('migrationLock')
  const pending = await pendingMigrations(database.connection, [counted(1), counted(2), counted(3)])
  expect(pending.map(({ name }) => name)).toEqual(['step-2', 'step-3'])
  expect(await stepsRun(database.connection)).toEqual([1])
  const collections = await database.connection.listCollections()
  expect(collections.map(({ name }) => name)).not.toContain('migrationLock')
})

test('a process that has lost its lock records nothing and leaves the rest to its successor', async () => {
  const frozen = migration(1, async () => {
    await lock().updateOne({ _id: 'lock' }, { $set: { owner: 'successor', expiresAt: new Date(Date.now() + 60_000) } })
  })
  const running = runMigrations(database.connection, { migrations: [frozen, counted(2)], logger })
  await expect(running).rejects.toThrow('another process has taken over the migration lock')
  expect(await stepsRun(database.connection)).toEqual([])
  expect(await database.connection.collection('migrations').countDocuments()).toBe(0)
  expect((await lock().findOne())?.owner).toBe('successor')
})

test('the lock of a process that died is taken over once its lease has ended', async () => {
  await lock().insertOne({ _id: 'lock', owner: 'dead', expiresAt: new Date(Date.now() - 1000) })
  await runMigrations(database.connection, { migrations: [counted(1)], logger })
  expect(await stepsRun(database.connection)).toEqual([1])
})

test('while another process holds the lock nothing runs', async () => {
  await lock().insertOne({ _id: 'lock', owner: 'other', expiresAt: new Date(Date.now() + 60_000) })
  let done = false
  const waiting = runMigrations(database.connection, { migrations: [counted(1)], logger }).then(() => {
    done = true
  })
  await runMigrationAttempts()
  expect([done, await stepsRun(database.connection)]).toEqual([false, []])
  await lock().updateOne({ _id: 'lock' }, { $set: { expiresAt: new Date(0) } })
  await waiting
  expect(await stepsRun(database.connection)).toEqual([1])
})

/** Resolves once the waiting process has asked for the lock at least twice, by the server's own count. */
async function runMigrationAttempts(): Promise<void> {
  const updates = async () => {
    const status = await database.connection.db?.admin().serverStatus()
    return Number(status?.['opcounters']?.update ?? 0)
  }
  const before = await updates()
  await expect.poll(updates).toBeGreaterThan(before + 1)
}
