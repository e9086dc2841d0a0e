import { indexesOf } from '@parley/service-kit/testing/declared-indexes'
import { runToEnd } from '@parley/service-kit/testing/start-process'
import { openTestDatabase, type TestDatabase } from '@parley/service-kit/testing/test-database'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createApiKeysRepository } from '../modules/api-keys/api-keys.repository.ts'
import { createInvitationsRepository } from '../modules/invitations/invitations.repository.ts'
import { createMailsRepository } from '../modules/mails/mails.repository.ts'
import { movesIn } from '../modules/moves/moves.model.ts'
import { createProfileRepository } from '../modules/profile/profile.repository.ts'
import { createSeats } from '../modules/workspaces/seats.ts'
import { createWorkspacesRepository } from '../modules/workspaces/workspaces.repository.ts'
import { callingMessaging, complete, ok, serverFile, startProfile } from './start-profile.ts'

const migrateFile = `${import.meta.dirname}/../migrate.ts`
let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
})
afterEach(() => database.drop())

const migrate = (...args: string[]) => runToEnd(migrateFile, { MONGODB_URL: database.url }, args)
const applied = () => database.connection.collection('migrations').find().sort({ _id: 1 }).toArray()

test('several pods at once, and once more later: each step is recorded once, and models have the indexes that they declare', async () => {
  const together = await Promise.all([migrate(), migrate()])
  const records = await applied()
  const later = await migrate()
  expect([...together, later].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
  expect(records.map(({ _id }) => _id)).toEqual([200, 210, 220, 230, 240, 250, 300, 310, 400])
  expect(await applied()).toEqual(records)
  createApiKeysRepository(database.connection)
  createProfileRepository(database.connection)
  createWorkspacesRepository(database.connection)
  createSeats(database.connection, async () => ({ owners: 0, taken: 0 }))
  createInvitationsRepository(database.connection)
  createMailsRepository(database.connection)
  movesIn(database.connection)
  const { declared, stored } = await indexesOf(database.connection)
  expect(Object.keys(declared).sort()).toEqual([
    'apiKeys',
    'invitations',
    'mails',
    'members',
    'seats',
    'users',
    'workspaceMoves',
    'workspaces',
  ])
  expect(stored).toMatchObject(declared)
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
  expect(output).toMatch(/"migration":200.*"migration would be applied"/)
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

const applyUnknown = (record: object) =>
  database.connection
    .collection<{ _id: number; name: string }>('migrations')
    .insertOne({ _id: 9999, name: 'later', ...record })

test.each([
  ['the job', migrateFile, []],
  ['its dry run', migrateFile, ['--dry-run']],
  ['the server', serverFile, []],
])('a breaking migration of newer code is refused by %s with its reason', async (_who, file, args) => {
  await migrate()
  await applyUnknown({ kind: 'breaking', reason: 'names are encrypted' })
  const { urls } = inject('stack')
  const env = {
    MONGODB_URL: database.url,
    REDIS_URL: urls.redis,
    INTERNAL_ISSUERS: 'bff=http://127.0.0.1:9',
    PORT: '0',
    ...callingMessaging,
  }
  const { exitCode, output } = await runToEnd(file, env, args)
  expect(exitCode).toBe(1)
  expect(output).toMatch(/the database is at migration 9999 \(later: names are encrypted\), this code knows only \d+/)
})

test('a process of older code starts on a newer database under load, and no request fails', async () => {
  const newer = await startProfile()
  const person = await newer.signIn()
  ok(await person.patch(complete))
  let failed = 0
  let served = 0
  let loaded = true
  const callsOf = (url: string, method: string, body?: string) => async () => {
    while (loaded) {
      const headers = { authorization: `Bearer ${await person.token()}`, 'content-type': 'application/json' }
      const answer = await fetch(`${url}${method === 'GET' ? '/api/auth/user' : '/api/auth/profile'}`, {
        method,
        headers,
        ...(body !== undefined && { body }),
      }).catch(() => undefined)
      await answer?.arrayBuffer()
      if (answer?.status === 200) served += 1
      else failed += 1
    }
  }
  const load = [callsOf(newer.url, 'GET')(), callsOf(newer.url, 'PATCH', '{"address":"2 Main Street"}')()]

  const { connection } = newer.database
  await connection.collection('users').updateMany({}, { $set: { addedLater: 'yes' } })
  await connection.collection('users').createIndex({ addedLater: 1 })
  await connection
    .collection<{ _id: number }>('migrations')
    .insertOne({ _id: 9999, name: 'later', kind: 'additive', appliedAt: new Date() } as { _id: number })
  const older = await startProfile({ MONGODB_URL: newer.database.url, INTERNAL_ISSUERS: newer.authority.issuers })
  load.push(callsOf(older.url, 'GET')(), callsOf(older.url, 'PATCH', '{"address":"3 Main Street"}')())
  const before = served
  await expect.poll(() => served).toBeGreaterThan(before + 100)

  loaded = false
  await Promise.all(load)
  await older.stop()
  await newer.stop()
  expect(failed).toBe(0)
})
