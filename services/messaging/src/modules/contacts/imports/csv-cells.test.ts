import { parsePhone } from '@parley/phone'
import { cellText, csvLine, safeCell } from '@parley/rules/csv-cells'
import Papa from 'papaparse'
import { expect, test } from 'vitest'

test.each([
  '=1+1',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  "=cmd|'/C calc'!A0",
  '＝1',
  '+91 98765+1',
  '-5',
])('no spreadsheet runs %j', (text) => {
  expect(safeCell(text)).toBe(`'${text}`)
})

test.each(['Priya Sharma', 'a=b', '12 - 4', '', "D'Souza", "'quoted'"])('%j stays as it is', (text) => {
  expect(safeCell(text)).toBe(text)
})

test('a phone number in international form can be read; digits in one run would become a number', () => {
  const { international = '', e164 = '' } = parsePhone('+919876543210') ?? {}
  expect(safeCell(international)).toBe('+91 98765 43210')
  expect(safeCell(parsePhone('+14155552671')?.international ?? '')).toBe('+1 415 555 2671')
  expect(safeCell(e164)).toBe("'+919876543210")
})

test.each(['=1+1', "'=1+1", "''-x", '+91 98765 43210', '@vip', 'plain', "'plain"])(
  '%j comes back from a file',
  (text) => {
    expect(cellText(safeCell(text))).toBe(text)
  },
)

test('commas, quotes, line breaks and edges of spaces survive', () => {
  const cells = ['a,b', 'say "hi"', 'two\nlines', ' edge ', 'semi;colon', 'محمد', 'Zoë 🌸', '']
  expect(Papa.parse(csvLine(cells)).data).toEqual([cells])
})
