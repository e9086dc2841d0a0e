import { runToEnd } from '@parley/service-kit/testing/start-process'
import { openTestDatabase, type TestDatabase } from '@parley/service-kit/testing/test-database'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { serverFile } from './start-profile.ts'

const migrateFile = `${import.meta.dirname}/../migrate.ts`
let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
})
afterEach(() => database.drop())

const migrate = (...args: string[]) => runToEnd(migrateFile, { MONGODB_URL: database.url }, args)
const applied = () => database.connection.collection('migrations').find().sort({ _id: 1 }).toArray()

test('several pods at once, and once more later: each step is recorded once and every run ends well', async () => {
  const together = await Promise.all([migrate(), migrate()])
  const records = await applied()
  const later = await migrate()
  expect([...together, later].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
  expect(records.map(({ _id }) => _id)).toEqual(records.map((_, index) => index + 1))
  expect(records.length).toBeGreaterThan(0)
  expect(await applied()).toEqual(records)
  const indexes = await database.connection.collection('users').indexes()
  expect(indexes.length).toBeGreaterThan(1)
})

test('it needs nothing but the database, and says what it misses', async () => {
  const { exitCode, output } = await runToEnd(migrateFile, {})
  expect([exitCode, output]).toEqual([1, expect.stringContaining('MONGODB_URL is missing')])
})

test('a database that is away is exit code 1, so that an upgrade stops before any pod is replaced', async () => {
  const away = new URL(database.url)
  away.port = '9'
  const { exitCode, output } = await runToEnd(migrateFile, { MONGODB_URL: away.href })
  expect([exitCode, output]).toEqual([1, expect.stringContaining('"failed"')])
})

test('--dry-run says what would be done, and changes nothing', async () => {
  const { exitCode, output } = await migrate('--dry-run')
  expect(exitCode).toBe(0)
  expect(output).toMatch(/"migration":1.*"migration would be applied"/)
  expect(output).toContain('dry run: nothing was changed')
  expect(await database.connection.listCollections()).toEqual([])
  await migrate()
  expect((await migrate('--dry-run')).output).toMatch(/"pending":0/)
})

test('an argument that it does not know is refused before anything is done', async () => {
  const { exitCode, output } = await migrate('--dryrun')
  expect([exitCode, output]).toEqual([1, expect.stringContaining("Unknown option '--dryrun'")])
  expect(await database.connection.listCollections()).toEqual([])
})

test.each([
  ['the job', migrateFile, []],
  ['its dry run', migrateFile, ['--dry-run']],
  ['the server', serverFile, []],
])('a database that newer code has written is refused by %s with a sentence', async (_who, file, args) => {
  await migrate()
  await database.connection
    .collection<{ _id: number; name: string }>('migrations')
    .insertOne({ _id: 9999, name: 'later' })
  const { urls } = inject('stack')
  const env = { MONGODB_URL: database.url, REDIS_URL: urls.redis, INTERNAL_JWKS_URL: 'http://127.0.0.1:9', PORT: '0' }
  const { exitCode, output } = await runToEnd(file, env, args)
  expect(exitCode).toBe(1)
  expect(output).toMatch(/the database is at migration 9999, this code knows only \d+: deploy newer code/)
})
