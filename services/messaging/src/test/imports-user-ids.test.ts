import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const newcomer = () => parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
type Person = ReturnType<typeof newcomer>

/** Adds a customer who hides the phone number. */
async function hidden(by: Person, name: string, waUserId: string): Promise<string> {
  const person = { phone: undefined, waUserId, name, username: undefined }
  return (await parley.services.contacts.ensure({ workspaceId: by.workspaceId }, [person]))(person)
}

/** Carries a file out. @returns the import as it is then, and its rows. */
async function carryOut(by: Person, file: string, plan: object = {}) {
  const uploaded = await fetch(`${parley.server.url}/api/imports?name=people.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await by.token()}`, 'content-type': 'application/octet-stream' },
    body: file,
  })
  const { id, columns } = (await uploaded.json()) as { id: string; columns: { target: string }[] }
  const path = `/api/imports/${id}`
  const reaches = (state: string) =>
    vi.waitFor(async () => {
      const { body } = await by.call('GET', path)
      expect(body.state).toBe(state)
      return body
    })
  expect((await by.call('PATCH', path, { country: 'IN', ...plan })).status).toBe(200)
  await by.call('POST', `${path}/check`)
  const checked = await reaches('checked')
  await by.call('POST', `${path}/run`)
  const done = await reaches('done')
  expect(done.counts).toEqual(checked.counts)
  const { items } = (await by.call('GET', `${path}/rows`)).body
  return { id, done, rows: items, targets: columns.map(({ target }) => target) }
}
const contacts = async (by: Person) => (await by.call('GET', '/api/contacts?sort=name')).body.items

test('contacts without a phone number are added and updated by their WhatsApp user id, once', async () => {
  const ann = newcomer()
  const meera = await hidden(ann, 'Meera', 'IN.8150')
  const file = [
    'Name,Phone,WhatsApp user id,Tags',
    'Meera Nair,,IN.8150,vip',
    'Ravi,,IN.8151,lead',
    'Asha,98765 43210,IN.8152,',
    'Nobody,,,',
    'Ravi again,,IN.8151,',
  ].join('\n')
  const { id, done, rows, targets } = await carryOut(ann, file)
  expect(targets).toEqual(['name', 'phone', 'user_id', 'tags'])
  expect(done.counts).toEqual({ created: 2, updated: 1, skipped: 0, invalid: 2 })
  expect(rows).toMatchObject([
    { line: 2, outcome: 'updated', contactId: meera, phone: '', waUserId: 'IN.8150' },
    { line: 3, outcome: 'created', waUserId: 'IN.8151' },
    { line: 4, outcome: 'created', phone: '+919876543210', waUserId: 'IN.8152' },
    { line: 5, outcome: 'invalid', reason: 'The row has neither a phone number nor a WhatsApp user id.' },
    { line: 6, outcome: 'invalid', reason: 'The same WhatsApp user id is on line 3.' },
  ])
  const after = await contacts(ann)
  expect(after).toMatchObject([
    { name: 'Asha', phone: '+919876543210', waUserId: 'IN.8152' },
    { id: meera, name: 'Meera Nair', tags: ['vip'] },
    { name: 'Ravi', waUserId: 'IN.8151', tags: ['lead'] },
  ])
  // The customer who writes is the contact that the file has added.
  expect(await hidden(ann, 'Ravi K', 'IN.8151')).toBe(after[2].id)
  const again = await carryOut(ann, file)
  expect(again.done.counts).toEqual({ created: 0, updated: 0, skipped: 3, invalid: 2 })
  expect((await ann.call('POST', `/api/imports/${id}/undo`)).status).toBe(200)
  await vi.waitFor(async () => expect((await ann.call('GET', `/api/imports/${id}`)).body.state).toBe('undone'))
  expect(await contacts(ann)).toMatchObject([{ id: meera, name: 'Meera', tags: [] }])
})

test('a row that names two contacts is about nobody, and says so', async () => {
  const ann = newcomer()
  await hidden(ann, 'Meera', 'IN.9001')
  await ann.call('POST', '/api/contacts', { name: 'Mira', phone: '+919876500001', attributes: {} })
  const { rows } = await carryOut(ann, 'Name,Phone,User id\nMeera,9876500001,IN.9001\n')
  expect(rows).toMatchObject([
    {
      outcome: 'skipped',
      reason: 'The user id is that of Meera, the phone number that of Mira: merge them first.',
    },
  ])
  expect((await contacts(ann)).map(({ name }: { name: string }) => name)).toEqual(['Meera', 'Mira'])
})

test('a file of user ids alone can be imported; whoever opted out under one stays out', async () => {
  const ann = newcomer()
  const meera = await hidden(ann, 'Meera', 'IN.9101')
  const consent = { category: 'marketing', value: 'out', note: 'She called.' }
  expect((await ann.call('POST', `/api/contacts/${meera}/consent`, consent)).status).toBeLessThan(300)
  const { done } = await carryOut(ann, 'Name,BSUID,Opt-in\nMeera N,IN.9101,yes\nRavi,IN.9102,yes\n', {
    evidence: 'Fair in March',
  })
  expect(done.counts).toEqual({ created: 1, updated: 1, skipped: 0, invalid: 0 })
  expect(
    (await contacts(ann)).map(({ name, optIn }: never) => [name, (optIn as { marketing: string }).marketing]),
  ).toEqual([
    ['Meera N', 'out'],
    ['Ravi', 'in'],
  ])
})

test('whoever is known by one of the two becomes known by the other as well, until the import is undone', async () => {
  const ann = newcomer()
  const meera = await hidden(ann, 'Meera', 'IN.9201')
  const known = { name: 'Mira', phone: '+919876500021', attributes: {} }
  const mira = (await ann.call('POST', '/api/contacts', known)).body.id as string
  const file = [
    'Name,Phone,User id',
    'Meera,9876500020,IN.9201',
    'Mira,9876500021,IN.9202',
    'Someone,9876500020,IN.9203',
  ].join('\n')
  const { id, rows } = await carryOut(ann, file)
  expect(rows).toMatchObject([
    { contactId: meera, outcome: 'updated', changes: [{ field: 'phone number', before: '', after: '+919876500020' }] },
    { contactId: mira, outcome: 'updated', changes: [{ field: 'WhatsApp user id', before: '', after: 'IN.9202' }] },
    { outcome: 'invalid', reason: 'The same phone number is on line 2.' },
  ])
  expect(await contacts(ann)).toMatchObject([
    { name: 'Meera', phone: '+919876500020', waUserId: 'IN.9201' },
    { name: 'Mira', phone: '+919876500021', waUserId: 'IN.9202' },
  ])
  expect((await ann.call('GET', '/api/contacts?q=500020')).body.items).toMatchObject([{ id: meera }])

  // Each contact is now known by both identities: a file that mixes them up is refused row by row.
  const mixed = await carryOut(ann, 'Name,Phone,User id\nMeera,9876500029,IN.9201\nMira,9876500021,\nM,,IN.9202\n')
  expect(mixed.rows).toMatchObject([
    { outcome: 'skipped', reason: 'Meera has another phone number.' },
    { outcome: 'skipped', reason: 'Already up to date.' },
    { outcome: 'updated', contactId: mira },
  ])
  const twice = await carryOut(ann, 'Name,Phone,User id\nMira R,9876500021,\nMira S,,IN.9202\n')
  expect(twice.rows).toMatchObject([
    { outcome: 'updated', contactId: mira },
    { outcome: 'invalid', reason: 'The same contact is on line 2.' },
  ])

  expect((await ann.call('POST', `/api/imports/${id}/undo`)).status).toBe(200)
  await vi.waitFor(async () => expect((await ann.call('GET', `/api/imports/${id}`)).body.state).toBe('undone'))
  const [one, two] = await contacts(ann)
  expect(one).toMatchObject({ id: meera, waUserId: 'IN.9201' })
  expect(one).not.toHaveProperty('phone')
  expect(two).toMatchObject({ id: mira, phone: '+919876500021' })
  expect(two).not.toHaveProperty('waUserId')
})
