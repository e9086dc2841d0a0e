import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { keyRingSchema } from './key-ring.ts'
import { createLogger } from './logger.ts'
import { createSecretBox, Secret } from './secret-box.ts'

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const [first, second] = [key('k1'), key('k2')]
const boxOf = (...keys: string[]) => createSecretBox(keyRingSchema.parse(keys.join(',')))
const location = { workspaceId: 'a'.repeat(24), field: 'numbers.accessToken' }
const clear = 'EAAG-token-of-a-number'

test('a sealed secret opens in its place and says which key sealed it', () => {
  const box = boxOf(first)
  const sealed = box.seal(new Secret(clear), location)
  expect(sealed).toMatch(/^k1\.[\w-]+$/)
  expect(Buffer.from(sealed, 'base64url').toString('latin1') + sealed).not.toContain(clear)
  expect(box.open(sealed, location).reveal()).toBe(clear)
  expect(box.seal(new Secret(clear), location)).not.toBe(sealed)
})

test.each([
  ["another workspace's record", { ...location, workspaceId: 'b'.repeat(24) }],
  ['another field', { ...location, field: 'webhooks.secret' }],
])('%s cannot take it over', (_name, other) => {
  const box = boxOf(first)
  const sealed = box.seal(new Secret(clear), location)
  expect(() => box.open(sealed, other)).toThrow()
})

test('what was changed or cut does not open', () => {
  const box = boxOf(first)
  const [id, text = ''] = box.seal(new Secret(clear), location).split('.')
  const bytes = Buffer.from(text, 'base64url')
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes)
    changed[index] = (changed[index] ?? 0) ^ 1
    expect(() => box.open(`${id}.${changed.toString('base64url')}`, location)).toThrow()
    expect(() => box.open(`${id}.${bytes.subarray(0, index).toString('base64url')}`, location)).toThrow()
  }
})

test('a key is replaced without a gap: old values open under the new ring until they are sealed anew', () => {
  const sealed = boxOf(first).seal(new Secret(clear), location)
  // Processes that still have the old order, or the new one: both open what both seal.
  const [before, after] = [boxOf(first, second), boxOf(second, first)]
  expect(after.isCurrent(sealed)).toBe(false)
  const renewed = after.seal(after.open(sealed, location), location)
  expect(after.isCurrent(renewed)).toBe(true)
  expect(before.open(renewed, location).reveal()).toBe(clear)
  expect(boxOf(second).open(renewed, location).reveal()).toBe(clear)
  expect(() => boxOf(second).open(sealed, location)).toThrow('no key named "k1"')
})

test('a secret in clear is not in text, JSON, an inspection, an error or a log line', () => {
  const secret = new Secret(clear)
  const lines: string[] = []
  const logger = createLogger({ name: 'x', level: 'info', destination: { write: (line: string) => lines.push(line) } })
  logger.info({ secret, at: { number: secret } }, `stored ${secret}`)
  const seen = [`${secret}`, JSON.stringify({ secret }), inspect(secret), inspect({ a: [secret] }), ...lines]
  expect(lines).toHaveLength(1)
  for (const text of seen) {
    expect(text).not.toContain(clear)
    expect(text).toMatch(/\[secret\]|\[redacted\]/)
  }
})

test.each([
  ['no pairs', 'abc'],
  ['a short key', `k1:${randomBytes(16).toString('base64')}`],
  ['a name that no value could carry', `k.1:${randomBytes(32).toString('base64')}`],
  ['one name twice', `${first},${key('k1')}`],
])('a ring with %s is refused', (_name, text) => {
  expect(keyRingSchema.safeParse(text).success).toBe(false)
})
