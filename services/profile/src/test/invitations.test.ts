import { accessKey } from '@parley/contracts/account/profile-internal'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Redis } from 'ioredis'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startPeople } from './people.ts'
import { newSignIn, type Person } from './start-profile.ts'

let people: Awaited<ReturnType<typeof startPeople>>
let ann: Person
beforeAll(async () => {
  people = await startPeople()
})
afterAll(() => people.stop())
beforeEach(async () => {
  Object.assign(people.messaging.state, { plan: { teamMembers: 5, ended: false }, isAway: false })
  ann = await people.profile.signIn({ name: 'Ann Lee' })
})

const address = () => newSignIn().email
const invite = (email: string, role = 'agent', by = ann) => people.call(by, 'POST', '/api/invitations', { email, role })
const collection = (name: string) => people.profile.database.connection.collection(name)
const change = (id: string, set: object) =>
  collection('invitations').updateOne({ _id: new Types.ObjectId(id) }, { $set: set })
const preview = async (token: string) => {
  const service = await people.profile.authority.serviceToken('profile')
  const { status, text } = await people.profile.call('POST', '/internal/invitation-preview', {
    token: service,
    json: { token },
  })
  return { status, body: JSON.parse(text) }
}

test('who follows the link with a new account begins in the workspace, with the role, and has none of their own', async () => {
  const email = address()
  const { status, body } = await invite(email, 'admin')
  expect([status, body.state, body.sends, body.mail.state]).toEqual([201, 'open', 1, 'queued'])
  const token = await people.tokenMailedTo(email)
  expect(await preview(token)).toMatchObject({
    status: 200,
    body: { id: body.id, workspaceName: "Ann's workspace", inviter: 'Ann Lee', email, role: 'admin' },
  })
  const bob = await people.profile.signIn({ email, invitation: token })
  expect(bob.context).toMatchObject({ workspaceId: ann.context.workspaceId, role: 'admin' })
  expect((await people.call(bob, 'GET', '/api/workspaces')).body.items).toEqual([
    { id: ann.context.workspaceId, name: "Ann's workspace", role: 'admin' },
  ])
  expect(await bob.get()).toMatchObject({ workspaceId: ann.context.workspaceId, role: 'admin' })
  const [listed] = (await people.call(ann, 'GET', '/api/invitations')).body.items
  expect([listed.state, listed.mail.state]).toEqual(['accepted', 'sent'])
})

test('looking at an invitation, as a scanner does, changes nothing', async () => {
  const email = address()
  const { body } = await invite(email)
  const token = await people.tokenMailedTo(email)
  for (let look = 0; look < 3; look += 1) expect((await preview(token)).status).toBe(200)
  expect((await people.call(ann, 'GET', '/api/invitations')).body.items[0]).toMatchObject({
    id: body.id,
    state: 'open',
  })
})

test('the secret of the link is stored nowhere once the mail has left', async () => {
  const email = address()
  const { body } = await invite(email)
  const token = await people.tokenMailedTo(email)
  const record = await collection('invitations').findOne({ _id: new Types.ObjectId(body.id) })
  await expect
    .poll(async () => (await collection('mails').findOne({ _id: record?.['mailId'] }))?.['state'])
    .toBe('sent')
  for (const name of ['invitations', 'mails', 'events', 'outbox'])
    expect(JSON.stringify(await collection(name).find().toArray())).not.toContain(token)
})

test.each([
  ['an unverified address', { emailVerified: false }, 200],
  ['another address', { email: 'other@example.com' }, 200],
])('a new account with %s is not let in by the link', async (_what, claims, status) => {
  const email = address()
  await invite(email)
  const token = await people.tokenMailedTo(email)
  const other = await people.profile.signIn({ email, ...claims, invitation: token })
  expect(other.context).toMatchObject({ role: 'owner' })
  expect(other.context.workspaceId).not.toBe(ann.context.workspaceId)
  expect((await preview(token)).status).toBe(status)
})

describe('an account that belongs somewhere', () => {
  test('finds the invitation for its verified address, accepts it once, and stays where it is', async () => {
    const bob = await people.profile.signIn()
    const { email } = await bob.get()
    await invite(email, 'viewer')
    await people.tokenMailedTo(email)
    const [mine] = (await people.call(bob, 'GET', '/api/invitations/mine')).body.items
    expect(mine).toMatchObject({ workspaceName: "Ann's workspace", role: 'viewer' })
    const accept = () => people.call(bob, 'POST', `/api/invitations/mine/${mine.id}/accept`, {})
    expect(await accept()).toEqual({ status: 200, body: { workspaceId: ann.context.workspaceId } })
    expect(await accept()).toMatchObject({ status: 410, body: { code: 'invitation_ended' } })
    expect((await people.call(bob, 'GET', '/api/workspaces')).body.items).toHaveLength(2)
    expect((await bob.get()).workspaceId).toBe(bob.context.workspaceId)
  })

  test('with another address is told so, if it has followed the link; without it there is nothing', async () => {
    const email = address()
    const { body } = await invite(email)
    const token = await people.tokenMailedTo(email)
    const eve = await people.profile.signIn()
    const path = `/api/invitations/mine/${body.id}/accept`
    expect(await people.call(eve, 'POST', path, { token })).toMatchObject({
      status: 409,
      body: { code: 'invitation_other_address' },
    })
    expect((await people.call(eve, 'POST', path, {})).status).toBe(404)
    expect((await people.call(eve, 'GET', '/api/invitations/mine')).body.items).toEqual([])
  })

  test('declines, and the seat is free', async () => {
    const bob = await people.profile.signIn()
    const { email } = await bob.get()
    people.messaging.state.plan = { teamMembers: 2, ended: false }
    const { body } = await invite(email)
    expect((await invite(address())).body.code).toBe('plan_limit')
    expect((await people.call(bob, 'POST', `/api/invitations/mine/${body.id}/decline`, {})).status).toBe(204)
    expect((await invite(address())).status).toBe(201)
  })
})

describe('an invitation is refused', () => {
  test('to a member, to an address with an open one, and above the own role', async () => {
    expect((await invite((await ann.get()).email)).body.code).toBe('member_exists')
    const email = address()
    expect((await invite(email)).status).toBe(201)
    expect((await invite(email.toUpperCase())).body.code).toBe('invitation_exists')
    const admin = await people.join(ann, 'admin')
    expect((await invite(address(), 'owner', admin)).status).toBe(403)
    expect((await invite(address(), 'admin', admin)).status).toBe(201)
  })

  test('where the plan has no seat left, whoever asks at the same moment', async () => {
    people.messaging.state.plan = { teamMembers: 2, ended: false }
    const answers = await Promise.all(Array.from({ length: 4 }, () => invite(address())))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  })

  test('after the trial, and while messaging cannot say what the plan allows', async () => {
    people.messaging.state.plan = { ended: true }
    expect((await invite(address())).body.code).toBe('plan_limit')
    people.messaging.state.isAway = true
    expect((await invite(address())).status).toBe(503)
  })

  test('after fifty mails on one day', async () => {
    people.messaging.state.plan = { ended: false }
    await invite(address())
    await collection('seats').updateOne(
      { workspaceId: new Types.ObjectId(ann.context.workspaceId) },
      { $set: { mails: 50 } },
    )
    expect((await invite(address())).body.code).toBe('rate_limited')
  })
})

describe('an open invitation', () => {
  test('is sent again with another link, a minute apart, five times in all', async () => {
    const email = address()
    const { body } = await invite(email)
    const first = await people.tokenMailedTo(email)
    const resend = () => people.call(ann, 'POST', `/api/invitations/${body.id}/resend`)
    expect((await resend()).body.code).toBe('rate_limited')
    await change(body.id, { sentAt: new Date(Date.now() - 61_000) })
    expect(await resend()).toMatchObject({ status: 200, body: { sends: 2 } })
    const second = await people.tokenMailedTo(email)
    expect((await preview(first)).body.code).toBe('invitation_ended')
    expect((await preview(second)).status).toBe(200)
    await change(body.id, { sentAt: new Date(0), sends: 5 })
    expect((await resend()).body.code).toBe('wrong_state')
  })

  test('is over after seven days: its link, its place in the list, and its seat', async () => {
    people.messaging.state.plan = { teamMembers: 2, ended: false }
    const email = address()
    const { body } = await invite(email)
    const days = (Date.parse(body.expiresAt) - Date.parse(body.sentAt)) / 86_400_000
    expect(days).toBe(7)
    const token = await people.tokenMailedTo(email)
    await change(body.id, { expiresAt: new Date(0) })
    expect((await preview(token)).body.code).toBe('invitation_ended')
    const late = await people.profile.signIn({ email, invitation: token })
    expect(late.context.workspaceId).not.toBe(ann.context.workspaceId)
    expect((await people.call(ann, 'GET', '/api/invitations')).body.items[0].state).toBe('expired')
    expect((await invite(email)).status).toBe(201)
  })

  test('is revoked: its link works no more and its seat is free', async () => {
    people.messaging.state.plan = { teamMembers: 2, ended: false }
    const email = address()
    const { body } = await invite(email)
    const token = await people.tokenMailedTo(email)
    const revoke = () => people.call(ann, 'DELETE', `/api/invitations/${body.id}`)
    expect((await revoke()).status).toBe(204)
    expect((await revoke()).body.code).toBe('invitation_ended')
    expect((await preview(token)).status).toBe(410)
    expect((await invite(address())).status).toBe(201)
  })

  test('is for its own workspace alone', async () => {
    const { body } = await invite(address())
    const eve = await people.profile.signIn()
    expect((await people.call(eve, 'DELETE', `/api/invitations/${body.id}`)).status).toBe(404)
    expect((await people.call(eve, 'POST', `/api/invitations/${body.id}/resend`)).status).toBe(404)
    expect((await people.call(eve, 'GET', '/api/invitations')).body.items).toEqual([])
  })
})

test('a mail that the server refuses is told beside the invitation, with the reason', async () => {
  people.mailServer.trouble({ at: 'rcpt', answer: '550 no such mailbox' })
  const { body } = await invite(address())
  const mailOf = async () => (await people.call(ann, 'GET', '/api/invitations')).body.items[0].mail
  await expect.poll(async () => (await mailOf()).state).toBe('failed')
  expect((await mailOf()).reason).toContain('550 no such mailbox')
  expect(body.id).toBeDefined()
})

test('lists and lookups have their indexes', async () => {
  const bob = await people.profile.signIn()
  await invite((await bob.get()).email)
  await expectIndexed(people.profile.database.connection, async () => {
    await people.call(ann, 'GET', '/api/invitations')
    await people.call(bob, 'GET', '/api/invitations/mine')
    await people.call(bob, 'GET', '/api/workspaces')
    await invite(address())
  })
})

test('a membership whose author died before it could be announced is announced by the worker', async () => {
  const bob = await people.join(ann, 'agent')
  const version = 7
  const { userId, workspaceId } = bob.context
  const id = new Types.ObjectId(workspaceId)
  await collection('events').insertOne({
    workspaceId: id,
    type: 'member.changed',
    at: new Date(),
    recordedAt: new Date(),
    by: { kind: 'system' },
    chain: [],
    data: { memberId: 'a'.repeat(24), userId, role: 'viewer', status: 'active', version },
    fresh: true,
  })
  const redis = new Redis(people.redisUrl)
  await expect.poll(() => redis.get(accessKey(bob.context))).toBe(String(version))
  redis.disconnect()
  // Every event of profile has its number.
  await expect.poll(() => collection('events').countDocuments({ fresh: true })).toBe(0)
})

test('a person makes another workspace, owns it, and messaging is told that it has no trial', async () => {
  const ann = await people.profile.signIn({ name: 'Ann Lee' })
  expect((await people.call(ann, 'POST', '/api/workspaces', { name: '  ' })).body.code).toBe('validation_failed')
  const { status, body } = await people.call(ann, 'POST', '/api/workspaces', { name: 'Second shop' })
  expect([status, body]).toEqual([201, { id: expect.any(String), name: 'Second shop', role: 'owner' }])
  const { items } = (await people.call(ann, 'GET', '/api/workspaces')).body
  expect(items).toContainEqual(body)
  // The session is where it was.
  expect((await people.call(ann, 'GET', '/api/workspace')).body.id).toBe(ann.context.workspaceId)
  await expect
    .poll(() => people.messaging.received)
    .toContainEqual(expect.objectContaining({ type: 'workspace.created', data: { trial: false } }))
})
