import { apiKeysApi } from '@parley/contracts/account/api-key-endpoints'
import { type ApiKey, type IssuedKey, keyContextSchema, keyVersionKey } from '@parley/contracts/account/api-keys'
import type { Role } from '@parley/contracts/account/permissions'
import { readApiKey } from '@parley/service-kit/core/api-key'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Person, type ProfileUnderTest, startProfile } from './start-profile.ts'

let profile: ProfileUnderTest
let redis: Redis
let ann: Person
let eve: Person
beforeAll(async () => {
  profile = await startProfile()
  redis = new Redis(inject('stack').urls.redis)
  ann = await profile.signIn()
  eve = await profile.signIn()
})
afterAll(async () => {
  redis.disconnect()
  await profile.stop()
})

const path = apiKeysApi.list.path
const records = () => profile.database.connection.collection('apiKeys')
async function ask(by: Person, method: string, at: string, json?: unknown, role?: Role) {
  const { userId: sub, workspaceId: wid, role: own } = by.context
  const identity = { email: 'x@example.com', email_verified: true, provider: 'password' }
  const token = await profile.authority.userToken({ sub, wid, role: role ?? own, aud: 'profile', ...identity })
  const { status, text } = await profile.call(method, at, { token, ...(json !== undefined && { json }) })
  return { status, body: text === '' ? undefined : JSON.parse(text) }
}
const fresh = { name: 'Shop', scopes: ['conversations:write', 'contacts:read'] }
async function make(json: object = {}, by = ann): Promise<IssuedKey> {
  const { status, body } = await ask(by, 'POST', path, { ...fresh, ...json })
  expect(status, JSON.stringify(body)).toBe(201)
  return apiKeysApi.create.response.parse(body)
}
const listed = async (by = ann): Promise<ApiKey[]> => (await ask(by, 'GET', path)).body.items
async function contextOf(secret: string) {
  const json = readApiKey(secret)
  const token = await profile.authority.serviceToken('profile')
  const { status, text } = await profile.call('POST', '/internal/key-context', { token, json })
  return status === 200 ? keyContextSchema.parse(JSON.parse(text)) : status
}

test('a key is shown once, lets calls in with its scopes, and is stored as a hash', async () => {
  const { key, secret } = await make({ networks: ['203.0.113.0/24'] })
  expect(key).toMatchObject({
    ...fresh,
    expired: false,
    createdBy: ann.context.userId,
    replacedBy: null,
    lastUsedAt: null,
  })
  expect(secret.startsWith(`${key.prefix}_`)).toBe(true)
  const days = (Date.parse(key.expiresAt ?? '') - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(365)
  const { workspaceId } = ann.context
  expect(await contextOf(secret)).toMatchObject({
    ...fresh,
    id: key.id,
    workspaceId,
    networks: ['203.0.113.0/24'],
    version: 1,
  })
  const stored = JSON.stringify([await records().find().toArray(), await listed()])
  expect(stored).toContain(key.id)
  expect(stored).not.toContain(secret.slice(17))
  expect(profile.output()).not.toContain(secret.slice(17))
})

test('another secret under a known id, and an unknown id, let nothing in', async () => {
  const [first, second] = [await make(), await make()]
  const token = await profile.authority.serviceToken('profile')
  const hash = readApiKey(second.secret)?.hash
  for (const id of [first.key.id, 'unknown12345'])
    expect((await profile.call('POST', '/internal/key-context', { token, json: { id, hash } })).status).toBe(404)
})

test('of the other processes none may look a key up', async () => {
  const token = await profile.authority.serviceToken('profile', { process: 'messaging' })
  const json = readApiKey((await make()).secret)
  expect((await profile.call('POST', '/internal/key-context', { token, json })).status).toBe(403)
})

test.each([
  ['no name', { name: ' ' }],
  ['no scope', { scopes: [] }],
  ['a permission that no endpoint of the public API needs', { scopes: ['members:invite'] }],
  ['a scope beyond its numbers', { scopes: ['campaigns:read'], numbers: ['n1'] }],
  ['a network that is none', { networks: ['203.0.113.0/99'] }],
  ['another time than offered', { expiresInDays: 3650 }],
])('a key with %s is refused', async (_what, json) => {
  expect((await ask(ann, 'POST', path, { ...fresh, ...json })).body.code).toBe('validation_failed')
})

test('viewers and agents see no keys, and no one gives a key more than they have', async () => {
  const { key } = await make({ scopes: ['campaigns:send'] })
  for (const role of ['agent', 'viewer'] as const) {
    expect((await ask(ann, 'GET', path, undefined, role)).status).toBe(403)
    expect((await ask(ann, 'POST', path, fresh, role)).status).toBe(403)
    expect((await ask(ann, 'DELETE', `${path}/${key.id}`, undefined, role)).status).toBe(403)
  }
  expect((await ask(ann, 'POST', path, fresh, 'admin')).status).toBe(201)
})

test('a change counts with the next call, and is announced; an older version is told the newer one', async () => {
  const { key, secret } = await make()
  const changed = await ask(ann, 'PATCH', `${path}/${key.id}`, { scopes: ['contacts:read'], version: 1 })
  expect(changed.body).toMatchObject({ name: 'Shop', scopes: ['contacts:read'], version: 2 })
  expect(await contextOf(secret)).toMatchObject({ scopes: ['contacts:read'], version: 2 })
  expect(await redis.get(keyVersionKey(key.id))).toBe('2')
  const late = await ask(ann, 'PATCH', `${path}/${key.id}`, { name: 'Late', version: 1 })
  expect(late).toMatchObject({ status: 409, body: { code: 'stale_version', current: { version: 2 } } })
  const limited = await ask(ann, 'PATCH', `${path}/${key.id}`, { numbers: ['n1'], version: 2 })
  expect(limited.body.numbers).toEqual(['n1'])
  expect((await ask(ann, 'PATCH', `${path}/${key.id}`, { scopes: ['campaigns:read'], version: 3 })).status).toBe(400)
})

test('an owner makes a key that never expires; admins do not, neither by editing nor by rotating', async () => {
  const { key, secret } = await make({ expiresInDays: null })
  expect([key.expiresAt, key.expired]).toEqual([null, false])
  expect(await contextOf(secret)).toMatchObject({ expiresAt: null })
  const own = `${path}/${key.id}`
  const tries = [
    ['POST', path, { ...fresh, expiresInDays: null }],
    ['PATCH', own, { expiresInDays: null, version: 1 }],
    ['POST', `${own}/rotate`, { overlapHours: 0, expiresInDays: null }],
  ] as const
  for (const [method, at, json] of tries)
    expect((await ask(ann, method, at, json, 'admin')).body.code, method).toBe('forbidden')
  const ended = await ask(ann, 'PATCH', own, { expiresInDays: 30, version: 1 })
  expect(Math.round((Date.parse(ended.body.expiresAt) - Date.now()) / 86_400_000)).toBe(30)
  const rotated = await ask(ann, 'POST', `${own}/rotate`, { overlapHours: 1 })
  expect(rotated.status).toBe(201)
  const late = await ask(ann, 'PATCH', own, { expiresInDays: 365, version: 3 })
  expect(late.body.code).toBe('wrong_state')
})

test('a key that is revoked lets nothing in, is announced, and is no longer listed', async () => {
  const { key, secret } = await make()
  expect((await ask(ann, 'DELETE', `${path}/${key.id}`)).status).toBe(204)
  expect(await contextOf(secret)).toBe(404)
  expect(await redis.get(keyVersionKey(key.id))).toBe('2')
  expect((await listed()).map(({ id }) => id)).not.toContain(key.id)
  expect((await ask(ann, 'DELETE', `${path}/${key.id}`)).status).toBe(404)
})

test('a replaced key is valid beside its successor for the time that was chosen, and not longer', async () => {
  const { key, secret } = await make()
  const { status, body } = await ask(ann, 'POST', `${path}/${key.id}/rotate`, { overlapHours: 24 })
  expect(status).toBe(201)
  expect(body.key).toMatchObject(fresh)
  expect(await contextOf(body.secret)).toMatchObject({ id: body.key.id })
  expect(await contextOf(secret)).toMatchObject({ id: key.id, version: 2 })
  const old = (await listed()).find(({ id }) => id === key.id)
  expect(old).toMatchObject({ replacedBy: body.key.id })
  expect(Date.parse(old?.expiresAt ?? '') - Date.now()).toBeLessThanOrEqual(24 * 3600_000)
  expect((await ask(ann, 'POST', `${path}/${key.id}/rotate`, { overlapHours: 1 })).body.code).toBe('wrong_state')
  await records().updateOne({ publicId: key.id }, { $set: { expiresAt: new Date(Date.now() - 1) } })
  expect(await contextOf(secret)).toBe(404)
  const again = await ask(ann, 'POST', `${path}/${body.key.id}/rotate`, { overlapHours: 0 })
  expect(await contextOf(body.secret)).toBe(404)
  expect(await contextOf(again.body.secret)).toMatchObject({ id: again.body.key.id })
})

test('of two who rotate a key at once one gets a successor', async () => {
  const { key } = await make()
  const rotate = () => ask(ann, 'POST', `${path}/${key.id}/rotate`, { overlapHours: 1 })
  const answers = await Promise.all([rotate(), rotate(), rotate()])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  const successors = (await listed()).filter(({ id }) => answers.some(({ body }) => body.key?.id === id))
  expect(successors).toHaveLength(1)
})

test("another workspace's key is not there", async () => {
  const { key } = await make()
  expect((await listed(eve)).map(({ id }) => id)).not.toContain(key.id)
  const calls = [
    ['PATCH', '', { name: 'Mine', version: 1 }],
    ['POST', '/rotate', { overlapHours: 0 }],
    ['DELETE', '', undefined],
  ] as const
  for (const [method, tail, json] of calls)
    expect((await ask(eve, method, `${path}/${key.id}${tail}`, json)).status, method).toBe(404)
  expect((await listed()).map(({ id }) => id)).toContain(key.id)
})

test('a use is noted, changes no version, and an earlier one does not replace a later one', async () => {
  const { key } = await make()
  const seen = async (at: string, ip: string) => {
    const token = await profile.authority.serviceToken('profile')
    const json = {
      items: [
        { id: key.id, at, ip },
        { id: 'unknown12345', at, ip },
      ],
    }
    expect((await profile.call('POST', '/internal/keys-seen', { token, json })).status).toBe(204)
  }
  await seen('2026-03-02T10:00:00.000Z', '203.0.113.7')
  await seen('2026-03-01T10:00:00.000Z', '198.51.100.4')
  const found = (await listed()).find(({ id }) => id === key.id)
  expect(found).toMatchObject({ lastUsedAt: '2026-03-02T10:00:00.000Z', lastUsedIp: '203.0.113.7', version: 1 })
})

test('a workspace has 50 keys at most, also where the last ones are made at once', async () => {
  const carl = await profile.signIn()
  for (let count = 0; count < 49; count += 1) await make({}, carl)
  const last = await Promise.all([ask(carl, 'POST', path, fresh), ask(carl, 'POST', path, fresh)])
  expect(last.map(({ status, body }) => body.code ?? status).sort()).toEqual([201, 'limit_reached'])
  expect(await listed(carl)).toHaveLength(50)
  const [first] = await listed(carl)
  await ask(carl, 'DELETE', `${path}/${first?.id}`)
  await make({}, carl)
})

test('keys are found by indexes', () =>
  expectIndexed(profile.database.connection, async () => {
    const { key, secret } = await make()
    await listed()
    await contextOf(secret)
    await ask(ann, 'DELETE', `${path}/${key.id}`)
  }))
