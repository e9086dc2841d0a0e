import { type BreakableLink, openBreakableLink } from '@parley/service-kit/testing/breakable-link'
import { runToEnd } from '@parley/service-kit/testing/start-process'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { callingMessaging, type Person, type ProfileUnderTest, serverFile, startProfile } from './start-profile.ts'

let profile: ProfileUnderTest
let link: BreakableLink
let ann: Person
let dropDatabase: () => Promise<void>
beforeAll(async () => {
  const database = await openTestDatabase(inject('stack').urls.mongodb)
  dropDatabase = database.drop
  link = await openBreakableLink(database.url)
  const { pathname } = new URL(database.url)
  profile = await startProfile({ MONGODB_URL: `mongodb://127.0.0.1:${link.port}${pathname}?directConnection=true` })
  ann = await profile.signIn()
})
afterAll(async () => {
  link.mend()
  await profile.stop()
  await link.close()
  await dropDatabase()
})

test('without its database the service answers 503, says so at /readyz, and comes back by itself', async () => {
  await ann.sync()
  link.cut()
  const answer = await profile.call('PATCH', '/api/auth/profile', {
    token: await ann.token(),
    json: { firstName: 'Ann' },
  })
  expect([answer.status, JSON.parse(answer.text).code]).toEqual([503, 'service_unavailable'])
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  const ready = await profile.call('GET', '/readyz')
  expect([ready.status, JSON.parse(ready.text).parts.mongodb]).toEqual([503, 'down'])
  expect((await profile.call('GET', '/healthz')).status).toBe(200)

  link.mend()
  await expect.poll(async () => (await profile.call('GET', '/readyz')).status).toBe(200)
  expect((await ann.patch({ firstName: 'Ann' })).status).toBe(200)
})

test('a database that newer code has written stops the start with a reason', async () => {
  const newer = await openTestDatabase(inject('stack').urls.mongodb)
  const migrations = newer.connection.collection<{ _id: number; name: string }>('migrations')
  await migrations.insertOne({ _id: 999, name: 'from-the-future' })
  const { exitCode, output } = await runToEnd(serverFile, {
    PORT: '0',
    MONGODB_URL: newer.url,
    REDIS_URL: inject('stack').urls.redis,
    INTERNAL_ISSUERS: profile.authority.issuers,
    ...callingMessaging,
  })
  await newer.drop()
  expect(exitCode).toBe(1)
  expect(output).toMatch(/at migration 999.*deploy newer code/)
})
