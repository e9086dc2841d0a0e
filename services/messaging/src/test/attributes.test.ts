import { expectIndexed } from '@parley/service-kit/testing/query-plans'
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
const field = (label: string, over: object = {}) => ({ label, type: 'text', choices: [], ...over })
const define = (by: Person, fields: object) => by.call('POST', '/api/contact-attributes', fields)
const listed = async (by: Person) => (await by.call('GET', '/api/contact-attributes')).body.items
let phones = 919_820_000_000
async function addContact(by: Person, attributes: object) {
  phones += 1
  return by.call('POST', '/api/contacts', { name: 'Asha Rao', phone: `+${phones}`, attributes })
}

test('a field is defined once, by whoever may, and for one workspace', async () => {
  const ann = newcomer()
  const tier = await define(ann, field('Loyalty tier', { type: 'choice', choices: ['Gold', 'Silver'] }))
  expect(tier).toMatchObject({ status: 201, body: { name: 'Loyalty tier', choices: ['Gold', 'Silver'], version: 1 } })
  expect(await define(ann, field('  loyalty TIER'))).toMatchObject({ status: 409, body: { code: 'attribute_exists' } })
  for (const label of ['City', 'phone', 'Tags'])
    expect(await define(ann, field(label))).toMatchObject({ status: 409, body: { code: 'attribute_exists' } })
  const agent = parley.signIn({ role: 'agent', workspaceId: ann.workspaceId })
  expect((await define(agent, field('Birthday'))).status).toBe(403)
  expect(await listed(agent)).toHaveLength(1)
  const stranger = newcomer()
  expect(await listed(stranger)).toEqual([])
  const path = `/api/contact-attributes/${tier.body.id}`
  expect((await stranger.call('DELETE', path)).status).toBe(404)
  expect((await stranger.call('PATCH', path, { ...field('Mine'), version: 1 })).status).toBe(404)
})

test('a renamed field keeps its values; another one of the old name has its own', async () => {
  const ann = newcomer()
  const { body: plan } = await define(ann, field('Plan'))
  const { body: contact } = await addContact(ann, { Plan: 'Pro' })
  const change = { ...field('Tariff'), version: plan.version }
  const renamed = await ann.call('PATCH', `/api/contact-attributes/${plan.id}`, change)
  expect(renamed.body).toMatchObject({ name: 'Plan', label: 'Tariff', version: 2 })
  expect((await ann.call('PATCH', `/api/contact-attributes/${plan.id}`, change)).body.code).toBe('stale_version')
  expect((await define(ann, field('Plan'))).body).toMatchObject({ name: 'Plan 2', label: 'Plan' })
  const conditions = [{ field: 'attributes.Plan', comparison: 'equals', value: 'Pro' }]
  const segment = await ann.call('POST', '/api/segments', { name: 'Pros', filter: { match: 'all', conditions } })
  expect(segment.body).toMatchObject({ description: 'Tariff is Pro', count: 1 })
  expect((await ann.call('DELETE', `/api/contact-attributes/${plan.id}`)).status).toBe(204)
  expect((await ann.call('GET', `/api/contacts/${contact.id}`)).body.attributes).toEqual({ Plan: 'Pro' })
})

test('values are written in one way, those that do not fit are refused, and what was there before stays', async () => {
  const ann = newcomer()
  const before = (await addContact(ann, { Visits: 'many' })).body
  await define(ann, field('Visits', { type: 'number' }))
  await define(ann, field('Tier', { type: 'choice', choices: ['Gold'] }))
  const added = await addContact(ann, { Visits: '1,5', Tier: 'gold', Note: 'free' })
  expect(added.body.attributes).toEqual({ Visits: '1.5', Tier: 'Gold', Note: 'free' })
  expect(await addContact(ann, { Visits: 'few', Tier: 'Tin' })).toMatchObject({
    status: 400,
    body: { fields: { 'attributes.Visits': 'Visits is a number.', 'attributes.Tier': 'Tier is one of Gold.' } },
  })
  const update = (attributes: object) =>
    ann.call('PATCH', `/api/contacts/${before.id}`, { attributes, version: before.version })
  expect((await update({ Visits: 'some' })).status).toBe(400)
  expect((await update({ Visits: 'many', Tier: 'GOLD' })).body.attributes).toEqual({ Visits: 'many', Tier: 'Gold' })
})

test('columns of a file become fields, and find the one that is meant', async () => {
  const ann = newcomer()
  const { body: tier } = await define(ann, field('Tier', { type: 'choice', choices: ['Gold'] }))
  await ann.call('PATCH', `/api/contact-attributes/${tier.id}`, {
    ...field('Loyalty', { type: 'choice', choices: ['Gold'] }),
    version: 1,
  })
  const file = 'Name,Phone,LOYALTY,City,Shoe size\nAsha,9820100001,gold,Pune,38\nRavi,9820100002,Tin,Pune,42\n'
  const uploaded = await fetch(`${parley.server.url}/api/imports?name=people.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await ann.token()}`, 'content-type': 'application/octet-stream' },
    body: file,
  })
  const { id } = (await uploaded.json()) as { id: string }
  const state = async () => (await ann.call('GET', `/api/imports/${id}`)).body
  const reaches = (what: string) => vi.waitFor(async () => expect((await state()).state).toBe(what))
  await ann.call('PATCH', `/api/imports/${id}`, { country: 'IN' })
  await ann.call('POST', `/api/imports/${id}/check`)
  await reaches('checked')
  expect(await listed(ann)).toHaveLength(1)
  await ann.call('POST', `/api/imports/${id}/run`)
  await reaches('done')
  // A value that does not fit costs the value, not the person.
  expect((await state()).counts).toMatchObject({ created: 2, invalid: 0 })
  const { body: ravi } = await ann.call('GET', '/api/contacts?q=ravi')
  expect(ravi.items[0].attributes).toEqual({ city: 'Pune', 'Shoe size': '42' })
  expect((await listed(ann)).map(({ label, type }: { label: string; type: string }) => [label, type])).toEqual([
    ['Loyalty', 'choice'],
    ['Shoe size', 'text'],
  ])
  const { body: found } = await ann.call('GET', '/api/contacts?q=asha')
  expect(found.items[0].attributes).toEqual({ Tier: 'Gold', city: 'Pune', 'Shoe size': '38' })
})

test('fields are read by an index', async () => {
  const ann = newcomer()
  await define(ann, field('Birthday', { type: 'date' }))
  await expectIndexed(parley.database.connection, () => listed(ann))
})
