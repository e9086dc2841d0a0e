import { defaultSendingHours } from '@parley/contracts/campaigns/sending-hours'
import { wallTimeOf } from '@parley/contracts/core/zoned-time'
import { templateSchema } from '@parley/contracts/templates/templates'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { inReview, orderContent, writeTemplates } from './template-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const { approved, create, owner, read } = writeTemplates(() => parley)

test('a template is reviewed by WhatsApp, and its verdict arrives', async () => {
  const { status, body } = await create()
  expect([status, body.status]).toEqual([201, inReview])
  const rejected = (await create({ name: `reject_${new Types.ObjectId().toHexString()}` })).body
  const verdict = (id: string) =>
    parley.services.templates.list(parley.scope, {}).then(({ items }) => items.find((one) => one.id === id))
  await eventually(async () => expect((await verdict(body.id))?.status).toBe('approved'))
  await eventually(async () =>
    expect(await verdict(rejected.id)).toMatchObject({
      status: 'rejected',
      rejectionReason: expect.stringContaining('format'),
    }),
  )
  const { body: list } = await owner().call('GET', `/api/templates?status=rejected&q=${rejected.name}`)
  expect([list.total, templateSchema.parse(list.items[0]).id]).toEqual([1, rejected.id])
  expect((await owner().call('GET', '/api/templates/summary')).body).toMatchObject({
    total: 2,
    approved: 1,
    rejected: 1,
  })
})

test('what the page would refuse is refused here, beside the same field', async () => {
  const button = { kind: 'url', text: 'Open', url: 'https://10.0.0.7/{{1}}' }
  const { status, body } = await create({ buttons: [button, button] })
  expect([status, body.code]).toEqual([400, 'validation_failed'])
  expect(Object.keys(body.fields)).toEqual(expect.arrayContaining(['buttons.0.url', 'buttons.1.text']))
  expect(Object.keys((await create({ category: 'authentication' })).body.fields)).toEqual(['category'])
})

test('what WhatsApp may reject is accepted by whoever sends it; the editor and the server judge alike', async () => {
  const written = orderContent({
    category: 'marketing',
    header: undefined,
    buttons: [],
    examples: { 1: 'Asha' },
    accepted: undefined,
    body: 'Hello {{1}}, look what is new in our shop today!!',
  })
  const lint = (over: object = {}, more: object = {}) =>
    owner().call('POST', '/api/templates/lint', { content: { ...written, ...over }, ...more })
  const rulesOf = async (...input: Parameters<typeof lint>) =>
    (await lint(...input)).body.findings.map(({ level, rule }: Record<string, string>) => `${level} ${rule}`)
  expect(await rulesOf()).toEqual(['warning exclamation', 'warning no_way_out'])
  expect(await rulesOf({ name: 'Not This', body: '' })).toEqual(['error name_form', 'error required'])
  const create = (accepted: string[]) => owner().call('POST', '/api/templates', { ...written, accepted })
  const refused = await create(['no_way_out'])
  expect([refused.status, refused.body.code]).toEqual([409, 'warnings_open'])
  expect(refused.body.fields).toEqual({ body: expect.stringMatching(/^Repeated exclamation/) })
  const made = await create(['no_way_out', 'exclamation'])
  expect(made.status).toBe(201)
  // The account’s own facts: the name, another language, a second template of the text, and what a change may not touch.
  expect(await rulesOf()).toContain('error name_taken')
  expect(await rulesOf({ language: 'es', category: 'utility', body: 'Hola {{1}}, esto es nuevo para ti.' })).toEqual([
    'warning other_language',
  ])
  expect(await rulesOf({ name: `${written.name}_2` })).toContain('warning same_text')
  await approved(made.body.id)
  expect(await rulesOf({ name: 'another' }, { templateId: made.body.id })).toContain('error fixed_field')
  const open = {
    ...written,
    body: 'Hello {{1}}, look what is here today!!',
    version: (await read(made.body.id)).version,
  }
  expect((await owner().call('PATCH', `/api/templates/${made.body.id}`, open)).body.code).toBe('warnings_open')
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const asked = { content: written, templateId: made.body.id }
  expect((await stranger.call('POST', '/api/templates/lint', asked)).status).toBe(404)
  expect((await stranger.call('POST', '/api/templates/lint', { content: written })).body.code).toBe('wrong_state')
  expect((await parley.signIn({ role: 'viewer' }).call('POST', '/api/templates/lint', asked)).status).toBe(403)
})

test('where WhatsApp is likely to change the category, the price before and after is told', async () => {
  const written = orderContent({ body: 'Hi {{2}}, order {{1}} arrives on {{3}}, with a discount of 20 for you.' })
  const lint = async (over: object = {}) =>
    (await owner().call('POST', '/api/templates/lint', { content: { ...written, ...over } })).body
  const plain = await lint({ body: 'Hi {{2}}, order {{1}} arrives on {{3}}, as you wished.' })
  expect(plain).not.toHaveProperty('predictedCategory')
  expect(plain).not.toHaveProperty('priceChange')
  expect(await lint()).toMatchObject({ predictedCategory: 'marketing', priceChange: null })
  const rate = (country: string, category: string, priceMicros: number) => ({ country, category, priceMicros })
  const card = {
    effectiveFrom: wallTimeOf(new Date(), defaultSendingHours.zone).date,
    currency: 'USD',
    rates: [rate('other', 'marketing', 25_000), rate('other', 'utility', 4_000), rate('IN', 'marketing', 10_700)],
  }
  expect((await owner().call('POST', '/api/workspace/rate-cards', card)).status).toBe(201)
  const elsewhere = { currency: 'USD', country: 'other', nowMicros: 4_000, thenMicros: 25_000 }
  expect(await lint()).toMatchObject({ predictedCategory: 'marketing', priceChange: elsewhere })
  // Most customers are where the number of the account is from.
  const stored = parley.database.connection.collection('numbers')
  const testNumber = { _id: new Types.ObjectId(parley.number.id) }
  await stored.updateOne(testNumber, { $set: { phoneNumber: '+919876543210' } })
  const inIndia = { ...elsewhere, country: 'IN', thenMicros: 10_700 }
  expect(await lint()).toMatchObject({ priceChange: inIndia })
  await stored.updateOne(testNumber, { $set: { phoneNumber: parley.number.phoneNumber } })
})

test('an account takes so many new templates an hour, and so many in all', async () => {
  const accountId = parley.simulatedNumber.accountId
  const stored = parley.database.connection.collection('templates')
  const filler = {
    ...parley.inWorkspace,
    businessAccountId: accountId,
    language: 'en',
    category: 'utility',
    body: 'Filler',
    buttons: [],
    examples: {},
    status: 'approved',
    version: 1,
    createdAt: new Date(),
    updatedAt: new Date(),
  }
  const fill = (count: number, over: object) =>
    stored.insertMany(Array.from({ length: count }, (_, index) => ({ ...filler, name: `filler_${index}`, ...over })))
  await fill(100, { sentAt: new Date() })
  await expectIndexed(parley.database.connection, async () => {
    const busy = await create()
    expect([busy.status, busy.body.code]).toEqual([409, 'template_limit'])
    expect(busy.body.message).toContain('100 new templates an hour')
  })
  await stored.deleteMany({ ...parley.inWorkspace, body: 'Filler' })
  await fill(6000, {})
  const full = await create()
  expect([full.body.code, full.body.message]).toEqual([
    'template_limit',
    expect.stringContaining('as many as WhatsApp allows'),
  ])
  await stored.deleteMany({ ...parley.inWorkspace, body: 'Filler' })
  expect((await create()).status).toBe(201)
})

test('the same name is taken once, and a removed template comes back', async () => {
  const { body: first } = await create()
  const again = await create({ name: first.name })
  expect([again.status, again.body.code, Object.keys(again.body.fields)]).toEqual([409, 'template_exists', ['name']])
  expect((await owner().call('DELETE', `/api/templates/${first.id}`)).status).toBe(204)
  expect((await owner().call('GET', `/api/templates/${first.id}`)).status).toBe(404)
  const back = await owner().call('POST', `/api/templates/${first.id}/restore`)
  expect([back.status, back.body.name]).toEqual([200, first.name])
})

test('with the window closed a template reaches the customer with its values, and free text does not', async () => {
  const from = '919812349999'
  await parley.simulator.call('/inbound', { from, type: 'text', text: { body: 'Hi' } })
  const id = await eventually(async () => {
    const { body } = await owner().call('GET', '/api/conversations')
    expect(body.items).toHaveLength(1)
    return body.items[0].id
  })
  const { body: template } = await create()
  const send = (values: object, templateId = template.id) =>
    owner().call('POST', `/api/conversations/${id}/templates`, { templateId, values })
  const values = { 1: 'CC-7', 2: 'Asha', 3: 'Friday' }
  // Before its verdict and after it.
  const { body: refused } = await create({ name: `reject_${new Types.ObjectId().toHexString()}` })
  expect((await send(values, refused.id)).body.code).toBe('template_not_approved')
  await approved(template.id)
  await parley.simulator.call('/clock', { advance: 25 * 3600_000 })
  await parley.database.connection
    .collection('conversations')
    .updateOne({ _id: new Types.ObjectId(String(id)) }, { $set: { windowExpiresAt: new Date(Date.now() - 1000) } })
  const text = { content: { type: 'text', text: 'Are you there?' } }
  expect((await owner().call('POST', `/api/conversations/${id}/messages`, text)).body.code).toBe('window_closed')
  expect((await send({ 1: 'CC-7' })).status).toBe(400)
  const sent = await send(values)
  expect([sent.status, sent.body.message.content.text]).toEqual([
    201,
    expect.stringContaining('Hi Asha, we have packed your order CC-7'),
  ])
  await eventually(async () => {
    const { body } = await owner().call('GET', `/api/conversations/${id}/messages`)
    expect(body.items.at(-1)).toMatchObject({ content: { type: 'template', templateVersion: 1 }, status: 'read' })
  })
  const { items } = await parley.simulator.call(`/messages?phone_number_id=${parley.number.phoneNumberId}&to=${from}`)
  expect(items.at(-1).shown).toMatchObject({
    header: { text: 'Order CC-7 is on its way' },
    body: expect.stringContaining(
      'Hi Asha, we have packed your order CC-7 and handed it to the courier. It should reach you by Friday.',
    ),
    buttons: [{ url: 'https://chaiandco.example/track/CC-7' }],
  })
})

test('another workspace finds none of it, who may only read changes nothing, and lists go through indexes', async () => {
  const { body: made } = await create()
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const agent = parley.signIn({ role: 'agent' })
  const change = { ...orderContent({ name: made.name }), version: made.version }
  for (const [method, path, body] of [
    ['PATCH', `/api/templates/${made.id}`, change],
    ['DELETE', `/api/templates/${made.id}`, undefined],
    ['POST', `/api/templates/${made.id}/restore`, undefined],
  ] as const) {
    expect((await stranger.call(method, path, body)).status).toBe(404)
    expect((await agent.call(method, path, body)).status).toBe(403)
  }
  expect((await stranger.call('GET', `/api/templates/${made.id}`)).status).toBe(404)
  expect((await stranger.call('GET', '/api/templates')).body.total).toBe(0)
  expect((await stranger.call('POST', '/api/templates', orderContent())).body.code).toBe('wrong_state')
  await expectIndexed(parley.database.connection, () => parley.services.templates.list(parley.scope, { q: 'order' }))
})
