import { expect, test } from 'vitest'
import { hashPassword as hash, matchesPassword as matches } from './passwords.ts'

test('a password matches its own hash and no other does', async () => {
  const stored = await hash('correct horse ünïcode')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await matches('correct horse ünïcode', stored)).toBe(true)
  expect(await matches('correct horse unicode', stored)).toBe(false)
  expect(await matches('', stored)).toBe(false)
})

test('the same password is hashed differently each time', async () => {
  expect(await hash('secret-1')).not.toBe(await hash('secret-1'))
})

test('without a stored hash nothing matches, not even the password of nobody', async () => {
  expect(await matches('secret-1', undefined)).toBe(false)
})

test('many checks at once all get their answer', async () => {
  const stored = await hash('secret-1')
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, index) => matches(index % 2 ? 'secret-1' : 'other-1', stored)),
  )
  expect(answers).toEqual([false, true, false, true, false, true, false, true, false])
})
