import { newId } from '@parley/service-kit/data/plain'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, type Person, type ProfileUnderTest, startProfile } from './start-profile.ts'

let profile: ProfileUnderTest
let ann: Person
let eve: Person
beforeAll(async () => {
  profile = await startProfile()
  ann = await profile.signIn({ claimsIat: 1_700_000_000 })
  eve = await profile.signIn()
})
afterAll(() => profile.stop())

async function note(...items: object[]) {
  const token = await profile.authority.serviceToken('profile')
  return (await profile.call('POST', '/internal/members-seen', { token, json: { items } })).status
}
const seenOf = async (by: Person) => {
  const answer = await profile.call('GET', '/api/members', { token: await by.token() })
  return (ok(answer) as { items: { lastSeenAt: string | null }[] }).items.map(({ lastSeenAt }) => lastSeenAt)
}
const of = ({ context: { userId, workspaceId } }: Person, at: string) => ({ userId, workspaceId, at })

test('the latest use counts, in its own workspace alone, and changes no membership', async () => {
  expect(await seenOf(ann)).toEqual(['2023-11-14T22:13:20.000Z'])
  const [late, early] = ['2026-01-05T10:00:00.000Z', '2026-01-04T10:00:00.000Z']
  expect(await note(of(ann, late))).toBe(204)
  expect(await note(of(ann, early), { userId: newId(), workspaceId: newId(), at: late })).toBe(204)
  expect(await seenOf(ann)).toEqual([late])
  expect(await seenOf(eve)).toEqual([null])
  const before = ann.context.version
  expect(await profile.openContext(await signInOf(ann))).toMatchObject({ version: before })
})
const signInOf = async (person: Person) => {
  const user = await profile.database.connection
    .collection('users')
    .findOne({ _id: new profile.database.connection.base.Types.ObjectId(person.context.userId) })
  return {
    iss: String(user?.['iss']),
    sub: String(user?.['sub']),
    email: String(user?.['email']),
    emailVerified: true,
    provider: 'password',
  }
}

test('many who are noted at once for the first time are each noted', async () => {
  const at = '2026-01-05T10:00:00.000Z'
  expect(await Promise.all(Array.from({ length: 5 }, () => note(of(eve, at))))).toEqual(Array(5).fill(204))
  expect(await seenOf(eve)).toEqual([at])
})

test('members of a workspace are read by an index', async () => {
  await expectIndexed(profile.database.connection, () => seenOf(ann))
})
