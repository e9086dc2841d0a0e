import { newId } from '@parley/service-kit/data/plain'
import { expect, test } from 'vitest'
import { conversationIdOf } from './conversation-id.ts'

test('a number and a contact have one conversation, other pairs have others', () => {
  const [numbers, contacts] = [3, 50].map((count) => Array.from({ length: count }, newId))
  const pairs = (numbers ?? []).flatMap((numberId) => (contacts ?? []).map((contactId) => ({ numberId, contactId })))
  expect(new Set(pairs.map(conversationIdOf)).size).toBe(150)
  expect(pairs.map(conversationIdOf)).toEqual(pairs.map(conversationIdOf))
  for (const pair of pairs) expect(conversationIdOf(pair)).toMatch(/^[0-9a-f]{24}$/)
})

test('conversations of a number are in the order of their contacts', () => {
  const numberId = newId()
  const ids = Array.from({ length: 50 }, () => conversationIdOf({ numberId, contactId: newId() }))
  expect(ids.toSorted()).toEqual(ids)
})
