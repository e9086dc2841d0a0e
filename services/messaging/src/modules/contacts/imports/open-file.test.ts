import { expect, test } from 'vitest'
import { type Batch, batchesOf } from './batches.ts'
import { isProblem } from './check-row.ts'
import { fileOf } from './file-of.ts'
import type { ImportPlan } from './import-plan.ts'
import { columnsOf, openFile } from './open-file.ts'

const open = (text: string, name = 'people.csv') => openFile(fileOf(text), name, Buffer.byteLength(text))

test('sign between cells, header and columns are found', async () => {
  const file = await open('\uFEFFName;Phone\r\nAsha;9876543210\r\n')
  expect(file).toMatchObject({ format: { kind: 'csv', encoding: 'utf-8', delimiter: ';' }, headerRow: 1 })
  expect(columnsOf(file, 'IN')).toMatchObject([
    { header: 'Name', samples: ['Asha'], target: 'name' },
    { header: 'Phone', samples: ['9876543210'], target: 'phone' },
  ])
})

test.each([
  ['', 'The file is empty.'],
  ['Name,Phone\n', 'no rows below'],
  ['\n\n  \n', 'no rows'],
  [`${'x,'.repeat(300)}x\n`, 'more than 300 columns'],
])('%j is refused in words', async (text, words) => {
  await expect(open(text)).rejects.toThrow(words)
})

test('another kind of text is refused', async () => {
  await expect(open('<html>', 'people.html')).rejects.toThrow('is not a CSV file')
})

const plan: ImportPlan = {
  columns: [
    { header: 'Name', target: 'name' },
    { header: 'Phone', target: 'phone' },
  ],
  headerRow: 1,
  digits: null,
  purpose: 'both',
  country: 'IN',
  tags: [],
  allAgreed: false,
  evidence: '',
}

async function read(lines: readonly string[], skip = 0) {
  const batches: Batch[] = []
  const text = ['Name,Phone', ...lines].join('\n')
  const format = { kind: 'csv', encoding: 'utf-8', delimiter: ',' } as const
  for await (const batch of batchesOf(fileOf(text), format, plan, { skip, sizeBytes: text.length })) batches.push(batch)
  return batches
}

test('rows come in batches of 1,000, with the problems where they lie', async () => {
  const lines = Array.from({ length: 2_201 }, (_, index) =>
    index % 6 === 0 ? 'Nobody,1' : `P,98${20_000_000 + index}`,
  )
  const batches = await read(lines)
  expect(batches.map(({ rows, upTo, isLast }) => [rows.length, upTo, isLast])).toEqual([
    [1000, 1000, false],
    [1000, 2000, false],
    [201, 2201, true],
  ])
  const rows = batches.flatMap(({ rows: some }) => some)
  expect(rows.filter(isProblem).slice(0, 2)).toMatchObject([{ line: 2 }, { line: 8 }])
})

test('a file is read on after the rows that are done, whose numbers count as seen', async () => {
  const lines = ['A,9820000001', 'B,9820000002', 'C,9820000001']
  const [batch] = await read(lines, 2)
  expect(batch?.rows).toMatchObject([{ line: 4, reason: 'The same phone number is on line 2.' }])
})
