import { afterAll, beforeAll, expect, test } from 'vitest'
import { workbookLimits } from '../modules/contacts/imports/xlsx-parts.ts'
import { workbookOf, zipOf } from '../modules/contacts/imports/zip-of.ts'
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

test('another sheet of a workbook is read when it is chosen, and stays when the header row changes', async () => {
  const row = (...cells: string[]) =>
    `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
  const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
  const file = zipOf({
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="Read me" id="a"/><sheet name="Old" state="hidden" id="b"/><sheet name="People" id="c"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${['a', 'b', 'c'].map((id) => `<Relationship Id="${id}" Type="x/worksheet" Target="${id}.xml"/>`).join('')}</Relationships>`,
    'xl/a.xml': sheet(row('How to use this file') + row('Fill in the other sheet')),
    'xl/b.xml': sheet(row('Name', 'Phone') + row('Old', '+919876543219')),
    'xl/c.xml': sheet(row('Customers of Pune') + row('Name', 'Phone') + row('Asha', '+919876543210')),
  })
  const importer = withImports(parley)
  const { body } = await importer.upload(Uint8Array.from(file), 'people.xlsx')
  expect(body).toMatchObject({ format: { kind: 'xlsx' }, sheets: ['Read me', 'People'] })
  const path = `/api/imports/${body.id}`
  const chosen = (await importer.ann.call('PATCH', path, { sheet: 'People' })).body
  expect(chosen).toMatchObject({ format: { kind: 'xlsx', sheet: 'People' }, headerRow: 2 })
  expect(chosen.columns.map(({ target }: { target: string }) => target)).toEqual(['name', 'phone'])
  const moved = (await importer.ann.call('PATCH', path, { headerRow: 0 })).body
  expect(moved).toMatchObject({ format: { kind: 'xlsx', sheet: 'People' }, headerRow: 0 })
  expect((await importer.ann.call('PATCH', path, { sheet: 'Gone' })).body.fields.file).toContain(
    'no sheet of this name',
  )
  await importer.ann.call('PATCH', path, { headerRow: 2 })
  await importer.ann.call('POST', `${path}/check`)
  const { counts } = await importer.until(body.id, 'checked')
  expect(counts).toEqual({ created: 1, updated: 0, skipped: 0, invalid: 0 })
})
