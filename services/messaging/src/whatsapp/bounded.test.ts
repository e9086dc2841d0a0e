import { expect, test } from 'vitest'
import { bounded } from './bounded.ts'

const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

test('what is not unusual stays as it is', () => {
  const value = { source_id: '1', media: [{ url: 'https://example.com', size: [1, 2] }], flag: true, none: null }
  expect(bounded(value)).toEqual(value)
})

test('depth, lists, numbers of fields and texts have a bound', () => {
  expect(depthOf(bounded({ x: nested(100_000) }))).toBe(9)
  expect(depthOf(bounded({ x: JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) }))).toBe(9)
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, index]))
  expect(Object.keys(bounded({ known: 1, ...many }))).toHaveLength(1000)
  const lists = JSON.stringify(bounded({ lists: Array(100).fill(Array(100).fill(0)) }))
  expect(lists.length).toBeLessThan(5000)
  expect(bounded({ list: Array(5000).fill(0), text: 'x'.repeat(5000) })).toEqual({
    list: Array(100).fill(0),
    text: 'x'.repeat(2048),
  })
})

test('fields whose names the database does not take are left out', () => {
  expect(bounded(JSON.parse('{"$set":1,"a.b":1,"n\\u0000l":1,"__proto__":1,"":1,"ok":{"$inc":1,"fine":2}}'))).toEqual({
    ok: { fine: 2 },
  })
})
