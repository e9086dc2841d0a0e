import { expect, test } from 'vitest'
import { looksLikeApiKey, newApiKey, readApiKey } from './api-key.ts'

test('a key is read again, by its id and hash', () => {
  for (let count = 0; count < 200; count += 1) {
    const { id, text, hash } = newApiKey()
    expect(text).toMatch(/^ply_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
    expect(readApiKey(text)).toEqual({ id, hash })
    expect(hash).not.toContain(text.slice(17))
  }
})

test('no two keys are alike', () => {
  const keys = Array.from({ length: 500 }, newApiKey)
  for (const part of ['id', 'text', 'hash'] as const) expect(new Set(keys.map((key) => key[part])).size).toBe(500)
})

test('one wrong character, wherever it is, is noticed without looking anything up', () => {
  const { text } = newApiKey()
  for (let index = 0; index < text.length; index += 1) {
    const wrong = text[index] === 'x' ? 'y' : 'x'
    expect(readApiKey(text.slice(0, index) + wrong + text.slice(index + 1)), String(index)).toBeUndefined()
  }
})

test.each(['', 'ply_', 'ply_abc', `ply_${'a'.repeat(12)}_${'a'.repeat(49)}`, 'eyJhbGciOiJFZERTQSJ9.e30.x', ' '])(
  '%j is no key',
  (text) => {
    expect(readApiKey(text)).toBeUndefined()
  },
)

test('a key for somewhere else is not taken for one of ours', () => {
  expect([looksLikeApiKey('sk_live_x'), looksLikeApiKey(newApiKey().text)]).toEqual([false, true])
})
