import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import { loadMigrations } from '../data/migrations.ts'
import { openDatabase } from '../data/open-database.ts'
import { runToEnd, startCommand } from '../testing/start-process.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

// Processes start, and wait for leases to end.
vi.setConfig({ testTimeout: 180_000 })

const file = `${import.meta.dirname}/../testing/migrate-folder.ts`
let database: TestDatabase
let folder: string
beforeEach(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  folder = mkdtempSync(join(tmpdir(), 'parley-migrations-'))
  // Each run leaves a mark; the first step does not end before the test lets it.
  writeFileSync(
    join(folder, '0001-waits.ts'),
    `export async function up(db) {
      await db.collection('runs').insertOne({ step: 1 })
      while (!(await db.collection('go').findOne())) await new Promise((resolve) => setTimeout(resolve, 20))
    }`,
  )
  writeFileSync(
    join(folder, '0002-counts.ts'),
    "export async function up(db) { await db.collection('runs').insertOne({ step: 2 }) }",
  )
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

const migrate = (leaseMs = 30_000) =>
  startCommand(file, { MONGODB_URL: database.url, FOLDER: folder, LEASE_MS: String(leaseMs) })
const runs = async () => {
  const marks = await database.connection.collection('runs').find().toArray()
  return marks.map(({ step }) => Number(step)).sort()
}
const letGo = () => database.connection.collection('go').insertOne({})
const recorded = async () =>
  (await database.connection.collection('migrations').find().sort({ _id: 1 }).toArray()).map(({ _id }) => Number(_id))

test('five processes at once run each step once', async () => {
  const pods = [1, 2, 3, 4, 5].map(() => migrate())
  await expect.poll(runs).toEqual([1])
  await letGo()
  expect(await Promise.all(pods.map(({ exit }) => exit))).toEqual([0, 0, 0, 0, 0])
  expect(await runs()).toEqual([1, 2])
  expect(await recorded()).toEqual([1, 2])
})

test('a holder that is killed in the middle of a step is followed by one that waited, and the step runs anew', async () => {
  const killed = migrate(6000)
  await expect.poll(runs).toEqual([1])
  const waiting = [migrate(6000), migrate(6000)]
  expect(await killed.kill()).toBe(null)
  await expect.poll(runs).toEqual([1, 1])
  expect(await recorded()).toEqual([])
  await letGo()
  expect(await Promise.all(waiting.map(({ exit }) => exit))).toEqual([0, 0])
  expect(await runs()).toEqual([1, 1, 2])
  expect(await recorded()).toEqual([1, 2])
})

test('a holder that lives keeps its lock past the lease', async () => {
  // Long enough for a holder that a busy machine does not let run for a while.
  const leaseMs = 4000
  const holder = migrate(leaseMs)
  await expect.poll(runs).toEqual([1])
  const locks = database.connection.collection<{ expiresAt: Date }>('migrationLock')
  const leaseEnd = async () => Number((await locks.findOne())?.expiresAt)
  const first = await leaseEnd()
  const waiting = migrate(leaseMs)
  await expect.poll(leaseEnd).toBeGreaterThan(first + 1.5 * leaseMs)
  expect(await runs()).toEqual([1])
  await letGo()
  expect(await Promise.all([holder.exit, waiting.exit])).toEqual([0, 0])
  expect(await runs()).toEqual([1, 2])
})

test('a process of older code starts on what newer code has added, and ends where that is breaking', async () => {
  await letGo()
  expect(await migrate().exit).toBe(0)
  const older = mkdtempSync(join(tmpdir(), 'parley-migrations-'))
  cpSync(join(folder, '0001-waits.ts'), join(older, '0001-waits.ts'))
  const startOlder = () => runToEnd(file, { MONGODB_URL: database.url, FOLDER: older, LEASE_MS: '30000' })
  expect(await startOlder()).toMatchObject({ exitCode: 0 })
  writeFileSync(
    join(folder, '0003-moves.ts'),
    "export const breaking = 'runs have moved'\nexport async function up() {}",
  )
  expect(await migrate().exit).toBe(0)
  expect(await startOlder()).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('at migration 3 (moves: runs have moved), this code knows only 1'),
  })
  rmSync(older, { recursive: true })
})

test('a step may take longer than any call of a request: run by the command, and by a server at its start', async () => {
  const slow = mkdtempSync(join(tmpdir(), 'parley-migrations-'))
  writeFileSync(
    join(slow, '0001-takes-its-time.ts'),
    `export async function up(db) {
      await db.collection('rows').insertOne({})
      await db.collection('rows').findOne({ $where: 'sleep(16000) || true' })
    }`,
  )
  const another = await openTestDatabase(inject('stack').urls.mongodb)
  const onHopeless = vi.fn()
  const warn = vi.fn()
  const logger = Object.assign(createLogger({ name: 'test', level: 'silent' }), { warn })
  const server = openDatabase(
    { MONGODB_URL: another.url, MONGODB_POOL_SIZE: 5 },
    { name: 'server', logger, metrics: createMetrics('test'), migrations: await loadMigrations(slow), onHopeless },
  )
  try {
    const command = runToEnd(file, { MONGODB_URL: database.url, FOLDER: slow, LEASE_MS: '30000' })
    await vi.waitUntil(() => server.isOpen() || warn.mock.calls.length > 0, { timeout: 120_000 })
    expect([server.isOpen(), warn.mock.calls, onHopeless.mock.calls]).toEqual([true, [], []])
    expect(await command).toMatchObject({ exitCode: 0 })
  } finally {
    await server.close()
    await another.drop()
    rmSync(slow, { recursive: true })
  }
})
