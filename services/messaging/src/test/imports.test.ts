import type { Contact } from '@parley/contracts/contacts/contacts'
import type { ImportRow } from '@parley/contracts/contacts/import-rows'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { withAutomation, withImports } from './import-fixtures.ts'
import type { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
withAutomation((started) => {
  parley = started
})

test('a file is checked without a change, imported, and undone', async () => {
  const { ann, until, rows, carryOut, contacts } = withImports(parley)
  const { id } = await parley.services.contactChanges.create(ann, {
    name: 'Asha',
    phone: '+919876543210',
    tags: ['vip'],
    attributes: { city: 'Pune' },
  })
  const file = [
    'Name,Phone,Tags,City',
    'Asha Rao,98765 43210,lead,Delhi',
    'Ravi,98765 43211,"vip, new",',
    'Nobody,12,,',
    'Ravi again,+91 98765 43211,,',
  ].join('\n')
  const imported = await carryOut(file)
  expect(imported.checked.counts).toEqual({ created: 1, updated: 1, skipped: 0, invalid: 2 })
  expect(imported.done.counts).toEqual(imported.checked.counts)
  expect(await rows(imported.id)).toMatchObject([
    {
      line: 2,
      outcome: 'updated',
      contactId: id,
      changes: [
        { field: 'name', before: 'Asha', after: 'Asha Rao' },
        { field: 'tags', before: 'vip', after: 'vip, lead' },
        { field: 'city', before: 'Pune', after: 'Delhi' },
      ],
    },
    { line: 3, outcome: 'created', phone: '+919876543211' },
    { line: 4, outcome: 'invalid', value: '12', reason: 'This is not a valid phone number.' },
    { line: 5, outcome: 'invalid', reason: 'The same phone number is on line 3.' },
  ])
  expect(await contacts()).toMatchObject([
    { id, name: 'Asha Rao', tags: ['vip', 'lead'], attributes: { city: 'Delhi' } },
    { name: 'Ravi', tags: ['vip', 'new'], source: 'import' },
  ])
  expect((await ann.call('POST', `/api/imports/${imported.id}/undo`)).status).toBe(200)
  expect((await until(imported.id, 'undone')).undone).toEqual({ removed: 1, restored: 1, kept: 0 })
  expect(await contacts()).toMatchObject([{ id, name: 'Asha', tags: ['vip'], attributes: { city: 'Pune' } }])
})

test('the purpose decides on those who are there and those who are not; the next file is read like this one', async () => {
  const { ann, upload, rows, carryOut } = withImports(parley)
  await parley.services.contactChanges.create(ann, {
    name: 'Asha',
    phone: '+919876543210',
    tags: [],
    attributes: {},
  })
  const file = 'Who,Call,Shoe\nAsha Rao,9876543210,38\nRavi,9876543211,42\n'
  const targets = ['name', 'phone', 'ignore']
  const added = await carryOut(file, { targets, purpose: 'add' })
  expect(await rows(added.id)).toMatchObject([
    { outcome: 'skipped', reason: 'Asha already has this phone number.' },
    { outcome: 'created' },
  ])
  const { body: next } = await upload(file)
  expect(next).toMatchObject({ purpose: 'add', columns: targets.map((target) => ({ target })) })
  const updated = await carryOut('Phone,Size\n9876543210,38\n9876543219,40\n', { purpose: 'update' })
  expect(await rows(updated.id)).toMatchObject([
    { outcome: 'updated', changes: [{ field: 'Size', before: '', after: '38' }] },
    { outcome: 'skipped', reason: 'Nobody has this phone number.' },
  ])
})

test('what a file lacks is said before anything is done', async () => {
  const { ann, upload } = withImports(parley)
  const refused = async (content: string, name?: string) => {
    const { status, body } = await upload(content, name)
    return [status, body.message]
  }
  expect(await refused('')).toEqual([400, 'The file is empty.'])
  expect(await refused('Name,Phone\n')).toEqual([400, expect.stringContaining('no rows below them')])
  expect(await refused('%PDF-1.7', 'people.pdf')).toEqual([400, expect.stringContaining('is not a text file')])
  const { body } = await upload('Shoe,Size\nred,38\n')
  const check = await ann.call('POST', `/api/imports/${body.id}/check`)
  expect([check.status, check.body.message]).toEqual([409, 'Choose the column for the phone number.'])
  expect((await ann.call('POST', `/api/imports/${body.id}/run`)).status).toBe(409)
  expect((await ann.call('PATCH', `/api/imports/${body.id}`, { targets: ['name'] })).status).toBe(400)
})

test('every query has an index; another workspace finds none of it', async () => {
  const { ann, carryOut, rows } = withImports(parley)
  const { id } = await carryOut('Name,Phone\nRavi,9876543211\n')
  const scope = { workspaceId: ann.workspaceId }
  await expectIndexed(parley.database.connection, async () => {
    await parley.services.imports.list(scope, {})
    await parley.services.importRows.page(scope, await parley.services.imports.find(scope, id), {})
    await parley.services.jobWork.pending()
    await parley.services.imports.sweep()
  })
  expect(await rows(id)).toHaveLength(1)
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const refused = [
    await eve.call('GET', `/api/imports/${id}`),
    await eve.call('GET', `/api/imports/${id}/rows`),
    await eve.call('GET', `/api/imports/${id}/rows.csv`),
    await eve.call('PATCH', `/api/imports/${id}`, { tags: ['mine'] }),
    await eve.call('POST', `/api/imports/${id}/check`),
    await eve.call('POST', `/api/imports/${id}/run`),
    await eve.call('POST', `/api/imports/${id}/cancel`),
    await eve.call('POST', `/api/imports/${id}/undo`),
    await eve.call('GET', '/api/imports/guessed'),
  ]
  expect(refused.map(({ status }) => status)).toEqual(Array(refused.length).fill(404))
  expect((await eve.call('GET', '/api/imports')).body.items).toEqual([])
})

test('a file of everything that is wrong with real exports: every row is accounted for', async () => {
  const { rows, carryOut, contacts, ann } = withImports(parley)
  const width = 300
  const header = ['First Name', 'Last Name', 'Phone', 'Labels', ...Array.from({ length: width - 4 }, (_, i) => `F${i}`)]
  const cells = [
    ['Asha', 'Rao', '0091 98765 43210', 'vip|new'],
    ['"Zoë ""Z"" 👩‍🌾"', '', '+44 (0)7911 123456', ''],
    ['محمد', 'علي', ' 98765-43211 ', 'عميل'],
    ['=HYPERLINK(1)', '', '9876543212', ''],
    ['', '', '', ''],
    ['No', 'Number', '', ''],
    ['', '', '9876543213', ''],
    ['Short', '', '9.19877E+11', ''],
    ['Twice', '', '+919876543210', ''],
    ['"Two\nlines"', 'B', "'+91 98765 43214", ''],
    ['x'.repeat(121), '', '9876543215', ''],
    ['Wide', '', '9876543216', '', ...Array(width - 4).fill('v')],
    ['Wider', '', '9876543217', '', ...Array(width - 3).fill('v')],
  ]
  const text = [header, ...cells].map((line) => line.join(';')).join('\r\n')
  const utf16 = Buffer.from(`\uFEFF${text}\r\n\r\n`, 'utf16le')
  const { id, done } = await carryOut(new Uint8Array(utf16))
  expect(done.format).toEqual({ kind: 'csv', encoding: 'utf-16le', delimiter: ';' })
  const outcomes = (await rows(id)).map(({ line, outcome, reason }: ImportRow) => [line, outcome, reason])
  expect(outcomes).toEqual([
    [2, 'created', undefined],
    [3, 'created', undefined],
    [4, 'created', undefined],
    [5, 'created', undefined],
    [7, 'invalid', 'The phone number is missing.'],
    [8, 'invalid', 'The name is missing.'],
    [9, 'invalid', expect.stringContaining('A spreadsheet has shortened this number.')],
    [10, 'invalid', 'The same phone number is on line 2.'],
    [11, 'created', undefined],
    [13, 'invalid', 'A name has at most 120 characters.'],
    [14, 'created', undefined],
    [15, 'created', 'There is no column for v.'],
  ])
  expect(done.counts).toEqual({ created: 7, updated: 0, skipped: 0, invalid: 5 })
  expect((await contacts()).map(({ name, phone, tags }: Contact) => [name, phone, tags])).toEqual([
    ['=HYPERLINK(1)', '+919876543212', []],
    ['Asha Rao', '+919876543210', ['vip', 'new']],
    ['Two lines B', '+919876543214', []],
    ['Wide', '+919876543216', []],
    ['Wider', '+919876543217', []],
    ['Zoë "Z" 👩‍🌾', '+447911123456', []],
    ['محمد علي', '+919876543211', ['عميل']],
  ])
  const { body, headers } = await ann.call('GET', `/api/imports/${id}/rows.csv?outcome=created`)
  expect(headers.get('content-disposition')).toContain('people-created.csv')
  expect(body).toContain("\r\n5,created,'=HYPERLINK(1),'+919876543212,,,\r\n")
})

test('once its time is over, the file of an import is deleted, and nothing can be undone', async () => {
  const { ann, carryOut, read } = withImports(parley)
  const { id } = await carryOut('Name,Phone\nRavi,9876543211\n')
  const { connection } = parley.database
  const _id = new Types.ObjectId(id)
  const stored = await connection.collection('imports').findOne({ _id })
  await connection.collection('imports').updateOne({ _id }, { $set: { keptUntil: new Date(0) } })
  await parley.services.imports.sweep()
  expect((await read(id)).keptUntil).toBeNull()
  expect(await connection.collection('importFilesFiles.files').countDocuments({ _id: stored?.['fileId'] })).toBe(0)
  expect((await ann.call('POST', `/api/imports/${id}/undo`)).status).toBe(409)
})
