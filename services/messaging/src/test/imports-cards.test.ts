import { afterAll, beforeAll, expect, test } from 'vitest'
import { workbookLimits } from '../features/contacts/imports/xlsx-parts.ts'
import { workbookOf, zipOf } from '../features/contacts/imports/zip-of.ts'
import { withImports } from './import-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const cards = [
  'BEGIN:VCARD',
  'VERSION:2.1',
  'N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Rao;Zo=C3=AB',
  'TEL;HOME;FAX:+912226543210',
  'TEL;CELL:098765 43210',
  'CATEGORIES:vip,new',
  'END:VCARD',
  'BEGIN:VCARD',
  'VERSION:4.0',
  'FN:Ravi',
  'TEL;VALUE=uri;TYPE="cell,voice":tel:+91-98765-43211',
  String.raw`CATEGORIES:Pune\, west`,
  'END:VCARD',
  'BEGIN:VCARD',
  'nothing of use',
  'END:VCARD',
  '',
].join('\r\n')

test('a file of contact cards is imported like a table, and a card that cannot be read is counted', async () => {
  const importer = withImports(parley)
  const { status, body } = await importer.upload(cards, 'contacts')
  expect([status, body.format]).toEqual([201, { kind: 'vcard', encoding: 'utf-8' }])
  const { id, done } = await importer.carryOut(cards)
  expect(done.counts).toEqual({ created: 2, updated: 0, skipped: 0, invalid: 1 })
  expect(await importer.rows(id, 'outcome=invalid')).toMatchObject([{ line: 14, reason: 'This card cannot be read.' }])
  expect(await importer.contacts()).toMatchObject([
    { name: 'Ravi', phone: '+919876543211', tags: ['Pune west'] },
    { name: 'Zoë Rao', phone: '+919876543210', tags: ['vip', 'new'] },
  ])
})

test('a workbook beyond its bounds is refused in words, and the server serves others meanwhile', async () => {
  const importer = withImports(parley)
  const rows = '<row><c t="s"><v>9999999</v></c></row>'
  const huge = { content: Buffer.from('<sst/>'), claim: workbookLimits.partBytes + 1 }
  const refused = [
    workbookOf({ rows, texts: `<si><t>${'x'.repeat(30_000)}</t></si>`.repeat(2600) }),
    workbookOf({ rows, styles: `<cellXfs>${'<xf/>'.repeat(70_001)}</cellXfs>` }),
    zipOf({ 'xl/workbook.xml': huge }),
  ]
  const answers = await Promise.all(refused.map((file) => importer.upload(Uint8Array.from(file), 'people.xlsx')))
  for (const { status, body } of answers) {
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.fields.file).toContain('too large')
  }
  expect((await importer.ann.call('GET', '/api/contacts')).status).toBe(200)
  expect((await importer.upload('Name,Phone\nAsha,+919876543210')).status).toBe(201)
})
