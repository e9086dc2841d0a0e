import type { ImportRecord } from '@parley/contracts/contacts/imports'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { withImports } from './import-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

type Importer = ReturnType<typeof withImports>

const add = ({ ann }: Importer, fields: object) =>
  parley.services.contactChanges.create(ann, { name: 'Asha', tags: [], attributes: {}, ...fields })

async function exportOf({ ann }: Importer): Promise<string> {
  const all = { selection: { filter: {} }, format: 'csv', timeZone: 'Asia/Kolkata' }
  const { status, body: job } = await ann.call('POST', '/api/contact-jobs/exports', all)
  expect(status).toBe(201)
  await vi.waitFor(
    async () => {
      const { items } = (await ann.call('GET', '/api/contact-jobs')).body
      expect(items.find(({ id }: { id: string }) => id === job.id)).toMatchObject({ state: 'done' })
    },
    { timeout: 120_000, interval: 50 },
  )
  return (await ann.request('GET', `/api/contact-jobs/${job.id}/file`)).text()
}

test('our own export imports again without a change, numbers in forms of the past included', async () => {
  const ann = withImports(parley)
  const old = { name: 'Old form', phone: '+5215512345678', attributes: { Mobile: '12', Customer: 'yes' } }
  await add(ann, old)
  await add(ann, { name: 'No number', waUserId: 'IN.4711', tags: ['vip', 'new'] })
  await add(ann, { name: '=1+1', phone: '+919876543210', attributes: { city: 'Pune', Consent: 'maybe' } })
  const { checked, id } = await ann.carryOut(await exportOf(ann), { purpose: 'update' })
  expect(checked.counts).toEqual({ created: 0, updated: 0, skipped: 3, invalid: 0 })
  expect(await ann.rows(id)).toMatchObject(Array(3).fill({ outcome: 'skipped', reason: 'Already up to date.' }))
})

test('a number of the past that nobody has is stored in its form of today, one that never was is left out', async () => {
  const ann = withImports(parley)
  const { done, id } = await ann.carryOut('Name,Phone\nBea,+52 1 55 1234 5678\nCy,+91 00000 00000\n')
  expect(done.counts).toMatchObject({ created: 1, invalid: 1 })
  expect(await ann.rows(id)).toMatchObject([
    { phone: '+525512345678' },
    { value: '+91 00000 00000', reason: 'This is not a valid phone number.' },
  ])
})

test('a name without letters is said and never put over a real one', async () => {
  const ann = withImports(parley)
  await add(ann, { name: 'नेहा', phone: '+919876500002' })
  const { id } = await ann.carryOut('Name,Phone,City\n????,+919876500002,Pune\n????,+919876500003,\n')
  expect(await ann.contacts()).toMatchObject([{ name: '????' }, { name: 'नेहा', attributes: { city: 'Pune' } }])
  const said = expect.stringContaining('The name has no letters')
  expect(await ann.rows(id)).toMatchObject([
    { outcome: 'updated', reason: said },
    { outcome: 'created', reason: said },
  ])
})

test('digits that may be two numbers are asked about once, and nothing is guessed before', async () => {
  const { ann, upload, until, rows } = withImports(parley)
  const { body } = await upload('Name,Phone\nDia,919811100081\nEli,919811100082\nFay,+919811100083\n')
  const check = async (changes: object): Promise<ImportRecord> => {
    expect((await ann.call('PATCH', `/api/imports/${body.id}`, changes)).status).toBe(200)
    expect((await ann.call('POST', `/api/imports/${body.id}/check`)).status).toBe(200)
    return until(body.id, 'checked')
  }
  const asked = await check({ country: 'DE' })
  expect(asked).toMatchObject({
    counts: { created: 1, invalid: 2 },
    unclear: { count: 2, readAs: null, written: '919811100081', international: '+91 98111 00081' },
  })
  const answered = await check({ digits: 'international' })
  expect(answered).toMatchObject({ counts: { created: 3, invalid: 0 }, unclear: { count: 2, readAs: 'international' } })
  expect(await rows(body.id)).toMatchObject([{ phone: '+919811100081' }, { phone: '+919811100082' }, {}])
  expect((await check({ digits: 'national' })).unclear).toMatchObject({ readAs: 'national' })
})

test('the row with the column names and the encoding are found, and can be chosen', async () => {
  const { ann, upload } = withImports(parley)
  const text = ['Our customers,', 'Name,Phone', ',+919811100081', 'Eli,+919811100082', ''].join('\n')
  const [before = '', after = ''] = text.split('\n,')
  const cyrillic = Uint8Array.from([0xc8, 0xe2, 0xe0, 0xed])
  const bytes = Buffer.concat([Buffer.from(`${before}\n`), cyrillic, Buffer.from(`,${after}`)])
  const { body } = await upload(Uint8Array.from(bytes))
  expect(body).toMatchObject({
    headerRow: 2,
    firstRows: [{ line: 1, text: 'Our customers' }, { line: 2 }, { line: 3 }, { line: 4 }],
    format: { encoding: 'windows-1252' },
    encodings: expect.arrayContaining([{ encoding: 'windows-1251', sample: 'Иван,+919811100081' }]),
  })
  const change = async (changes: object): Promise<ImportRecord> =>
    (await ann.call('PATCH', `/api/imports/${body.id}`, changes)).body
  expect(await change({ encoding: 'windows-1251' })).toMatchObject({
    headerRow: 2,
    columns: [{ samples: ['Иван', 'Eli'], target: 'name' }, { target: 'phone' }],
  })
  expect(await change({ headerRow: 0 })).toMatchObject({
    format: { encoding: 'windows-1251' },
    columns: [{ header: 'Column 1' }, { header: 'Column 2' }],
  })
  expect((await ann.call('PATCH', `/api/imports/${body.id}`, { headerRow: 4 })).status).toBe(400)
})
