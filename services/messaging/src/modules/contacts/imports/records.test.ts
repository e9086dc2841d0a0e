import { expect, test } from 'vitest'
import { fileOf } from './file-of.ts'
import { csvRecords, type Delimiter, type FileRecord, guessDelimiter, guessEscapes } from './records.ts'

async function read(text: string, delimiter: Delimiter = ',') {
  const records: FileRecord[] = []
  for await (const part of csvRecords(fileOf(text), { encoding: 'utf-8', delimiter })) records.push(...part.records)
  return records
}

test('quotes, quoted line breaks and empty lines; each record knows its line', async () => {
  expect(await read('name,phone\r\n"Rao, Asha","+91 1"\r\n\r\n"two\r\nlines","say ""hi"""\r\nlast,1')).toEqual([
    { line: 1, cells: ['name', 'phone'] },
    { line: 2, cells: ['Rao, Asha', '+91 1'] },
    { line: 4, cells: ['two\nlines', 'say "hi"'] },
    { line: 6, cells: ['last', '1'] },
  ])
})

test('records that two pieces of the file share stay whole', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => `"Person, ${index}",${index}`)
  const records = await read(rows.join('\n'))
  expect(records).toHaveLength(20_000)
  expect(records.every(({ line, cells }) => cells[0] === `Person, ${line - 1}` && cells[1] === String(line - 1))).toBe(
    true,
  )
})

test('a quote that is never closed is refused, not taken for the rest of the file', async () => {
  await expect(read(`name,phone\n"Asha,1\n${'x,2\n'.repeat(400_000)}`)).rejects.toThrow('Line 2 has a quote')
})

test.each([
  ['name,phone\nAsha,1\nRavi,2', ','],
  ['name;phone\n"Rao, Asha";1\nRavi;2', ';'],
  ['name\tphone\nAsha\t1\nRavi\t2', '\t'],
  ['phone\n1\n2', ','],
])('the sign between cells of %j is %j', (text, delimiter) => {
  expect(guessDelimiter(text)).toBe(delimiter)
})

test.each([
  'sep=;\nName;Phone\nAsha;1',
  '"sep=;"\nName;Phone\nAsha;1',
  'sep=|\nName|Phone\nAsha|1',
  'sep=,\nName,Phone\nAsha,1',
])('the first line of %j names the sign between cells, and no column', async (text) => {
  expect(await read(text, guessDelimiter(text))).toEqual([
    { line: 2, cells: ['Name', 'Phone'] },
    { line: 3, cells: ['Asha', '1'] },
  ])
})

async function cellsOf(text: string) {
  const delimiter = guessDelimiter(text)
  const escapes = guessEscapes(text, delimiter)
  const format = { encoding: 'utf-8', delimiter, ...(escapes && { escapes }) } as const
  const rows: (readonly string[])[] = []
  for await (const { records } of csvRecords(fileOf(text), format)) rows.push(...records.map(({ cells }) => cells))
  return rows
}

test('a backslash escapes what the program that wrote the file meant', async () => {
  const ofR = '"Name"\t"Phone"\n"A \\"Q\\", B"\t"+919876500031"\n'
  expect(await cellsOf(ofR)).toEqual([
    ['Name', 'Phone'],
    ['A "Q", B', '+919876500031'],
  ])
  const ofTabs = 'Name\tNote\nAsha\ttwo\\nlines, one\\ttab, a \\\\ sign\n'
  expect(await cellsOf(ofTabs)).toEqual([
    ['Name', 'Note'],
    ['Asha', 'two\nlines, one\ttab, a \\ sign'],
  ])
  const paths = 'Name\tFolder\nAsha\tC:\\new\\docs\n'
  expect(await cellsOf(paths)).toEqual([
    ['Name', 'Folder'],
    ['Asha', 'C:\\new\\docs'],
  ])
  const doubled = 'Name,Note\n"say ""hi""","a backslash \\" then, more"\n'
  expect(await cellsOf(doubled)).toEqual([
    ['Name', 'Note'],
    ['say "hi"', 'a backslash \\" then, more'],
  ])
})
