import { createServer } from 'node:net'
import { type BreakableLink, openBreakableLink } from '@parley/service-kit/testing/breakable-link'
import { freePort } from '@parley/service-kit/testing/free-port'
import { type InternalAuthority, startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import { runToEnd, startProcess, type TestProcess } from '@parley/service-kit/testing/start-process'
import { openTestDatabase, type TestDatabase } from '@parley/service-kit/testing/test-database'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { callingMessaging, serverFile } from './start-profile.ts'

// An attempt takes three seconds to fail, and pauses grow.
vi.setConfig({ testTimeout: 90_000 })

let authority: InternalAuthority
let database: TestDatabase
let mongodb: BreakableLink
let redis: BreakableLink
let running: TestProcess[]
beforeEach(async () => {
  const { urls } = inject('stack')
  authority = await startInternalAuthority()
  database = await openTestDatabase(urls.mongodb)
  mongodb = await openBreakableLink(database.url)
  redis = await openBreakableLink(urls.redis)
  running = []
})
afterEach(async () => {
  await Promise.all(running.map(({ stop }) => stop()))
  await Promise.all([mongodb.close(), redis.close(), authority.close(), database.drop()])
})

const env = () => ({
  MONGODB_URL: `mongodb://127.0.0.1:${mongodb.port}${new URL(database.url).pathname}?directConnection=true`,
  REDIS_URL: `redis://127.0.0.1:${redis.port}`,
  INTERNAL_ISSUERS: authority.issuers,
  ...callingMessaging,
})

async function start(): Promise<TestProcess> {
  const started = await startProcess(serverFile, env())
  running.push(started)
  return started
}

async function readiness({ url }: TestProcess): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${url}/readyz`)
  return { status: answer.status, body: await answer.json() }
}

const isReady = { status: 200, body: { status: 'ready', parts: { mongodb: 'ok', redis: 'ok' } } }
const waitingFor = (part: string) => ({
  retries: { [part]: { failedAttempts: expect.any(Number), nextAttemptInSeconds: expect.any(Number) } },
})
const applied = () => database.connection.collection('migrations').countDocuments()

test('a database that comes late: alive, not ready, 503 with Retry-After; then migrated and ready without a restart', async () => {
  mongodb.cut()
  const profile = await start()
  await expect.poll(profile.output).toMatch(/"failedAttempts":2,.*mongodb does not answer yet; it is/)
  expect(await readiness(profile)).toMatchObject({
    status: 503,
    body: { parts: { mongodb: 'down' }, ...waitingFor('mongodb') },
  })
  const token = await authority.serviceToken('profile')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${profile.url}/internal/session-context`, { method: 'POST', headers, body: '{}' })
  expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'service_unavailable' })])
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await fetch(`${profile.url}/healthz`)).status).toBe(200)

  mongodb.mend()
  await expect.poll(() => readiness(profile)).toMatchObject(isReady)
  expect((await readiness(profile)).body).not.toHaveProperty('retries')
  expect(await applied()).toBeGreaterThan(0)
  await expect.poll(profile.output).toContain('mongodb answers now')
})

test('a cache that comes late costs nothing: ready without it, and it is told how often it was tried', async () => {
  redis.cut()
  const profile = await start()
  await expect.poll(profile.output).toContain('redis does not answer yet; it is tried again in')
  await expect
    .poll(() => readiness(profile))
    .toMatchObject({ status: 200, body: { parts: { mongodb: 'ok', redis: 'degraded' }, ...waitingFor('redis') } })
  redis.mend()
  await expect.poll(() => readiness(profile)).toMatchObject(isReady)
})

test('three replicas that wait for one database migrate it once', async () => {
  mongodb.cut()
  const replicas = await Promise.all([start(), start(), start()])
  for (const { output } of replicas) await expect.poll(output).toContain('mongodb does not answer yet')
  mongodb.mend()
  for (const replica of replicas) {
    await expect.poll(() => readiness(replica)).toMatchObject({ status: 200 })
  }
  const migrated = () => replicas.flatMap(({ output }) => output().match(/"migration applied"/g) ?? [])
  await expect.poll(migrated).toHaveLength(await applied())
})

test('a database without room for the migrations is waited for like one that is away', async () => {
  const admin = database.connection.getClient().db('admin')
  const data = { errorCode: 14_031, failCommands: ['update'], namespace: `${database.connection.name}.migrationLock` }
  const failPoint = (mode: string) => admin.command({ configureFailPoint: 'failCommand', mode, data })
  await failPoint('alwaysOn')
  try {
    const profile = await start()
    await expect.poll(profile.output).toContain('mongodb does not answer yet')
    expect(await readiness(profile)).toMatchObject({ status: 503, body: waitingFor('mongodb') })
    await failPoint('off')
    await expect.poll(() => readiness(profile)).toMatchObject(isReady)
  } finally {
    await failPoint('off')
  }
})

test('a stop signal while it waits ends it cleanly', async () => {
  mongodb.cut()
  const profile = await start()
  await expect.poll(profile.output).toContain('mongodb does not answer yet')
  expect(await profile.stop()).toBe(0)
  running.pop()
})

test.each([
  ['MongoDB', 'MONGODB_URL', 'mongodb', /Authentication failed/],
  ['Redis', 'REDIS_URL', 'redis', /Redis refuses the credentials of REDIS_URL/],
] as const)('wrong credentials of %s stop the start: waiting is no use', async (_store, name, part, sentence) => {
  const url = new URL(part === 'mongodb' ? env().MONGODB_URL : env().REDIS_URL)
  url.username = 'nobody'
  url.password = 'hunter2'
  const { exitCode, output } = await runToEnd(serverFile, { ...env(), [name]: url.href, PORT: '0' })
  expect([exitCode, output]).toEqual([1, expect.stringMatching(sentence)])
  expect(output).not.toContain('hunter2')
})

test('a URL that MongoDB cannot be reached by stops the start', async () => {
  const url = `${env().MONGODB_URL}&w=nonsense&tls=perhaps`
  const { exitCode, output } = await runToEnd(serverFile, { ...env(), MONGODB_URL: url, PORT: '0' })
  expect([exitCode, output]).toEqual([1, expect.stringContaining('could not start')])
})

test('a port in use is said with its name and what to do', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  const { exitCode, output } = await runToEnd(serverFile, { ...env(), PORT: String(port) })
  other.close()
  expect([exitCode, output]).toEqual([
    1,
    expect.stringContaining(`port ${port} of 127.0.0.1 (PORT) is in use by another program: stop that one`),
  ])
})
