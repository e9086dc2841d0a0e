import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { withAutomation, withImports } from './import-fixtures.ts'
import type { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
const automation = withAutomation((started) => {
  parley = started
})

test('an undo keeps what was changed since then, and lists it', async () => {
  const { ann, until, rows, carryOut, contacts } = withImports(parley)
  const add = (name: string, phone: string) =>
    parley.services.contactChanges.create(ann, { name, phone, tags: [], attributes: {} })
  const [asha, gone] = [await add('Asha', '+919876543210'), await add('Gone', '+919876543219')]
  const { id } = await carryOut(
    'Name,Phone,Tags,City\nAsha Rao,9876543210,lead,Delhi\nRavi,9876543211,,\nBo,9876543212,,\nGone,9876543219,x,',
  )
  const find = async (name: string) => (await contacts()).find((contact: { name: string }) => contact.name === name)
  const change = async (name: string, fields: object) => {
    const { id: contactId, version } = await find(name)
    expect((await ann.call('PATCH', `/api/contacts/${contactId}`, { ...fields, version })).status).toBe(200)
  }
  await change('Asha Rao', { name: 'Asha Devi', tags: ['lead', 'mine'] })
  await change('Ravi', { name: 'Ravi K' })
  await ann.call('POST', '/api/contacts/bulk', { ids: [gone.id], action: { kind: 'delete' } })
  await ann.call('POST', `/api/imports/${id}/undo`)
  expect((await until(id, 'undone')).undone).toEqual({ removed: 1, restored: 0, kept: 3 })
  expect(await contacts()).toMatchObject([
    { id: asha.id, name: 'Asha Devi', tags: ['mine'], attributes: {} },
    { name: 'Ravi K' },
  ])
  expect(await rows(id, 'undone=kept')).toMatchObject([
    { name: 'Asha Rao', reason: 'Changed since: name.' },
    { name: 'Ravi', reason: 'This contact was changed since.' },
    { name: 'Gone', reason: 'This contact was deleted since.' },
  ])
})

test('the contacts of an import are found by it: whom it added or changed, after a merge too, and whom an undo kept', async () => {
  const { ann, until, carryOut } = withImports(parley)
  const add = (name: string, phone: string) =>
    parley.services.contactChanges.create(ann, { name, phone, tags: [], attributes: {} })
  const asha = await add('Asha', '+919876543210')
  const bo = await add('Bo', '+919876543212')
  await add('Not in it', '+919876543219')
  const { id } = await carryOut('Name,Phone\nAsha Rao,9876543210\nBo,9876543212\nRavi,9876543211\nSita,9876543213\n')
  const found = async (query = '', who = ann) => {
    const { status, body } = await who.call('GET', `/api/contacts?sort=name&import=${id}${query}`)
    return status === 200 ? body.items.map((contact: Contact) => contact.name) : status
  }
  const own = ['Asha Rao', 'Ravi', 'Sita']
  expect(await found()).toEqual(own)
  expect(await found('&q=ravi')).toEqual(['Ravi'])
  await expectIndexed(parley.database.connection, () =>
    parley.services.contactLists.list(ann, { import: id, sort: 'name' }),
  )
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect(await found('', eve)).toBe(404)

  const sita = (await ann.call('GET', `/api/contacts?q=sita`)).body.items[0]
  const merge = { otherId: sita.id, version: bo.version, otherVersion: sita.version, taken: {} }
  expect((await ann.call('POST', `/api/contacts/${bo.id}/merge`, merge)).status).toBe(200)
  expect(await found()).toEqual(['Asha Rao', 'Bo', 'Ravi'])
  expect((await ann.call('POST', `/api/contacts/${bo.id}/unmerge`, { otherId: sita.id })).status).toBe(200)
  expect(await found()).toEqual(own)

  const { version } = (await ann.call('GET', `/api/contacts/${asha.id}`)).body
  await ann.call('PATCH', `/api/contacts/${asha.id}`, { name: 'Asha R.', version })
  await ann.call('POST', `/api/imports/${id}/undo`)
  expect((await until(id, 'undone')).undone).toMatchObject({ removed: 1 })
  expect(await found()).toEqual(['Asha R.', 'Sita'])
})

test('an undo removes the fields that the import has defined and nothing uses', async () => {
  const { ann, until, carryOut } = withImports(parley)
  const labels = async () =>
    (await ann.call('GET', '/api/contact-attributes')).body.items.map(({ label }: Attribute) => label)
  const file = (name: string, phone: string) => `Name,Phone,Shoe,Hat,Belt\n${name},${phone},9,M,L\n`
  const { id } = await carryOut(file('Ravi', '9876543211'))
  expect(await labels()).toEqual(['Belt', 'Hat', 'Shoe'])
  const filter = { match: 'all', conditions: [{ field: 'attributes.Hat', comparison: 'equals', value: 'M' }] }
  expect((await ann.call('POST', '/api/segments', { name: 'Hats', filter })).status).toBe(201)
  const belt = (await ann.call('GET', '/api/contact-attributes')).body.items[0]
  const change = { label: 'Belt size', type: 'text', choices: [], version: belt.version }
  expect((await ann.call('PATCH', `/api/contact-attributes/${belt.id}`, change)).status).toBe(200)
  await ann.call('POST', `/api/imports/${id}/undo`)
  expect((await until(id, 'undone')).removedFields).toEqual(['Shoe'])
  expect(await labels()).toEqual(['Belt size', 'Hat'])

  const first = await carryOut('Name,Phone,Colour\nRavi,9876543211,red\n')
  await carryOut('Name,Phone,Colour\nSita,9876543213,blue\n')
  await ann.call('POST', `/api/imports/${first.id}/undo`)
  expect((await until(first.id, 'undone')).removedFields).toEqual([])
  expect(await labels()).toContain('Colour')
})

test('an undo keeps fields that campaigns and flows name, and all of them where automation does not answer', async () => {
  const { ann, until, carryOut } = withImports(parley)
  const undone = async (id: string) => {
    await ann.call('POST', `/api/imports/${id}/undo`)
    return (await until(id, 'undone')).removedFields
  }
  const fields = ['Shoe', 'Sole', 'Lace', 'Heel', 'Toe']
  const { id } = await carryOut(`Name,Phone,${fields.join()}\nRavi,9876543211,9,${fields.slice(1).join()}\n`)
  const variables = { 1: { kind: 'field', field: 'attributes.Sole', fallback: 'sole' } }
  expect((await ann.call('POST', '/api/campaigns', { name: 'Soles', variables })).status).toBe(201)
  const settings = [
    { kind: 'send_text', text: 'Your laces: {{attributes.Lace|none}}, and not Shoe' },
    { kind: 'set_attribute', attribute: 'Heel', value: 'high' },
    { kind: 'event', filter: { match: 'all', conditions: [{ field: 'attributes.Toe', comparison: 'is_set' }] } },
  ]
  automation.flows = [
    { nodes: settings.slice(0, 2).map((of) => ({ settings: of })) },
    { nodes: [{ settings: settings[2] }] },
  ]
  expect(await undone(id)).toEqual(['Shoe'])

  const next = await carryOut('Name,Phone,Cap\nRavi,9876543211,red\n')
  automation.flows = undefined
  expect(await undone(next.id)).toEqual([])
  automation.flows = []
})
