import { type RecipientFile, recipientFileProblems } from '@parley/contracts/campaigns/recipient-files'
import { expect, test } from 'vitest'
import { fileOfContact } from './recipient-file.ts'

const contact = (attributes: Record<string, string>) => ({ name: 'Asha Rao', phone: '+919820012345', attributes })
const invoices: RecipientFile = {
  from: 'address',
  address: 'https://files.shop.example/invoices/{{order}}.pdf',
  fields: { order: 'attributes.order', name: 'firstName' },
  fileName: 'Invoice {{order}} of {{name}}.pdf',
}
const inField: RecipientFile = { from: 'field', field: 'attributes.invoice', fields: {} }

test.each([
  ['A-7', { address: 'https://files.shop.example/invoices/A-7.pdf', name: 'Invoice A-7 of Asha.pdf' }],
  // A value stays one part of the path, whatever it holds.
  ['7/../../etc?x#y', { address: 'https://files.shop.example/invoices/7%2F..%2F..%2Fetc%3Fx%23y.pdf' }],
  ['ünï 9', { address: 'https://files.shop.example/invoices/%C3%BCn%C3%AF%209.pdf' }],
  ['', 'missing'],
  ['  ', 'missing'],
  ['..', 'invalid'],
  ['\ud800', 'invalid'],
])('an address is filled with %j', (order, expected) => {
  const file = fileOfContact(invoices, contact({ order }))
  if (typeof expected === 'string') expect(file).toBe(expected)
  else expect(file).toMatchObject(expected)
})

test.each([
  ['https://files.shop.example/a/b%20c.pdf?sig=1#page=2', 'https://files.shop.example/a/b%20c.pdf?sig=1', 'b c.pdf'],
  ['https://FILES.shop.example', 'https://files.shop.example/', 'file'],
])('a field holds the address %s', (invoice, address, name) => {
  expect(fileOfContact(inField, contact({ invoice }))).toEqual({ address, name })
})

test.each([
  'files.shop.example/a.pdf',
  'http://files.shop.example/a.pdf',
  'ftp://files.shop.example/a.pdf',
  'https://user:secret@files.shop.example/a.pdf',
  'javascript:alert(1)',
  `https://files.shop.example/${'a'.repeat(2000)}`,
])('%s in a field is no address of a file', (invoice) => {
  expect(fileOfContact(inField, contact({ invoice }))).toBe('invalid')
})

test('a contact without the address gets nothing, one without a part of the name gets the name in the address', () => {
  expect(fileOfContact(inField, contact({}))).toBe('missing')
  const named = { ...invoices, fields: { ...invoices.fields, name: 'attributes.title' } }
  expect(fileOfContact(named, contact({ order: '7' }))).toMatchObject({ name: '7.pdf' })
})

test.each<[string, Partial<Extract<RecipientFile, { from: 'address' }>>, string[]]>([
  ['complete', {}, []],
  ['nothing entered', { address: '', fileName: undefined }, ['address']],
  ['no https', { address: 'http://files.shop.example/{{order}}' }, ['address']],
  ['a variable decides on the server', { address: 'https://{{order}}.shop.example/a.pdf' }, ['address']],
  ['the same file for everybody', { address: 'https://files.shop.example/a.pdf' }, ['address']],
  ['braces that are no variable', { address: 'https://files.shop.example/{{Order No}}/{{order}}' }, ['address']],
  ['a variable that nothing fills', { fields: { order: 'attributes.order' } }, ['fields.name']],
  ['braces in the name', { fileName: 'Invoice {order}' }, ['fileName']],
])('a pattern is checked: %s', (_name, over, paths) => {
  expect(
    Object.keys(
      recipientFileProblems({
        ...invoices,
        from: 'address',
        address: invoices.from === 'address' ? invoices.address : '',
        ...over,
      }),
    ),
  ).toEqual(paths)
})

test('a field has to be chosen', () => {
  expect(recipientFileProblems({ ...inField, from: 'field', field: '' })).toHaveProperty('field')
})
