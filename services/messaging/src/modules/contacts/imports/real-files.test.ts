import { expect, test } from 'vitest'
import { batchesOf } from './batches.ts'
import { type CheckedRow, isProblem, type RowProblem } from './check-row.ts'
import { fileOf } from './file-of.ts'
import type { ImportPlan } from './import-plan.ts'
import { judgeDigits } from './judge-digits.ts'
import { columnsOf, openFile } from './open-file.ts'

/** Returns the result of importing a file with its suggested columns. */
async function importOf(text: string, settings: Partial<ImportPlan> = {}) {
  const bytes = Buffer.from(text)
  const country = settings.country ?? 'IN'
  const opened = await openFile(fileOf(bytes), 'people.csv', bytes.length)
  const columns = columnsOf(opened, country)
  const common = { purpose: 'both' as const, tags: [], allAgreed: false, evidence: '', digits: null }
  const plan: ImportPlan = { ...common, country, columns, headerRow: opened.headerRow, ...settings }
  const readings = await judgeDigits(fileOf(bytes), opened.format, plan, bytes.length)
  const how = { skip: 0, sizeBytes: bytes.length }
  const rows: (CheckedRow | RowProblem)[] = []
  for await (const batch of batchesOf(fileOf(bytes), opened.format, { ...plan, readings }, how))
    rows.push(...batch.rows)
  return rows
}
const phonesOf = async (text: string, settings?: Partial<ImportPlan>) =>
  (await importOf(text, settings)).map((row) => (isProblem(row) ? row.reason : row.phone))
const peopleOf = async (text: string) =>
  (await importOf(text)).map((row) => (isProblem(row) ? [row.reason] : [row.name, row.phone, row.attributes]))

test('the first number that is valid wins: mobile before work, and the others stay as details', async () => {
  const text = [
    'First Name,Last Name,Business Phone,Home Fax,Mobile Phone',
    'Dia,Example,+91 22 2345 6780,+91 22 2345 6789,+91 98765 43201',
    'Eli,Example,+91 22 2345 6781,,',
    'Fay,Example,+91 22 2345 6782,,12',
    'Gil,Example,,,',
  ].join('\n')
  expect(await peopleOf(text)).toEqual([
    ['Dia Example', '+919876543201', { 'Business Phone': '+91 22 2345 6780', 'Home Fax': '+91 22 2345 6789' }],
    ['Eli Example', '+912223456781', {}],
    ['Fay Example', '+912223456782', { 'Mobile Phone': '12' }],
    ['The phone number is missing.'],
  ])
})

test('a label says of each row which of its numbers is the mobile one, and which is a fax', async () => {
  const text = [
    'Name,Phone 1 - Type,Phone 1 - Value,Phone 2 - Type,Phone 2 - Value',
    'Dia,Home,+91 22 2345 6780,Mobile,+91 98765 43201',
    'Eli,Work Fax,+91 22 2345 6781,,+91 98765 43202',
    'Fay,* Mobile,+91 98765 43203 ::: +91 98765 43204,,',
    'Gil,Home Fax,+91 22 2345 6783,,',
  ].join('\n')
  expect(await peopleOf(text)).toEqual([
    ['Dia', '+919876543201', { 'Phone 1 - Value': '+91 22 2345 6780' }],
    ['Eli', '+919876543202', { 'Phone 1 - Value': '+91 22 2345 6781' }],
    ['Fay', '+919876543203', { 'Other phone': '+91 98765 43204' }],
    ['The phone number is missing.'],
  ])
})

test.each([
  '+91 98765 43201 / +91 98765 43202',
  '12; 9876543201',
  '98765/43201',
  '98765 43201, 98765 43202',
  '9876543201 or 9876543202',
  '"98765 43201\n98765 43202"',
])('of the numbers in the cell %j the first valid one is taken', async (cell) => {
  const quoted = cell.includes('"') ? cell : `"${cell}"`
  expect(await phonesOf(`Name,Phone\nDia,${quoted}\n`)).toEqual(['+919876543201'])
})

test('a number and its country code in two columns are one number', async () => {
  const text = [
    'Name,Country code,Phone',
    'Dia,91,98765 43201',
    'Eli,+49,0151 12345602',
    'Fay,US,(415) 555-2671',
    'Gil,65,+971 50 123 4003',
    'Hal,,98765 43205',
    'Ida,65,81234567',
    'Jo,91,919876543207',
  ].join('\n')
  expect(await phonesOf(text)).toEqual([
    ...['+919876543201', '+4915112345602', '+14155552671', '+971501234003', '+919876543205', '+6581234567'],
    '+919876543207',
  ])
})

test.each([
  ['Full Name,First Name,Last Name', 'Ada One,Ada,One', 'Ada One'],
  ['Full Name,First Name,Last Name', ',Ada,One', 'Ada One'],
  ['Last Name,First Name,Middle Name', 'One,Ada,B.', 'Ada B. One'],
  ['Name,Vorname,Firma', 'Eins,Ada,Beispiel GmbH', 'Ada Eins'],
  ['Name,First Name,Last Name', 'Ada One,Ada,One', 'Ada One'],
  ['Nom,Prénom,x', 'Un,Ada,', 'Ada Un'],
  ['姓,名,x', '王,小明,', '小明 王'],
])('names in the columns %s are put together once', async (header, cells, name) => {
  const rows = await importOf(`${header},Phone\n${cells},9876543201\n`)
  expect(rows).toMatchObject([{ name }])
})

test('column names that come again in the middle are no person', async () => {
  const text = 'Name,Phone\nDia,9876543201\nName,Phone\nEli,9876543202\n Name ,Phone\n'
  expect(await phonesOf(text)).toEqual(['+919876543201', '+919876543202'])
})

test('a title, a read-me and blank lines stand above the table', async () => {
  const text = 'Members of the club;;\n\nExported on 3 May;;\n;;\nName;Phone;City\nDia;9876543201;Pune\n'
  expect(await peopleOf(text)).toEqual([['Dia', '+919876543201', { city: 'Pune' }]])
})

test('digits in a column of WhatsApp ids, MSISDNs or identities are international', async () => {
  for (const header of ['wa_id', 'WhatsApp ID', 'MSISDN', 'jid', 'Phone (with country code)'])
    expect(await phonesOf(`Name,${header}\nDia,919811100081\nEli,6281234567890\n`, { country: 'DE' })).toEqual([
      '+919811100081',
      '+6281234567890',
    ])
})

const question = (national: string, international: string) =>
  `This may be ${national} or ${international}. Choose how digits without a plus are read.`

test('digits that may be two numbers are asked about where the column does not tell', async () => {
  const german = 'Name,Phone\nDia,919811100081\n'
  const asked = question('+49 9198 11100081', '+91 98111 00081')
  expect(await phonesOf(german, { country: 'DE' })).toEqual([asked])
  expect(await phonesOf(german, { country: 'DE', digits: 'international' })).toEqual(['+919811100081'])
  expect(await phonesOf(german, { country: 'DE', digits: 'national' })).toEqual(['+49919811100081'])
  const mixed = 'Name,Phone\nDia,6581234567\nEli,4915112345601\nFay,9811100081\n'
  const [first, ...clear] = await phonesOf(mixed)
  expect(first).toBe(question('+91 6581 234 567', '+65 8123 4567'))
  expect(clear).toEqual(['+4915112345601', '+919811100081'])
})

test('many clear numbers of a column tell how its unclear ones are read, and those are still counted', async () => {
  const national = ['9811100081', '9811100082', '9811100083'].map((number) => `P,${number}`)
  const international = ['4915112345601', '919811100082', '971501234003'].map((number) => `P,${number}`)
  const withUnclear = async (lines: string[]) =>
    (await importOf(['Name,Phone', ...lines, 'Dia,6581234567'].join('\n'))).at(-1)
  const unclear = { written: '6581234567', national: '+91 6581 234 567', international: '+65 8123 4567' }
  expect(await withUnclear(national)).toMatchObject({ phone: '+916581234567', unclear })
  expect(await withUnclear(international)).toMatchObject({ phone: '+6581234567', unclear })
})

test('a number that is not dialled any more is kept for whoever is stored under it', async () => {
  const [row] = await importOf('Name,Phone\nDia,+52 1 55 1234 5678\n')
  expect(row).toMatchObject({
    phone: '+5215512345678',
    unproven: { form: '+525512345678', reason: 'This is not a valid phone number.' },
  })
})

test('a name without letters is kept but said, tags of question marks are not kept', async () => {
  const [row] = await importOf('Name,Phone,Tags\n??? ????,9876543201,"????,vip"\n')
  expect(row).toMatchObject({
    name: '??? ????',
    tags: ['vip'],
    notes: ['The name has no letters: the file may have been saved in another encoding.'],
  })
})

test('days are stored in one way; a number that may be a day is left with the day that it may be', async () => {
  const text = 'Name,Phone,Birthday\nDia,9876543201,1990/02/03\nEli,9876543202,32907.0\nFay,9876543203,Feb 3\n'
  const rows = await importOf(text)
  expect(rows).toMatchObject([
    { attributes: { Birthday: '1990-02-03' }, notes: [] },
    { attributes: { Birthday: '32907.0' }, notes: [expect.stringContaining('32907 may be 1990-02-03.')] },
    { attributes: { Birthday: 'Feb 3' }, notes: [] },
  ])
})
