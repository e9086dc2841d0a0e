import { expect, test } from 'vitest'
import { identityOf, mustVerifyEmail } from './identity.ts'

const claims = { iss: 'i', sub: 's', aud: 'a', exp: 2, iat: 1, email: 'a@b.c', email_verified: false }

test('claims become an identity', () => {
  expect(identityOf({ ...claims, name: 'Asha Rao', picture: 'https://x/p.png', identity_provider: 'google' })).toEqual({
    uid: 's',
    email: 'a@b.c',
    emailVerified: false,
    displayName: 'Asha Rao',
    photoURL: 'https://x/p.png',
    provider: 'google',
  })
})

test('a name may come in two parts, or not at all', () => {
  expect(identityOf({ ...claims, given_name: 'Asha', family_name: 'Rao' })?.displayName).toBe('Asha Rao')
  expect(identityOf(claims)?.displayName).toBe('')
})

test('claims without a subject are nobody', () => {
  expect(identityOf({ ...claims, sub: undefined })).toBeNull()
})

test.each([
  [{}, true],
  [{ email_verified: true }, false],
  [{ identity_provider: 'google' }, false],
])('only an unverified password account has to verify its address: %j', (over, expected) => {
  const identity = identityOf({ ...claims, ...over })
  expect(identity && mustVerifyEmail(identity)).toBe(expected)
})
