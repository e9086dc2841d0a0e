import { expect, test } from 'vitest'
import { checkRow, isProblem } from './check-row.ts'
import type { ImportPlan } from './import-plan.ts'
import { createNumberLines } from './number-lines.ts'

const plan: ImportPlan = {
  columns: [
    { header: 'First name', target: 'name' },
    { header: 'Last name', target: 'name' },
    { header: 'Phone', target: 'phone' },
    { header: 'Tags', target: 'tags' },
    { header: 'City', target: 'attribute' },
    { header: 'Note', target: 'ignore' },
    { header: 'Opt-in', target: 'consent' },
  ],
  headerRow: 1,
  digits: null,
  purpose: 'both',
  country: 'IN',
  tags: ['imported'],
  allAgreed: false,
  evidence: '',
}
const nobody = () => ({ phones: createNumberLines(), userIds: new Map<string, number>() })
const check = (...cells: string[]) => checkRow({ line: 7, cells }, plan, nobody())

test('names are joined, tags split, the plan’s own added, ignored columns left out', () => {
  expect(check(' Asha', 'Rao ', '098765 43210', 'vip; lead,vip', 'Pune', 'secret')).toEqual({
    line: 7,
    name: 'Asha Rao',
    phone: '+919876543210',
    tags: ['vip', 'lead', 'imported'],
    attributes: { city: 'Pune' },
    notes: [],
  })
})

test('everybody in a file has agreed where whoever imports it says so', () => {
  expect(check('Asha', '', '9876543210')).not.toHaveProperty('consent')
  const all = { ...plan, columns: plan.columns.slice(0, 3), allAgreed: true }
  expect(checkRow({ line: 7, cells: ['Asha', '', '9876543210'] }, all, nobody())).toMatchObject({ consent: 'in' })
})

test.each(['+91 98765 43210', '0091 98765 43210', "'+919876543210", '9876543210', '(0)98765-43210', '919876543210'])(
  'the number %s is read',
  (phone) => {
    expect(check('Asha', '', phone)).toMatchObject({ phone: '+919876543210' })
  },
)

test.each([
  ['9811100909/10', '+919811100909', '/10'],
  ['9811100909 / 10', '+919811100909', '/10'],
  ['98111 00909-10', '+919811100909', '-10'],
  ['8123456789/90/91', '+918123456789', '/90, /91'],
  ['+91 9876543210/11', '+919876543210', '/11'],
])('%s is the number %s, and its other ending a detail', (cell, phone, other) => {
  for (const digits of [undefined, 'national'] as const) {
    const readings = new Map(digits && [[2, digits]])
    const row = checkRow({ line: 7, cells: ['Asha', '', cell] }, { ...plan, readings }, nobody())
    expect(row).toMatchObject({ phone, attributes: { 'Other phone': other } })
  }
})

test.each([
  ['0171 1234567/8', '+491711234567'],
  ['030/1234567', '+49301234567'],
  ['030 1234567-12', '+4930123456712'],
  ['030/1234567-12', '+4930123456712'],
])('the German %s is %s', (cell, phone) => {
  const row = checkRow({ line: 7, cells: ['Asha', '', cell] }, { ...plan, country: 'DE' }, nobody())
  expect(row).toMatchObject({ phone })
})

test.each(['981110090910', '98111 0090910', '6281234567890'])(
  '%s in a column of Indian numbers is a problem, not a number abroad',
  (cell) => {
    const readings = new Map([[2, 'national' as const]])
    const row = checkRow({ line: 7, cells: ['Asha', '', cell] }, { ...plan, readings }, nobody())
    expect(row).toMatchObject({ value: cell, reason: expect.stringContaining(`Write +${cell}`) })
  },
)

test.each([
  ['no name', ['', '', '9876543210'], '', 'The name is missing.'],
  ['no number', ['Asha', ''], '', 'The phone number is missing.'],
  ['a wrong number', ['Asha', '', '12345'], '12345', 'not a valid phone number'],
  ['a number shortened by a spreadsheet', ['Asha', '', '9.19877E+11'], '9.19877E+11', 'Format its column as text'],
  ['a long name', ['x'.repeat(121), '', '9876543210'], `${'x'.repeat(79)}…`, 'at most 120'],
])('%s is a problem with line, value and reason', (_, cells, value, reason) => {
  expect(check(...cells)).toMatchObject({ line: 7, value, reason: expect.stringContaining(reason) })
})

test('what is wrong with a detail costs the detail, and is said', () => {
  const size = { label: 'Size', type: 'number' as const, choices: [], id: 'a', name: 'size', version: 1 }
  const columns = [
    ...plan.columns.slice(0, 4),
    { header: 'Size', target: 'attribute' as const, attribute: size },
    { header: 'WhatsApp user id', target: 'user_id' as const },
  ]
  const cells = ['Asha', '', '9876543210', `vip,${'x'.repeat(41)}`, 'big', '4711', 'over', '', 'all']
  expect(checkRow({ line: 7, cells }, { ...plan, columns }, nobody())).toEqual({
    line: 7,
    name: 'Asha',
    phone: '+919876543210',
    tags: ['vip', 'imported'],
    attributes: {},
    notes: [
      '4711 is not a WhatsApp user id.',
      'There is no column for over, all.',
      `The tag ${'x'.repeat(41)} has more than 40 characters.`,
      'big: Size is a number.',
    ],
  })
})

test.each(['NA', 'N/A', '#N/A', 'NaN', 'nan', 'NULL', 'null', 'None', '<NA>', 'NaT', '\\N'])(
  '%s is an empty cell',
  (cell) => {
    expect(check('Asha', cell, '9876543210', cell, cell, cell, cell)).toMatchObject({
      name: 'Asha',
      tags: ['imported'],
      attributes: {},
    })
  },
)

test('fewer cells than columns are fine where nothing needed is missing, and so are empty ones beyond', () => {
  expect(check('Asha', '', '9876543210')).toMatchObject({ attributes: {} })
  expect(check('Asha', '', '9876543210', '', '', '', '', '', ' ')).toMatchObject({ name: 'Asha' })
})

test('a formula is text, and what our export has protected comes back as it was', () => {
  expect(check('=HYPERLINK("x")', '', '9876543210', '', "'=1+1")).toMatchObject({
    name: '=HYPERLINK("x")',
    attributes: { city: '=1+1' },
  })
})

test('the second row with a number names the line of the first, however it is written', () => {
  const seen = nobody()
  checkRow({ line: 2, cells: ['Asha', '', '+91 98765 43210'] }, plan, seen)
  expect(checkRow({ line: 9, cells: ['Ravi', '', '9876543210'] }, plan, seen)).toMatchObject({
    line: 9,
    reason: 'The same phone number is on line 2.',
  })
})

test.each([
  ['Yes', { consent: 'in' }],
  ['opted out', { consent: 'out' }],
  ['VRAI', { consent: 'in' }],
  [
    'maybe',
    { name: 'Asha', unread: { value: 'maybe', reason: 'The consent is neither yes nor no: none is recorded.' } },
  ],
])('consent written as %s', (cell, expected) => {
  expect(check('Asha', '', '9876543210', '', '', '', cell)).toMatchObject(expected)
})

test('a word that is neither yes nor no refuses the consent, not the row', () => {
  const row = check('Asha', '', '9876543210', '', '', '', 'at the fair')
  expect(isProblem(row)).toBe(false)
  expect(row).not.toHaveProperty('consent')
})

test('an update needs no name', () => {
  const row = { line: 2, cells: ['', '', '9876543210'] }
  expect(checkRow(row, { ...plan, purpose: 'update' }, nobody())).toMatchObject({ name: '', phone: '+919876543210' })
})

test('a row without a phone number is known by its WhatsApp user id', () => {
  const columns = [...plan.columns, { header: 'WhatsApp user id', target: 'user_id' as const }]
  const seen = nobody()
  const checkId = (line: number, phone: string, userId: string) =>
    checkRow({ line, cells: ['Asha', '', phone, '', '', '', '', userId] }, { ...plan, columns }, seen)
  const asha = checkId(2, '', 'IN.4711')
  expect(asha).toMatchObject({ name: 'Asha', waUserId: 'IN.4711' })
  expect(asha).not.toHaveProperty('phone')
  expect(checkId(3, '9876543210', 'IN.4712')).toMatchObject({ phone: '+919876543210', waUserId: 'IN.4712' })
  expect(checkId(4, '', 'IN.4711')).toMatchObject({ reason: 'The same WhatsApp user id is on line 2.' })
  expect(checkId(5, '', '4711')).toMatchObject({ value: '4711', reason: 'This is not a WhatsApp user id.' })
  expect(checkId(6, '', '')).toMatchObject({
    reason: 'The row has neither a phone number nor a WhatsApp user id.',
  })
  expect(checkId(7, '12', 'IN.4713')).toMatchObject({ value: '12', reason: 'This is not a valid phone number.' })
})
