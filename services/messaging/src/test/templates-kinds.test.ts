import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvedTemplate, eventually, launchCampaign, scheduledIn } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { withTemplates } from './template-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
const { owner, chatWith, messagesOnPhones, send, delivered } = withTemplates(() => parley, 919_871_000_000)
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const sections = [{ title: 'Teas', products: ['tea-1', 'tea-2'] }]
test.each([
  ['a call', { kind: 'voice_call', text: 'Call now', minutes: 100 }, {}, { type: 'VOICE_CALL' }],
  [
    'a catalogue',
    { kind: 'catalog', text: 'View catalog', product: 'tea-1' },
    {},
    { type: 'CATALOG', action: { thumbnail_product_retailer_id: 'tea-1' } },
  ],
  [
    'products',
    { kind: 'products', text: 'View items', product: 'tea-1', sections },
    { header: 'Our new teas' },
    {
      type: 'MPM',
      action: {
        sections: [
          { title: 'Teas', product_items: [{ product_retailer_id: 'tea-1' }, { product_retailer_id: 'tea-2' }] },
        ],
      },
    },
  ],
])('a button of %s is reviewed, sent and delivered, and stands in the thread', async (_, button, more, shown) => {
  const templateId = await approvedTemplate(parley, { ...more, buttons: [button] })
  expect((await owner().ask('GET', `/api/templates/${templateId}`)).buttons).toEqual([button])
  const chat = await chatWith()
  const sent = await send(chat, templateId)
  expect(sent.body.message.content.buttons).toEqual([{ kind: button.kind, text: button.text }])
  expect((await delivered(chat, sent.body.message.id)).shown.buttons).toMatchObject([shown])
})

test('a form that is published is opened by a button, and its answers come back into the conversation', async () => {
  const { accountId } = parley.simulatedNumber
  const forms = [
    { id: '4411', name: 'Booking' },
    { id: '4412', name: 'Old booking', status: 'DEPRECATED' },
  ]
  await parley.simulator.call('/forms', { account_id: accountId, forms })
  await owner().call('POST', '/api/templates/sync')
  // They are stored one after the other.
  await eventually(async () => {
    const { items } = await owner().ask('GET', '/api/forms')
    expect(items.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(['4411', '4412']))
  })
  const button = { kind: 'flow', text: 'Book a tasting', form: '4411', screen: 'FIRST' }
  const refused = await owner().call('POST', '/api/templates', {
    name: `flow_${new Types.ObjectId().toHexString()}`,
    language: 'en',
    category: 'utility',
    body: 'Your tasting waits for you.',
    buttons: [{ ...button, form: '4412' }],
    examples: {},
  })
  expect([refused.status, refused.body.fields]).toEqual([
    400,
    { 'buttons.0.form': 'The form Old booking is deprecated at WhatsApp, not published.' },
  ])
  const templateId = await approvedTemplate(parley, { buttons: [button] })
  const chat = await chatWith()
  const { body } = await send(chat, templateId)
  const { id } = await delivered(chat, body.message.id)
  await parley.simulator.call('/press', { wamid: id, flow: { wanted_day: 'Monday' } })
  await eventually(async () => {
    const { items } = await owner().ask('GET', `/api/conversations/${chat}/messages`)
    const reply = items.find((message: { direction: string }) => message.direction === 'inbound')
    expect(reply).toMatchObject({
      replyTo: body.message.id,
      content: { type: 'interactive', answers: [{ question: 'Wanted day', answer: 'Monday' }] },
    })
  })
})

test('a campaign shows each contact another product, and its versions keep the button', async () => {
  const button = { kind: 'catalog', text: 'View catalog', product: '{{2}}' }
  const templateId = await approvedTemplate(parley, { buttons: [button], examples: { 1: 'Asha', 2: 'tea-0' } })
  const tag = `t${new Types.ObjectId().toHexString()}`
  for (const product of ['tea-7', 'tea-8']) await chatWith([{ k: 'favourite', v: product }], [tag])
  const launched = await launchCampaign(owner(), {
    name: 'Favourites',
    audience: { kind: 'tags', tags: [tag] },
    numberId: parley.number.id,
    templateId,
    variables: {
      1: { kind: 'text', text: 'friend' },
      2: { kind: 'field', field: 'attributes.favourite', fallback: 'tea-0' },
    },
  })
  expect(launched.status).toBe(200)
  await eventually(async () => {
    const products = (await messagesOnPhones())
      .flatMap(({ shown }) => shown?.buttons ?? [])
      .flatMap(
        ({ action }) => (action as { thumbnail_product_retailer_id?: string })?.thumbnail_product_retailer_id ?? [],
      )
    expect(products).toEqual(expect.arrayContaining(['tea-7', 'tea-8']))
  })
  const { items } = await owner().ask('GET', `/api/templates/${templateId}/versions`)
  expect(items[0].content.buttons).toEqual([button])
})

const values = { 1: 'Asha' }
const offered = {
  offer: { text: 'Expiring offer!', hasExpiration: true },
  buttons: [
    { kind: 'copy_code', text: 'Copy offer code', code: 'TEA25' },
    { kind: 'url', text: 'Shop now', url: 'https://chaiandco.example/tea' },
  ],
}
const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString()

test('an offer leaves with an end that is to come, and says it on the phone and in the thread', async () => {
  const templateId = await approvedTemplate(parley, offered)
  const chat = await chatWith()
  for (const end of [undefined, 'tomorrow', inHours(-1)])
    expect((await send(chat, templateId, { ...values, offer_ends: end ?? '' })).body.fields).toEqual({
      'values.offer_ends': expect.any(String),
    })
  const end = inHours(5)
  const sent = await send(chat, templateId, { ...values, offer_ends: end })
  expect(sent.body.message.content.offer).toEqual({ text: 'Expiring offer!', endsAt: end })
  expect((await delivered(chat, sent.body.message.id)).shown).toMatchObject({
    offer: { text: 'Expiring offer!', endsAt: Date.parse(end) },
    buttons: [{ type: 'COPY_CODE', payload: 'TEA25' }, { type: 'URL' }],
  })
  const { items } = await owner().ask('GET', `/api/templates/${templateId}/versions`)
  expect(items[0].content.offer).toEqual(offered.offer)
})

test('a campaign has one end of its offer for all, after its start', async () => {
  const templateId = await approvedTemplate(parley, offered)
  const tag = `t${new Types.ObjectId().toHexString()}`
  await chatWith([], [tag])
  const draft = (offerEnds: object) => ({
    name: 'Offer',
    audience: { kind: 'tags', tags: [tag] },
    numberId: parley.number.id,
    templateId,
    variables: { 1: { kind: 'text', text: 'friend' }, offer_ends: offerEnds },
  })
  for (const end of [
    { kind: 'text', text: inHours(-1) },
    { kind: 'field', field: 'attributes.end', fallback: inHours(5) },
  ])
    expect((await launchCampaign(owner(), draft(end))).body.fields).toEqual({
      'variables.offer_ends.text': expect.any(String),
    })
  const end = inHours(6)
  const launched = await launchCampaign(owner(), draft({ kind: 'text', text: end }))
  expect(launched.status).toBe(200)
  await eventually(async () => {
    const ends = (await messagesOnPhones()).map(({ shown }) => (shown as { offer?: { endsAt: number } })?.offer?.endsAt)
    expect(ends).toContain(Date.parse(end))
  })
})

test('a campaign of an offer is not put off beyond its end', async () => {
  const templateId = await approvedTemplate(parley, offered)
  const tag = `t${new Types.ObjectId().toHexString()}`
  await chatWith([], [tag])
  const launched = await launchCampaign(owner(), {
    name: 'Offer for later',
    audience: { kind: 'tags', tags: [tag] },
    numberId: parley.number.id,
    templateId,
    variables: { 1: { kind: 'text', text: 'friend' }, offer_ends: { kind: 'text', text: inHours(6) } },
    schedule: scheduledIn(60),
  })
  expect([launched.status, launched.body.status]).toEqual([200, 'scheduled'])
  const { id } = launched.body
  const act = (action: string, more: object = {}) =>
    owner().call('POST', `/api/campaigns/${id}/status`, { action, ...more })
  const later = await act('reschedule', { schedule: scheduledIn(600) })
  expect([later.status, later.body.fields]).toEqual([400, { schedule: expect.stringContaining('has ended by then') }])
  await parley.database.connection
    .collection('campaigns')
    .updateOne({ _id: new Types.ObjectId(id) }, { $set: { 'variables.offer_ends.text': inHours(-1) } })
  const started = await act('start_now')
  expect([started.status, started.body.code]).toEqual([409, 'wrong_state'])
  expect((await act('cancel')).status).toBe(200)
})

test('a single product stands above the message, another one for each customer', async () => {
  const product = { id: '{{2}}', catalogId: '1948369870' }
  const templateId = await approvedTemplate(parley, {
    headerMedia: { kind: 'product', product },
    buttons: [{ kind: 'product', text: 'View' }],
    examples: { 1: 'Asha', 2: 'tea-0' },
  })
  expect((await owner().ask('GET', `/api/templates/${templateId}`)).headerMedia).toEqual({ kind: 'product', product })
  const chat = await chatWith()
  const { body } = await send(chat, templateId, { 1: 'Asha', 2: 'tea-9' })
  expect(body.message.content).toMatchObject({
    header: { kind: 'product', id: 'tea-9', catalogId: '1948369870' },
    buttons: [{ kind: 'product', text: 'View' }],
  })
  expect((await delivered(chat, body.message.id)).shown).toMatchObject({
    header: { media: { product_retailer_id: 'tea-9', catalog_id: '1948369870' } },
    buttons: [{ type: 'SPM', text: 'View' }],
  })
})
