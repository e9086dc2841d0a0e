import { runToEnd } from '@parley/service-kit/testing/start-process'
import { openTestDatabase, type TestDatabase } from '@parley/service-kit/testing/test-database'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'

const migrateFile = `${import.meta.dirname}/../migrate.ts`
let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
})
afterEach(() => database.drop())

const migrate = () => runToEnd(migrateFile, { MONGODB_URL: database.url })
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
