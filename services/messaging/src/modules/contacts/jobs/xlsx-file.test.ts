import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileOf } from '../imports/file-of.ts'
import { partsOf } from '../imports/xlsx-parts.ts'
import { xlsxRecords } from '../imports/xlsx-records.ts'
import { xlsxFile } from './xlsx-file.ts'

async function* rowsOf(rows: readonly (readonly string[])[]) {
  yield* rows
}

const fileWith = (rows: readonly (readonly string[])[]) => buffer(xlsxFile(rowsOf(rows)))

test('rows and cells say where they are, which some readers go by alone', async () => {
  const file = await fileWith([
    ['Name', 'Phone'],
    Array.from({ length: 28 }, (_, index) => (index % 27 === 0 ? 'x' : '')),
  ])
  const part = (await partsOf(fileOf(file), file.length)).get('xl/worksheets/sheet1.xml')
  const sheet = part ? (await buffer(await part.open())).toString() : ''
  expect(sheet.match(/<row r="\d+">|<c r="\w+"/g)).toEqual([
    '<row r="1">',
    '<c r="A1"',
    '<c r="B1"',
    '<row r="2">',
    '<c r="A2"',
    '<c r="AB2"',
  ])
})

test('every text comes back, escapes and line ends among it', async () => {
  const text = fc.string({
    unit: fc.constantFrom('_x000D_', '_x005f_', '_', 'x', '0041', '\n', '&', '<', ' ', 'ë', '👩‍🌾', 'a'),
    minLength: 1,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (cells) => {
      const file = await fileWith([['x', ...cells]])
      const records = []
      for await (const part of xlsxRecords(fileOf(file), file.length)) records.push(...part.records)
      expect(records).toEqual([{ line: 1, cells: ['x', ...cells] }])
    }),
    { numRuns: 30 },
  )
})

test('a carriage return is written as spreadsheets write it', async () => {
  const file = await fileWith([['a\r\nb']])
  const part = (await partsOf(fileOf(file), file.length)).get('xl/worksheets/sheet1.xml')
  expect(part ? (await buffer(await part.open())).toString() : '').toContain('a_x000D_\nb')
})
