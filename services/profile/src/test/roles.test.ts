import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startPeople } from './people.ts'
import type { Person } from './start-profile.ts'

let people: Awaited<ReturnType<typeof startPeople>>
let ann: Person
beforeAll(async () => {
  people = await startPeople()
  people.messaging.state.plan = { ended: false }
})
afterAll(() => people.stop())
beforeEach(async () => {
  ann = await people.profile.signIn({ name: 'Ann Lee' })
})

interface Row {
  readonly id: string
  readonly userId: string
  readonly role: string
  readonly version: number
}
const membersOf = async (by: Person): Promise<Row[]> => (await people.call(by, 'GET', '/api/members')).body.items
async function rowOf(person: Person): Promise<Row> {
  const found = (await membersOf(person)).find(({ userId }) => userId === person.context.userId)
  if (!found) throw new Error('not a member')
  return found
}
const setRole = async (by: Person, of: Row, role: string, version = of.version) =>
  people.call(by, 'PATCH', `/api/members/${of.id}`, { role, version })
const remove = (by: Person, { id }: Row) => people.call(by, 'DELETE', `/api/members/${id}`)
const leave = (by: Person) => people.call(by, 'POST', '/api/members/leave')

test('a role is changed, told to messaging once, and counts for the changed at once', async () => {
  const bob = await people.join(ann, 'agent')
  const row = await rowOf(bob)
  expect(await setRole(ann, row, 'viewer')).toMatchObject({
    status: 200,
    body: { role: 'viewer', version: row.version + 1 },
  })
  expect((await bob.get()).role).toBe('viewer')
  const told = () =>
    people.messaging.received
      .flatMap((message) => (message.type === 'member.changed' ? message.data : []))
      .filter(({ userId }) => userId === bob.context.userId)
      .map(({ role, status, version }) => [role, status, version])
  await expect.poll(told).toEqual([
    ['agent', 'active', 1],
    ['viewer', 'active', 2],
  ])
})

test('one member is read by their id; one who has left, and one of another workspace, is not there', async () => {
  const row = await rowOf(await people.join(ann, 'agent'))
  const read = (by: Person) => people.call(by, 'GET', `/api/members/${row.id}`)
  expect(await read(ann)).toMatchObject({ status: 200, body: { id: row.id, role: 'agent' } })
  expect((await read(await people.profile.signIn())).status).toBe(404)
  await remove(ann, row)
  expect((await read(ann)).status).toBe(404)
})

test('a change of a member that somebody else has changed meanwhile is refused with what is there', async () => {
  const row = await rowOf(await people.join(ann, 'agent'))
  await setRole(ann, row, 'viewer')
  expect(await setRole(ann, row, 'admin')).toMatchObject({
    status: 409,
    body: { code: 'stale_version', current: { role: 'viewer' } },
  })
})

test.each(['agent', 'viewer'])('an %s changes nobody', async (role) => {
  const [bob, carl] = [await people.join(ann, role), await people.join(ann, 'agent')]
  const row = await rowOf(carl)
  expect((await setRole(bob, row, 'viewer')).status).toBe(403)
  expect((await remove(bob, row)).status).toBe(403)
})

test('an admin neither makes owners nor touches one', async () => {
  const admin = await people.join(ann, 'admin')
  const [owner, own] = [await rowOf(ann), await rowOf(admin)]
  expect((await setRole(admin, own, 'owner')).status).toBe(403)
  expect((await setRole(admin, owner, 'agent')).status).toBe(403)
  expect((await remove(admin, owner)).status).toBe(403)
})

test('a role that was lost since the session read it gives nothing away', async () => {
  const [admin, bob] = [await people.join(ann, 'admin'), await people.join(ann, 'agent')]
  const row = await rowOf(bob)
  await setRole(ann, await rowOf(admin), 'agent')
  // The token still says admin.
  expect((await setRole(admin, row, 'viewer')).status).toBe(403)
  expect(
    (await people.call(admin, 'POST', '/api/invitations', { email: 'x@example.com', role: 'viewer' })).status,
  ).toBe(403)
})

describe('the last owner', () => {
  test('is neither demoted, nor leaves', async () => {
    const row = await rowOf(ann)
    expect((await setRole(ann, row, 'admin')).body.code).toBe('last_owner')
    expect((await leave(ann)).body.code).toBe('last_owner')
  })

  test('stays when two owners demote each other a hundred times', async () => {
    const bob = await people.join(ann, 'owner')
    for (let round = 0; round < 100; round += 1) {
      const [first, second] = [await rowOf(ann), await rowOf(bob)]
      const answers = await Promise.all([setRole(ann, second, 'admin'), setRole(bob, first, 'admin')])
      const owners = (await membersOf(ann)).filter(({ role }) => role === 'owner')
      expect([owners.length, answers.filter(({ status }) => status === 200).length]).toEqual([1, 1])
      const [survivor, other] = owners[0]?.userId === ann.context.userId ? [ann, bob] : [bob, ann]
      expect((await setRole(survivor, await rowOf(other), 'owner')).status).toBe(200)
    }
  })

  test('is counted in a workspace that was made before anybody counted', async () => {
    const bob = await people.join(ann, 'owner')
    await people.profile.database.connection
      .collection('seats')
      .deleteMany({ workspaceId: new Types.ObjectId(ann.context.workspaceId) })
    expect((await leave(ann)).status).toBe(204)
    expect((await leave(bob)).body.code).toBe('last_owner')
  })
})

describe('who was removed', () => {
  test('is out with the next call, stays out at the next sign-in, and messaging is told', async () => {
    const bob = await people.join(ann, 'owner')
    const { email } = await bob.get()
    expect((await remove(ann, await rowOf(bob))).status).toBe(204)
    expect((await people.call(bob, 'GET', '/api/auth/user')).status).toBe(404)
    expect((await people.call(bob, 'GET', '/api/members')).status).toBe(404)
    const user = await people.profile.database.connection.collection('users').findOne({ email })
    const again = await people.profile.signIn({ sub: user?.['sub'], email })
    expect(again.context).toMatchObject({ userId: bob.context.userId, role: 'owner' })
    expect(again.context.workspaceId).not.toBe(ann.context.workspaceId)
    const told = () =>
      people.messaging.received.some(
        ({ type, data }) =>
          type === 'member.changed' && data.userId === bob.context.userId && data.status === 'removed',
      )
    await expect.poll(told).toBe(true)
  })

  test('leaves no open invitation, and owners are told of the keys that go on', async () => {
    const bob = await people.join(ann, 'admin')
    const carl = await people.profile.signIn()
    const { email } = await carl.get()
    const { body: invitation } = await people.call(bob, 'POST', '/api/invitations', { email, role: 'admin' })
    const make = (by: Person, name: string) =>
      people.call(by, 'POST', '/api/api-keys', { name, scopes: ['contacts:read'], expiresInDays: 30 })
    const { body: key } = await make(bob, 'ERP')
    await make(ann, 'Shop')
    const { body: revoked } = await make(bob, 'Old')
    await people.call(bob, 'DELETE', `/api/api-keys/${revoked.key.id}`)
    const seats = async () =>
      (
        await people.profile.database.connection
          .collection('seats')
          .findOne({ workspaceId: new Types.ObjectId(ann.context.workspaceId) })
      )?.['taken']
    const before = await seats()
    expect((await remove(ann, await rowOf(bob))).status).toBe(204)
    expect(await seats()).toBe(before - 2)
    const accept = await people.call(carl, 'POST', `/api/invitations/mine/${invitation.id}/accept`, {})
    expect([accept.status, accept.body.code]).toEqual([410, 'invitation_ended'])
    const told = () =>
      people.messaging.received.flatMap((message) =>
        message.type === 'member.changed' &&
        message.data.userId === bob.context.userId &&
        message.data.status === 'removed'
          ? [message.data]
          : [],
      )
    await expect.poll(told).toMatchObject([{ keys: [{ id: key.key.id, name: 'ERP' }] }])
  })

  test('is the same member again by another invitation, with its role', async () => {
    const bob = await people.join(ann, 'admin')
    const { email } = await bob.get()
    const before = await rowOf(bob)
    await remove(ann, before)
    await people.call(ann, 'POST', '/api/invitations', { email, role: 'agent' })
    const [mine] = (await people.call(bob, 'GET', '/api/invitations/mine')).body.items
    await people.call(bob, 'POST', `/api/invitations/mine/${mine.id}/accept`, {})
    expect(await rowOf(bob)).toMatchObject({ id: before.id, role: 'agent' })
  })

  test('frees a seat, and cannot be removed twice', async () => {
    people.messaging.state.plan = { teamMembers: 2, ended: false }
    const row = await rowOf(await people.join(ann, 'agent'))
    const invite = () => people.call(ann, 'POST', '/api/invitations', { email: 'next@example.com', role: 'agent' })
    expect((await invite()).body.code).toBe('plan_limit')
    expect((await remove(ann, row)).status).toBe(204)
    expect((await remove(ann, row)).status).toBe(404)
    expect((await invite()).status).toBe(201)
    people.messaging.state.plan = { ended: false }
  })
})

test('a transfer makes the other an owner and the caller an admin', async () => {
  const bob = await people.join(ann, 'agent')
  const row = await rowOf(bob)
  expect((await people.call(ann, 'POST', `/api/members/${row.id}/transfer`)).status).toBe(204)
  expect([(await rowOf(ann)).role, (await rowOf(bob)).role]).toEqual(['admin', 'owner'])
  expect((await leave(bob)).body.code).toBe('last_owner')
})

test('another workspace’s member is not found', async () => {
  const row = await rowOf(await people.join(ann, 'agent'))
  const eve = await people.profile.signIn()
  expect((await setRole(eve, row, 'viewer')).status).toBe(404)
  expect((await remove(eve, row)).status).toBe(404)
})

test('the workspace is named by its owner, and a stale name is not written over a newer one', async () => {
  const read = async () => (await people.call(ann, 'GET', '/api/workspace')).body
  const { version, name } = await read()
  expect(name).toBe("Ann's workspace")
  const update = (fields: object) => people.call(ann, 'PATCH', '/api/workspace', { version, ...fields })
  expect(await update({ name: ' Corner Shop ', phone: '+919876543210' })).toMatchObject({
    status: 200,
    body: { name: 'Corner Shop', phone: '+919876543210', email: '', createdBy: ann.context.userId },
  })
  expect((await update({ name: 'Other' })).body.code).toBe('stale_version')
  const agent = await people.join(ann, 'agent')
  expect((await people.call(agent, 'PATCH', '/api/workspace', { version: 2, name: 'Mine' })).status).toBe(403)
})
