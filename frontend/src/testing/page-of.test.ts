import { expect, test } from 'vitest'
import { pageOf } from './page-of.ts'

const items = Array.from({ length: 7 }, (_, index) => ({ id: String(index + 1) }))
const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id).join('')

test('pages follow each other forwards and backwards', () => {
  const first = pageOf(items, { limit: 3 })
  expect([ids(first), first.total, first.previousCursor]).toEqual(['123', 7, null])
  const second = pageOf(items, { limit: 3, cursor: first.nextCursor ?? '' })
  expect(ids(second)).toBe('456')
  const third = pageOf(items, { limit: 3, cursor: second.nextCursor ?? '' })
  expect([ids(third), third.nextCursor]).toEqual(['7', null])
  expect(ids(pageOf(items, { limit: 3, cursor: third.previousCursor ?? '' }))).toBe('456')
  expect(ids(pageOf(items, { limit: 3, cursor: second.previousCursor ?? '' }))).toBe('123')
})

test('a record that is removed meanwhile moves no page, and an unknown cursor begins anew', () => {
  const { nextCursor } = pageOf(items, { limit: 3 })
  expect(ids(pageOf(items.slice(1), { limit: 3, cursor: nextCursor ?? '' }))).toBe('456')
  expect(ids(pageOf(items, { limit: 3, cursor: '>gone' }))).toBe('123')
})
