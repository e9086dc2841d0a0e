import { expect, test } from 'vitest'
import { type Batch, batchesOf } from './batches.ts'
import type { ImportPlan } from './check-row.ts'
import { columnsOf, openFile } from './open-file.ts'

const open = (text: string) => openFile(new Blob([text]), 'people.csv')

test('sign between cells, header and columns are found', async () => {
  const file = await open('\uFEFFName;Phone\r\nAsha;9876543210\r\n')
  expect(file).toMatchObject({ encoding: 'utf-8', delimiter: ';', withHeader: true })
  expect(columnsOf(file, true)).toEqual([
    { header: 'Name', samples: ['Asha'], target: 'name' },
    { header: 'Phone', samples: ['9876543210'], target: 'phone' },
  ])
})

test.each([
  ['Name,Phone\n', 'no rows below'],
  ['\n\n  \n', 'no rows'],
  [`${'x,'.repeat(60)}x\n`, 'more than 60 columns'],
])('%j is refused in words', async (text, words) => {
  await expect(open(text)).rejects.toThrow(words)
})

const plan: ImportPlan = {
  columns: [
    { header: 'Name', target: 'name' },
    { header: 'Phone', target: 'phone' },
  ],
  withHeader: true,
  country: 'IN',
  tags: [],
}

async function read(lines: readonly string[]) {
  const batches: Batch[] = []
  const file = new Blob([['Name,Phone', ...lines].join('\n')])
  for await (const batch of batchesOf(file, { encoding: 'utf-8', delimiter: ',' }, plan)) batches.push(batch)
  return batches
}

test('rows come in batches of 500, with the problems that lie between them', async () => {
  const lines = Array.from({ length: 1_201 }, (_, index) =>
    index % 6 === 0 ? 'Nobody,1' : `P,98${20_000_000 + index}`,
  )
  const batches = await read(lines)
  expect(batches.map(({ rows }) => rows.length)).toEqual([500, 500, 0])
  expect(
    batches
      .flatMap(({ problems }) => problems)
      .map(({ line }) => line)
      .slice(0, 2),
  ).toEqual([2, 8])
})

test('more than 100,000 rows are refused', async () => {
  await expect(read(Array.from({ length: 100_001 }, () => ',1'))).rejects.toThrow('more than 100,000 rows')
})
