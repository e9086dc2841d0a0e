import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { complete, newSignIn, ok, type Person, type ProfileUnderTest, startProfile } from './start-profile.ts'

let profile: ProfileUnderTest
let ann: Person
let bob: Person
beforeAll(async () => {
  profile = await startProfile()
  ann = await profile.signIn()
  bob = await profile.signIn()
  ok(await ann.patch({ ...complete, firstName: 'Ann' }))
  ok(await bob.patch({ ...complete, firstName: 'Bob' }))
})
afterAll(() => profile.stop())

/** A token that pairs a user with a workspace, as a stale one does after a membership has ended. */
const tokenFor = (userId: string, workspaceId: string) =>
  profile.authority.userToken({
    sub: userId,
    wid: workspaceId,
    role: 'owner',
    aud: 'profile',
    email: 'mallory@example.com',
    email_verified: true,
    provider: 'password',
  })

test('each user reads their own record', async () => {
  expect(await ann.get()).toMatchObject({ id: ann.context.userId, firstName: 'Ann' })
  expect(await bob.get()).toMatchObject({ id: bob.context.userId, firstName: 'Bob' })
})

test('a change reaches no other user', async () => {
  const before = await ann.get()
  ok(await bob.patch({ firstName: 'Robert' }))
  expect(await ann.get()).toEqual(before)
})

test.each([
  ['GET', '/api/auth/user', undefined],
  ['POST', '/api/auth/sync', undefined],
  ['PATCH', '/api/auth/profile', { firstName: 'Mallory' }],
])("%s %s with another workspace's id is 404 and changes nothing", async (method, path, json) => {
  const before = [await ann.get(), await bob.get()]
  for (const [user, workspace] of [
    [ann, bob],
    [bob, ann],
  ] as const) {
    const token = await tokenFor(user.context.userId, workspace.context.workspaceId)
    const answer = await profile.call(method, path, { token, ...(json && { json }) })
    expect(answer.status).toBe(404)
    expect(answer.text).not.toMatch(/Ann|Bob|Robert|@example/)
  }
  expect([await ann.get(), await bob.get()]).toEqual(before)
})

test('a workspace or user that does not exist is 404 too', async () => {
  const nobody = 'f'.repeat(24)
  const strangers = [
    await tokenFor(nobody, ann.context.workspaceId),
    await tokenFor(ann.context.userId, nobody),
    await tokenFor(nobody, nobody),
  ]
  for (const token of strangers) expect((await profile.call('GET', '/api/auth/user', { token })).status).toBe(404)
})

const members = () => profile.database.connection.collection('members')
async function remove(person: Person) {
  const userId = new Types.ObjectId(person.context.userId)
  const { matchedCount } = await members().updateOne({ userId }, { $set: { status: 'removed' }, $inc: { version: 1 } })
  expect(matchedCount).toBe(1)
}

test('a removed member reads and changes nothing from that moment on, also of what was cached', async () => {
  const eve = await profile.signIn()
  ok(await eve.patch(complete))
  await eve.get()
  await remove(eve)
  const call = async (method: string, path: string, json?: unknown) => {
    const { status, text } = await profile.call(method, path, {
      token: await eve.token(),
      ...(json !== undefined && { json }),
    })
    return [status, JSON.parse(text).code]
  }
  expect(await call('GET', '/api/auth/user')).toEqual([404, 'not_found'])
  expect(await call('POST', '/api/auth/sync')).toEqual([404, 'not_found'])
  expect(await call('PATCH', '/api/auth/profile', { firstName: 'Eva' })).toEqual([404, 'not_found'])
})

test('a removed owner does not come back by signing in again: they get a workspace of their own', async () => {
  const signIn = newSignIn()
  const eve = await profile.signIn(signIn)
  await remove(eve)
  const contexts = await Promise.all(Array.from({ length: 10 }, () => profile.openContext(signIn)))
  const workspaceIds = new Set(contexts.map(({ workspaceId }) => workspaceId))
  expect(workspaceIds.size).toBe(1)
  expect(workspaceIds).not.toContain(eve.context.workspaceId)
  expect(contexts[0]).toMatchObject({ userId: eve.context.userId, role: 'owner' })
  const stored = await members()
    .find({ userId: new Types.ObjectId(eve.context.userId) })
    .sort({ _id: 1 })
    .toArray()
  expect(stored.map(({ status }) => status)).toEqual(['removed', 'active'])
})

test('whoever was removed at home goes on in the oldest workspace that they still belong to', async () => {
  const signIn = newSignIn()
  const eve = await profile.signIn(signIn)
  await remove(eve)
  const now = new Date()
  await members().insertOne({
    workspaceId: new Types.ObjectId(ann.context.workspaceId),
    userId: new Types.ObjectId(eve.context.userId),
    role: 'agent',
    version: 4,
    createdAt: now,
    updatedAt: now,
  })
  const context = await profile.openContext(signIn)
  expect(context).toEqual({
    userId: eve.context.userId,
    workspaceId: ann.context.workspaceId,
    role: 'agent',
    version: 4,
  })
})

test('ids and times in a body are ignored', async () => {
  const changed = ok(
    await ann.patch({ id: bob.context.userId, workspaceId: bob.context.workspaceId, firstName: 'Anna' }),
  )
  expect(changed).toMatchObject({ id: ann.context.userId, firstName: 'Anna' })
})
