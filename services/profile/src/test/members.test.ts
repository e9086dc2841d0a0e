import { membersApi } from '@parley/contracts/account/members'
import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { complete, ok, type Person, type ProfileUnderTest, startProfile } from './start-profile.ts'

let profile: ProfileUnderTest
let ann: Person
let eve: Person
let bob: Person
let carl: Person
beforeAll(async () => {
  profile = await startProfile()
  ann = await profile.signIn({ claimsIat: 1_700_000_000 })
  eve = await profile.signIn()
  ok(await ann.patch({ ...complete, firstName: 'Zoë', lastName: 'Ant' }))
  bob = await profile.signIn({ name: 'Bob Claimed' })
  carl = await profile.signIn()
  await join(bob, 'agent')
  await join(carl, 'viewer', 'removed')
})
afterAll(() => profile.stop())

/** Nothing invites members yet. */
async function join(person: Person, role: string, status = 'active') {
  const now = new Date()
  await profile.database.connection.collection('members').insertOne({
    workspaceId: new Types.ObjectId(ann.context.workspaceId),
    userId: new Types.ObjectId(person.context.userId),
    role,
    status,
    version: 1,
    createdAt: now,
    updatedAt: now,
  })
}
const list = async (by: Person, query = '') => {
  const answer = await profile.call('GET', `/api/members${query}`, { token: await by.token() })
  return membersApi.list.response.parse(ok(answer))
}

test('members are listed by name, without those who were removed', async () => {
  const page = await list(ann)
  expect(page).toMatchObject({ total: 2, nextCursor: null, previousCursor: null })
  expect(page.items).toMatchObject([
    { name: 'Bob Claimed', role: 'agent', lastSeenAt: null },
    { name: 'Zoë Ant', role: 'owner', userId: ann.context.userId, lastSeenAt: '2023-11-14T22:13:20.000Z' },
  ])
})

test('the members of a workspace are told to its own members alone', async () => {
  expect((await list(eve)).items.map(({ userId }) => userId)).toEqual([eve.context.userId])
  const stranger = await profile.authority.userToken({
    sub: eve.context.userId,
    wid: ann.context.workspaceId,
    role: 'owner',
    aud: 'profile',
    email: 'eve@example.com',
    email_verified: true,
    provider: 'password',
  })
  expect((await profile.call('GET', '/api/members', { token: stranger })).status).toBe(404)
})

test('a part of a name finds a member, and pages lead on and back', async () => {
  expect((await list(ann, '?q=claim')).items.map(({ name }) => name)).toEqual(['Bob Claimed'])
  const first = await list(ann, '?limit=1')
  const second = await list(ann, `?limit=1&cursor=${encodeURIComponent(first.nextCursor ?? '')}`)
  expect([first, second].flatMap(({ items }) => items.map(({ name }) => name))).toEqual(['Bob Claimed', 'Zoë Ant'])
  const back = await list(ann, `?limit=1&cursor=${encodeURIComponent(second.previousCursor ?? '')}`)
  expect(back).toEqual(first)
  const answer = await profile.call('GET', '/api/members?cursor=%3Enobody', { token: await ann.token() })
  expect(answer.status).toBe(400)
})

test('the list has its index', async () => {
  await expectIndexed(profile.database.connection, () => list(ann))
})

describe('what another process is told of members', () => {
  const ask = async (ids: readonly string[], from: { process?: string; workspaceId?: string }) => {
    const token = await profile.authority.serviceToken('profile', from)
    return profile.call('GET', `/internal/members?ids=${ids.join('&ids=')}`, { token })
  }
  const factsOf = async (ids: readonly string[], process = 'messaging') => {
    const answer = await ask(ids, { process, workspaceId: ann.context.workspaceId })
    return profileInternalApi.members.response.parse(ok(answer)).items
  }

  test('name, role and whether the membership lasts, by user id; strangers and unknown ids are left out', async () => {
    const ids = [ann, bob, carl, eve].map(({ context }) => context.userId)
    const found = await factsOf([...ids, 'f'.repeat(24)])
    const byId = new Map(found.map((facts) => [facts.id, facts]))
    expect(byId.size).toBe(3)
    expect(byId.get(ann.context.userId)).toMatchObject({ name: 'Zoë Ant', role: 'owner', active: true })
    expect(byId.get(bob.context.userId)).toMatchObject({ name: 'Bob Claimed', role: 'agent', active: true })
    expect(byId.get(carl.context.userId)).toMatchObject({ role: 'viewer', active: false })
    expect(Date.parse(byId.get(bob.context.userId)?.since ?? '')).toBeGreaterThan(Date.now() - 3_600_000)
    expect(await factsOf([bob.context.userId], 'messaging-worker')).toMatchObject([{ name: 'Bob Claimed' }])
    expect(await factsOf([eve.context.userId])).toEqual([])
  })

  test('only of the workspace that the token names, and only to those who may ask', async () => {
    const { workspaceId } = ann.context
    const ids = [ann.context.userId]
    expect(ok(await ask(ids, { process: 'messaging', workspaceId: eve.context.workspaceId }))).toEqual({ items: [] })
    expect((await ask(ids, { process: 'messaging' })).status).toBe(403)
    expect((await ask(ids, { process: 'bff', workspaceId })).status).toBe(403)
    const person = await profile.call('GET', `/internal/members?ids=${ids}`, { token: await ann.token() })
    expect(person.status).toBe(401)
  })

  test('at most a hundred ids at once, each of the form of one', async () => {
    const from = { process: 'messaging', workspaceId: ann.context.workspaceId }
    const many = (count: number) => Array.from({ length: count }, (_, n) => n.toString(16).padStart(24, '0'))
    expect((await ask(many(100), from)).status).toBe(200)
    expect((await ask(many(101), from)).status).toBe(400)
    expect((await ask(['somebody'], from)).status).toBe(400)
  })

  test('the lookup has its index', async () => {
    await expectIndexed(profile.database.connection, () => factsOf([ann.context.userId]))
  })
})
