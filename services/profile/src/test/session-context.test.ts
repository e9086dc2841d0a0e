import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { complete, newSignIn, type ProfileUnderTest, startProfile } from './start-profile.ts'

let profile: ProfileUnderTest
beforeAll(async () => {
  profile = await startProfile()
})
afterAll(() => profile.stop())

const collection = (name: string) => profile.database.connection.collection(name)
const userOf = (sub: string) => collection('users').findOne({ sub })
async function counts(sub: string): Promise<number[]> {
  const user = await userOf(sub)
  return Promise.all([
    collection('users').countDocuments({ sub }),
    collection('workspaces').countDocuments({ ownerId: user?._id }),
    collection('members').countDocuments({ userId: user?._id }),
  ])
}

test('20 sign-ins at once make one user, one workspace, one membership', async () => {
  const signIn = newSignIn()
  const contexts = await Promise.all(Array.from({ length: 20 }, () => profile.openContext(signIn)))
  expect(new Set(contexts.map((context) => JSON.stringify(context))).size).toBe(1)
  expect(contexts[0]).toMatchObject({ role: 'owner', version: 1 })
  expect(await counts(signIn.sub)).toEqual([1, 1, 1])
})

test('a later sign-in finds the same user and workspace', async () => {
  const signIn = newSignIn()
  expect(await profile.openContext(signIn)).toEqual(await profile.openContext({ ...signIn, name: 'Somebody Else' }))
})

test.each(['workspaces', 'members'])('what a crash left without its %s is completed by the next call', async (name) => {
  const signIn = newSignIn()
  const context = await profile.openContext(signIn)
  const user = await userOf(signIn.sub)
  await collection(name).deleteMany({ $or: [{ ownerId: user?._id }, { userId: user?._id }] })
  expect(await profile.openContext(signIn)).toEqual(context)
  expect(await counts(signIn.sub)).toEqual([1, 1, 1])
})

test('a new membership is told as an event, once, in the transaction that makes it', async () => {
  const signIn = newSignIn()
  const { workspaceId, userId } = await profile.openContext(signIn)
  await profile.openContext(signIn)
  const events = await collection('events').find({ 'data.userId': userId }).toArray()
  expect(events).toMatchObject([
    { type: 'member.changed', data: { role: 'owner', status: 'active', version: 1 }, by: { kind: 'user', id: userId } },
  ])
  expect(String(events[0]?.['workspaceId'])).toBe(workspaceId)
})

test('the same subject of another issuer is another user', async () => {
  const signIn = newSignIn()
  const here = await profile.openContext(signIn)
  const there = await profile.openContext({ ...signIn, iss: 'http://127.0.0.1:9/realms/other' })
  expect(there.userId).not.toBe(here.userId)
  expect(there.workspaceId).not.toBe(here.workspaceId)
})

test('the stored role is answered, whatever a repeated call would create', async () => {
  const signIn = newSignIn()
  const { workspaceId } = await profile.openContext(signIn)
  const user = await userOf(signIn.sub)
  await collection('members').updateOne({ userId: user?._id }, { $set: { role: 'viewer', version: 2 } })
  expect(await profile.openContext(signIn)).toMatchObject({ workspaceId, role: 'viewer', version: 2 })
})

test('the time of the first verified password session is kept', async () => {
  const signIn = newSignIn({ emailVerified: false })
  await profile.openContext(signIn)
  expect((await userOf(signIn.sub))?.['emailVerifiedAt']).toBeNull()

  await profile.openContext({ ...signIn, emailVerified: true })
  const first = (await userOf(signIn.sub))?.['emailVerifiedAt']
  expect(first).toBeInstanceOf(Date)

  await profile.openContext({ ...signIn, emailVerified: true })
  expect((await userOf(signIn.sub))?.['emailVerifiedAt']).toEqual(first)
})

test('a federated session proves nothing about a password account', async () => {
  const signIn = newSignIn({ provider: 'google', emailVerified: true })
  await profile.openContext(signIn)
  expect((await userOf(signIn.sub))?.['emailVerifiedAt']).toBeNull()
})

test('a sign-in replaces the claims and never what the person typed', async () => {
  const signIn = newSignIn({ name: 'Ann Lee', picture: 'https://photos.example/ann' })
  const person = await profile.signIn(signIn)
  await person.patch({ ...complete, firstName: 'Anne', lastName: 'Leigh' })
  const changes = { name: 'Bob Ray', email: 'new@example.com', picture: 'https://photos.example/bob' }
  await profile.openContext({ ...signIn, ...changes })
  expect(await person.get()).toMatchObject({ firstName: 'Anne', lastName: 'Leigh', email: 'new@example.com' })
  expect(await userOf(signIn.sub)).toMatchObject({ claimedName: 'Bob Ray', claimedPicture: changes.picture })
})

test.each([
  ['a missing subject', { sub: undefined }, 'sub'],
  ['an empty subject', { sub: '' }, 'sub'],
  ['an issuer that is no URL', { iss: 'keycloak' }, 'iss'],
  ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
  ['no word on verification', { emailVerified: undefined }, 'emailVerified'],
])('%s is refused and creates nothing', async (_name, change, field) => {
  const before = await collection('users').countDocuments()
  const token = await profile.authority.serviceToken('profile')
  const answer = await profile.call('POST', '/internal/session-context', { token, json: { ...newSignIn(), ...change } })
  expect(answer.status).toBe(400)
  expect(Object.keys(JSON.parse(answer.text).fields)).toEqual([field])
  expect(await collection('users').countDocuments()).toBe(before)
})

test('a name of 200 wide characters still makes a workspace', async () => {
  const { userId } = await profile.openContext(newSignIn({ name: '🙂'.repeat(100) }))
  expect(userId).toMatch(/^[0-9a-f]{24}$/)
})

test("a user's token does not open it", async () => {
  const { token } = await profile.signIn()
  const answer = await profile.call('POST', '/internal/session-context', { token: await token(), json: newSignIn() })
  expect(answer.status).toBe(401)
})

test('the workspace that is asked for comes first, and is where the next session begins', async () => {
  const [ann, bob] = [newSignIn(), newSignIn()]
  const [hers, his] = [await profile.openContext(ann), await profile.openContext(bob)]
  const now = new Date()
  await collection('members').insertOne({
    workspaceId: new Types.ObjectId(hers.workspaceId),
    userId: new Types.ObjectId(his.userId),
    role: 'viewer',
    status: 'active',
    version: 1,
    createdAt: now,
    updatedAt: now,
  })
  expect(await profile.openContext(bob)).toEqual(his)
  const there = { userId: his.userId, workspaceId: hers.workspaceId, role: 'viewer' }
  expect(await profile.openContext({ ...bob, workspaceId: hers.workspaceId })).toMatchObject(there)
  expect(await profile.openContext(bob)).toMatchObject(there)
  await collection('members').updateOne(
    { userId: new Types.ObjectId(his.userId), role: 'viewer' },
    { $set: { status: 'removed' } },
  )
  expect(await profile.openContext({ ...bob, workspaceId: hers.workspaceId })).toEqual(his)
})
