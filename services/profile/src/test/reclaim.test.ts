import { afterAll, beforeAll, expect, test } from 'vitest'
import { complete, newSignIn, ok, type ProfileUnderTest, startProfile } from './start-profile.ts'

let profile: ProfileUnderTest
beforeAll(async () => {
  profile = await startProfile()
})
afterAll(() => profile.stop())

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const google = { provider: 'google', emailVerified: true, startedAt: minutesAgo(1) }
/** Signs up a person with another's address and a typed profile, without ever proving the address. */
async function squat() {
  const signIn = newSignIn({ emailVerified: false })
  const squatter = await profile.signIn(signIn)
  ok(await squatter.patch({ ...complete, firstName: 'Squatter' }))
  return { signIn, squatter }
}

test('a federated sign-in inherits no profile that a stranger has typed', async () => {
  const { signIn, squatter } = await squat()
  const context = await profile.openContext({ ...signIn, ...google })
  expect(context).toEqual({ ...squatter.context, reclaim: true })
  expect(await squatter.get()).toMatchObject({ firstName: '', lastName: '', mobile: '', address: '', timezone: '' })
})

test('until the account is reclaimed each federated sign-in asks for it again, and erases again', async () => {
  const { signIn, squatter } = await squat()
  await profile.openContext({ ...signIn, ...google })
  ok(await squatter.patch({ firstName: 'Again' }))
  expect(await profile.openContext({ ...signIn, ...google })).toMatchObject({ reclaim: true })
  expect(await squatter.get()).toMatchObject({ firstName: '' })
})

test('once reclaimed the account is its owner’s: what they type stays', async () => {
  const { signIn, squatter } = await squat()
  await profile.openContext({ ...signIn, ...google })
  expect(await profile.openContext({ ...signIn, ...google, reclaimed: true })).toEqual(squatter.context)
  ok(await squatter.patch({ firstName: 'Owner' }))
  expect(await profile.openContext({ ...signIn, ...google })).toEqual(squatter.context)
  expect(await squatter.get()).toMatchObject({ firstName: 'Owner' })
})

test('whoever proved the address by password first keeps profile and password', async () => {
  const signIn = newSignIn({ emailVerified: true })
  const ann = await profile.signIn(signIn)
  ok(await ann.patch(complete))
  const later = { ...google, startedAt: new Date(Date.now() + 1000).toISOString() }
  expect(await profile.openContext({ ...signIn, ...later })).toEqual(ann.context)
  expect(await ann.get()).toMatchObject({ firstName: 'Ann' })
})

test('an address proven in the course of the federated sign-in proves nothing about an open password session', async () => {
  const { signIn } = await squat()
  await profile.openContext({ ...signIn, emailVerified: true })
  expect(await profile.openContext({ ...signIn, ...google })).toMatchObject({ reclaim: true })
})

test('whoever comes by Google first has nothing to reclaim', async () => {
  const signIn = newSignIn(google)
  const ann = await profile.signIn(signIn)
  ok(await ann.patch(complete))
  expect(await profile.openContext(signIn)).toEqual(ann.context)
  expect(ann.context).not.toHaveProperty('reclaim')
  expect(await ann.get()).toMatchObject({ firstName: 'Ann' })
})

test('a password session is never asked to reclaim', async () => {
  const { signIn } = await squat()
  expect(await profile.openContext(signIn)).not.toHaveProperty('reclaim')
})
