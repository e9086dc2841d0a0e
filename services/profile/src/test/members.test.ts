import { membersApi } from '@parley/contracts/members'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { complete, ok, type Person, type ProfileUnderTest, startProfile } from './start-profile.ts'

let profile: ProfileUnderTest
let ann: Person
let eve: Person
beforeAll(async () => {
  profile = await startProfile()
  ann = await profile.signIn({ claimsIat: 1_700_000_000 })
  eve = await profile.signIn()
  ok(await ann.patch({ ...complete, firstName: 'Zoë', lastName: 'Ant' }))
  const bob = await profile.signIn({ name: 'Bob Claimed' })
  const carl = await profile.signIn()
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
