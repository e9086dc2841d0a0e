import { afterAll, beforeAll, expect, test } from 'vitest'
import { complete, ok, type Person, type ProfileUnderTest, startProfile } from './start-profile.ts'

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

test('a removed member no longer changes anything', async () => {
  const eve = await profile.signIn()
  ok(await eve.patch(complete))
  const { connection } = profile.database
  await connection.collection('members').deleteMany({ userId: await idOf(eve) })
  expect((await eve.patch({ firstName: 'Eva' })).status).toBe(404)
})

async function idOf({ context }: Person) {
  const users = await profile.database.connection.collection('users').find().toArray()
  return users.find(({ _id }) => String(_id) === context.userId)?._id
}

test('ids and times in a body are ignored', async () => {
  const changed = ok(
    await ann.patch({ id: bob.context.userId, workspaceId: bob.context.workspaceId, version: 99, firstName: 'Anna' }),
  )
  expect(changed).toMatchObject({ id: ann.context.userId, firstName: 'Anna' })
})
