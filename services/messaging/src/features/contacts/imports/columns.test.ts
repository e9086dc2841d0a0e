import { expect, test } from 'vitest'
import { guessColumns, hasHeader } from './columns.ts'

const targetsOf = (rows: string[][], withHeader = true) => guessColumns(rows, withHeader).map(({ target }) => target)

test.each([
  [
    ['Name', 'Phone', 'Tags', 'City'],
    ['name', 'phone', 'tags', 'attribute'],
  ],
  [
    ['First Name', 'Last Name', 'Mobile Number', 'E-mail'],
    ['name', 'name', 'phone', 'attribute'],
  ],
  [
    ['firstName', 'phoneNumber', 'labels'],
    ['name', 'phone', 'tags'],
  ],
  [
    ['Name', 'Group Membership', 'Phone 1 - Type', 'Phone 1 - Value'],
    ['name', 'tags', 'phone', 'attribute'],
  ],
  [
    ['customer', 'whatsapp', ''],
    ['name', 'phone', 'ignore'],
  ],
  [
    ['Name', 'Phone', 'Tags', 'Last contact (Asia/Kolkata)', 'Added (Asia/Kolkata)', 'city'],
    ['name', 'phone', 'tags', 'ignore', 'ignore', 'attribute'],
  ],
  [
    ['Name', 'WhatsApp', 'WhatsApp user id', 'BSUID'],
    ['name', 'phone', 'user_id', 'attribute'],
  ],
  [
    ['Full name', 'Phone', 'Mobile'],
    ['name', 'phone', 'attribute'],
  ],
  [
    ['Name', 'Phone', 'Tags', 'Labels', 'Opt-in'],
    ['name', 'phone', 'tags', 'attribute', 'consent'],
  ],
])('columns named %j become %j', (header, targets) => {
  expect(targetsOf([header])).toEqual(targets)
})

test('a column whose header says nothing is the phone by what stands in it', () => {
  const rows = [
    ['Name', 'Kontakt'],
    ['Asha', '+91 98765 43210'],
  ]
  expect(targetsOf(rows)).toEqual(['name', 'phone'])
})

test('without a header, name and phone are known by their cells', () => {
  const rows = [
    ['Asha Rao', '98765 43210', '17'],
    ['Ravi', '98765 43211', '18'],
  ]
  expect(hasHeader(rows)).toBe(false)
  expect(targetsOf(rows, false)).toEqual(['name', 'phone', 'ignore'])
  expect(guessColumns(rows, false)[1]?.header).toBe('Column 2')
})

test.each([
  [
    [
      ['Name', 'Phone'],
      ['Asha', '9876543210'],
    ],
    true,
  ],
  [
    [
      ['Nom', 'Numéro'],
      ['Asha', '9876543210'],
    ],
    true,
  ],
  [
    [
      ['Asha', '9876543210'],
      ['Ravi', '9876543211'],
    ],
    false,
  ],
  [
    [
      ['Asha', 'Pune'],
      ['Ravi', 'Delhi'],
    ],
    false,
  ],
])('%j: the first row is a header: %s', (rows, expected) => {
  expect(hasHeader(rows)).toBe(expected)
})
