import { inTransaction } from '@parley/service-kit/data/transaction'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKeysRepository } from '../modules/api-keys/api-keys.repository.ts'
import { createAuditRepository } from '../modules/audit/audit.repository.ts'
import { createInvitationsRepository } from '../modules/invitations/invitations.repository.ts'
import { createWithdrawAll } from '../modules/invitations/withdraw-all.ts'
import { createMailsRepository } from '../modules/mails/mails.repository.ts'
import { createDeletePerson } from '../modules/members/delete-person.ts'
import { createProfileRepository } from '../modules/profile/profile.repository.ts'
import { createSeats } from '../modules/workspaces/seats.ts'
import { createWorkspacesRepository } from '../modules/workspaces/workspaces.repository.ts'
import { startPeople } from './people.ts'
import { newSignIn, type Person } from './start-profile.ts'

let people: Awaited<ReturnType<typeof startPeople>>
beforeAll(async () => {
  people = await startPeople()
})
afterAll(() => people.stop())

const collection = (name: string) => people.profile.database.connection.collection(name)
type SignIn = ReturnType<typeof newSignIn>

async function remove({ iss, sub }: SignIn) {
  const token = await people.profile.authority.serviceToken('profile')
  const { status, text } = await people.profile.call('POST', '/internal/deleted-persons', { token, json: { iss, sub } })
  return { status, code: text === '' ? undefined : JSON.parse(text).code, message: text }
}
const arrive = async () => {
  const signIn = newSignIn()
  return { signIn, person: await people.profile.signIn(signIn) }
}
async function joining(owner: Person, role: string) {
  const signIn = newSignIn()
  await people.call(owner, 'POST', '/api/invitations', { email: signIn.email, role })
  const person = await people.profile.signIn({ ...signIn, invitation: await people.tokenMailedTo(signIn.email) })
  return { signIn, person }
}
const membersOf = async (by: Person) => (await people.call(by, 'GET', '/api/members')).body.items

/** Returns everything in the database that has the address of a person. */
async function tracesOf({ email }: SignIn): Promise<string[]> {
  const { db } = people.profile.database.connection
  const found: string[] = []
  for (const { name } of (await db?.listCollections().toArray()) ?? [])
    if (JSON.stringify(await collection(name).find({}).toArray()).includes(email)) found.push(name)
  return found
}

test('a member who deletes their account leaves the team, and their address is known no more', async () => {
  const { person: ann } = await arrive()
  const { signIn, person } = await joining(ann, 'agent')
  expect(await membersOf(ann)).toHaveLength(2)
  expect((await remove(signIn)).status).toBe(204)
  expect(await membersOf(ann)).toHaveLength(1)
  expect(await collection('seats').findOne({ workspaceId: new Types.ObjectId(ann.context.workspaceId) })).toMatchObject(
    {
      owners: 1,
      taken: 1,
    },
  )
  const entry = { workspaceId: new Types.ObjectId(ann.context.workspaceId), action: 'members.leave' }
  expect(await collection('auditEntries').find(entry).toArray()).toMatchObject([
    { actor: { kind: 'member', id: person.context.userId }, outcome: 'done' },
  ])
  // A mail that was sent is kept for 30 days, for whoever asks what became of it.
  expect(await tracesOf(signIn)).toEqual(['mails'])
  const { body } = await people.call(person, 'GET', '/api/auth/user')
  expect(body.code).toBe('not_found')
  expect((await remove(signIn)).status).toBe(204)
})

test('the last owner of a team stays until they have made another one; then the team goes on', async () => {
  const { signIn, person: ann } = await arrive()
  const { person: bob } = await joining(ann, 'admin')
  const refused = await remove(signIn)
  expect([refused.status, refused.code]).toEqual([409, 'last_owner'])
  expect(await membersOf(ann)).toHaveLength(2)
  const his = (await membersOf(ann)).find(({ userId }: { userId: string }) => userId === bob.context.userId)
  await people.call(ann, 'PATCH', `/api/members/${his.id}`, { role: 'owner', version: his.version })
  expect((await remove(signIn)).status).toBe(204)
  expect(await membersOf(bob)).toMatchObject([{ userId: bob.context.userId, role: 'owner' }])
})

test('of two owners who delete their accounts at once one stays', async () => {
  const { signIn: first, person: ann } = await arrive()
  const { signIn: second, person: bob } = await joining(ann, 'admin')
  const { person: carl } = await joining(ann, 'agent')
  const his = (await membersOf(ann)).find(({ userId }: { userId: string }) => userId === bob.context.userId)
  await people.call(ann, 'PATCH', `/api/members/${his.id}`, { role: 'owner', version: his.version })
  const both = await Promise.all([remove(first), remove(second)])
  expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
  const left = await membersOf(carl)
  expect(left.filter(({ role }: { role: string }) => role === 'owner')).toHaveLength(1)
})

test('a workspace of the person alone goes with them, and a later sign-in begins anew', async () => {
  const { signIn, person: ann } = await arrive()
  const { person: dora } = await arrive()
  expect((await remove(signIn)).status).toBe(204)
  const closed = await collection('workspaces').findOne({ _id: new Types.ObjectId(ann.context.workspaceId) })
  expect(closed?.['deletion'].until.getTime()).toBeLessThanOrEqual(Date.now())
  await expect
    .poll(() => people.messaging.received.filter(({ type }) => type === 'workspace.state'))
    .toContainEqual(expect.objectContaining({ data: { closing: true } }))
  const again = await people.profile.openContext(signIn)
  expect(again.userId).not.toBe(ann.context.userId)
  expect(again.workspaceId).not.toBe(ann.context.workspaceId)
  expect(await membersOf(dora)).toHaveLength(1)
})

test('a workspace that somebody joins at this moment stays: its owner is the last one', async () => {
  const { connection } = people.profile.database
  const { signIn, person: ann } = await arrive()
  const bob = await people.profile.signIn()
  const { email } = await bob.get()
  const { body: invitation } = await people.call(ann, 'POST', '/api/invitations', { email, role: 'agent' })
  const records = createWorkspacesRepository(connection)
  const invitations = createInvitationsRepository(connection)
  const seats = createSeats(connection, async () => ({ owners: 1, taken: 1 }))
  let isFirst = true
  const activeMembers = async (...of: Parameters<typeof records.activeMembers>) => {
    const found = await records.activeMembers(...of)
    if (isFirst) await people.call(bob, 'POST', `/api/invitations/mine/${invitation.id}/accept`, {})
    isFirst = false
    return found
  }
  const deletePerson = createDeletePerson({
    records: { ...records, activeMembers },
    seats,
    users: createProfileRepository(connection),
    cache: { forget: async () => undefined },
    invitations,
    endMembership: async () => undefined,
    withdrawAll: createWithdrawAll({ invitations, seats, mails: createMailsRepository(connection) }),
    keys: createApiKeysRepository(connection),
    announceKeys: async () => undefined,
    audit: createAuditRepository(connection),
    transaction: (work) => inTransaction(connection, work),
  })
  await expect(deletePerson(signIn)).rejects.toMatchObject({ code: 'last_owner' })
  const { workspaceId } = ann.context
  expect((await records.find({ workspaceId }))?.deletion).toBeUndefined()
  expect(await membersOf(ann)).toHaveLength(2)
})

test('addresses and devices of their calls are erased from the audit log; what they did stays', async () => {
  const { person: ann } = await arrive()
  const { signIn, person } = await joining(ann, 'admin')
  await people.call(person, 'PATCH', '/api/workspace', {
    phone: '+919876543210',
    version: (await people.call(person, 'GET', '/api/workspace')).body.version,
  })
  const own = { 'actor.id': person.context.userId, action: 'workspace.update' }
  await collection('auditEntries').updateOne(own, { $set: { personal: { salt: 'a', ip: '203.0.113.9' } } })
  expect((await remove(signIn)).status).toBe(204)
  const entry = await collection('auditEntries').findOne(own)
  expect(entry?.['outcome']).toBe('done')
  expect(entry?.['personal']).toBeUndefined()
})
