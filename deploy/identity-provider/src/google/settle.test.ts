import { expect, test } from 'vitest'
import { openDatabase } from '../store/records.ts'
import { type GoogleIdentity, openStores } from '../store/stores.ts'
import { linkTo, settle } from './settle.ts'

const ann: GoogleIdentity = { sub: 'g-ann', email: 'ann@example.com', email_verified: true, given_name: 'Ann' }

function setUp() {
  const deps = openStores(openDatabase(':memory:'), { sessionIdle: 100, sessionMax: 250 })
  const account = (email: string) =>
    deps.users.create({
      email,
      emailVerified: false,
      enabled: true,
      firstName: null,
      lastName: null,
      picture: null,
      requiredActions: [],
      password: null,
    })
  return { deps, users: deps.users, account }
}

test('a new person gets an account, and the same one ever after', () => {
  const { deps } = setUp()
  const first = settle(ann, deps)
  expect(first).toMatchObject({ kind: 'signed-in', user: { email: ann.email, emailVerified: true, firstName: 'Ann' } })
  const later = settle({ ...ann, email: 'ann@elsewhere.example' }, deps)
  expect(later).toEqual(first)
})

test('what the other provider does not vouch for stays unverified', () => {
  const { deps } = setUp()
  expect(settle({ ...ann, email_verified: false }, deps)).toMatchObject({ user: { emailVerified: false } })
})

test('an account that has the address is asked about, and nothing is linked before', () => {
  const { deps, account } = setUp()
  const user = account(ann.email)
  expect(settle(ann, deps)).toEqual({ kind: 'ask-owner', user })
  expect(deps.identities.listOf(user.id)).toEqual([])
  linkTo(user, ann, deps)
  expect(settle(ann, deps)).toMatchObject({ kind: 'signed-in', user: { id: user.id } })
})

test('an unverified address, a second identity and a disabled account are refused', () => {
  const { deps, users, account } = setUp()
  const user = account(ann.email)
  expect(settle({ ...ann, email_verified: false }, deps)).toEqual({ kind: 'refused', reason: 'unverified' })
  linkTo(user, ann, deps)
  expect(settle({ ...ann, sub: 'g-other' }, deps)).toEqual({ kind: 'refused', reason: 'linked-elsewhere' })
  expect(() => linkTo(user, { ...ann, sub: 'g-other' }, deps)).toThrow()
  users.update(user.id, { enabled: false })
  expect(settle(ann, deps)).toEqual({ kind: 'refused', reason: 'disabled' })
})

test('a removed account takes its links along', () => {
  const { deps, users, account } = setUp()
  const user = account(ann.email)
  linkTo(user, ann, deps)
  users.remove(user.id)
  expect(deps.identities.find(ann.sub)).toBeUndefined()
})
