import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSessionCipher, isSessionSecret, newSessionSecret, sessionKey } from './session-cipher.ts'

const older = { id: 'k1', key: randomBytes(32) }
const newer = { id: 'k2', key: randomBytes(32) }
const secret = newSessionSecret()

test('a record opens with its own cookie, name and server key only', () => {
  const { seal, open } = createSessionCipher([older])
  const sealed = seal(secret, 'hot', { user: 'ann' })
  expect(open(secret, 'hot', sealed)).toEqual({ user: 'ann' })
  expect(open(newSessionSecret(), 'hot', sealed)).toBeUndefined()
  expect(open(secret, 'cold', sealed)).toBeUndefined()
  expect(createSessionCipher([{ id: 'k1', key: randomBytes(32) }]).open(secret, 'hot', sealed)).toBeUndefined()
})

test('a new server key takes over without ending old sessions', () => {
  const sealed = createSessionCipher([older]).seal(secret, 'hot', 1)
  const rotated = createSessionCipher([newer, older])
  expect(rotated.open(secret, 'hot', sealed)).toBe(1)
  expect(rotated.seal(secret, 'hot', 1)).toMatch(/^k2\./)
})

test('neither the stored name nor the stored text shows the cookie or the content', () => {
  const sealed = createSessionCipher([older]).seal(secret, 'hot', { token: 'readable' })
  expect(sealed).not.toContain('readable')
  expect(`${sealed}${sessionKey(secret)}`).not.toContain(secret)
})

test.each(['', 'k1', 'k1.', 'k1.AAAA', 'nope.AAAA', '....', 'k1.%%%'])('%j opens to nothing', (text) => {
  expect(createSessionCipher([older]).open(secret, 'hot', text)).toBeUndefined()
})

test.each(['', 'short', 'a'.repeat(44), `${'a'.repeat(42)}!`, '../../etc'])(
  '%j cannot be a cookie of ours',
  (value) => {
    expect(isSessionSecret(value)).toBe(false)
  },
)
