import { expect, test } from 'vitest'
import { cleanValue, cleanValues, tooLongPart } from './template-values.ts'

test.each([
  ['one\ntwo', 'one two'],
  ['one\r\n\r\ntwo', 'one two'],
  ['one\ttwo', 'one two'],
  ['one\u2028two', 'one two'],
  ['a    b', 'a    b'],
  ['a     b', 'a    b'],
  ['a  \n\t  b', 'a    b'],
  ['\n', ''],
  [' 15% ', '15%'],
])('%j is sent as %j', (value, cleaned) => {
  expect(cleanValue(value)).toBe(cleaned)
  expect(cleanValues({ 1: value })).toEqual({ 1: cleaned })
})

test('a part that is too long with its values is told, at its limit it is not', () => {
  const template = { header: 'Hi {{1}}', body: 'Good day {{2}}.' }
  const values = (header: number, body: number) => ({ 1: 'x'.repeat(header - 3), 2: 'x'.repeat(body - 10) })
  expect(tooLongPart(template, values(60, 1024))).toBeUndefined()
  expect(tooLongPart(template, values(61, 1024))).toEqual({ part: 'header', length: 61, most: 60 })
  expect(tooLongPart(template, values(60, 1025))).toEqual({ part: 'body', length: 1025, most: 1024 })
  const linked = { body: 'Hi', buttons: [{ kind: 'url', text: 'Open', url: 'https://example.com/{{1}}' }] }
  expect(tooLongPart(linked, { 1: 'x'.repeat(1980) })).toBeUndefined()
  expect(tooLongPart(linked, { 1: 'x'.repeat(1981) })).toEqual({ part: 'url', length: 2001, most: 2000 })
  const shop = [
    { body: 'Hi', headerMedia: { kind: 'product', product: { id: '{{1}}' } } },
    ...['catalog', 'products'].map((kind) => ({ body: 'Hi', buttons: [{ kind, text: 'View', product: '{{1}}' }] })),
  ]
  for (const shown of shop) {
    expect(tooLongPart(shown, { 1: 'x'.repeat(100) })).toBeUndefined()
    expect(tooLongPart(shown, { 1: 'x'.repeat(101) })).toEqual({ part: 'product', length: 101, most: 100 })
  }
})
