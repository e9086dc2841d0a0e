import { warningRules } from '@parley/contracts/templates/template-findings'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTemplateFiles } from '../modules/templates/template-files.ts'
import { addContacts, approvedTemplate, eventually, launchCampaign, scheduledIn } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const owner = () => parley.signIn()
const values = { 1: 'Asha' }
let phones = 919_871_000_000

async function chatWith(attributes: readonly { k: string; v: string }[] = [], tags: readonly string[] = []) {
  phones += 1
  const people = { count: 1, firstPhone: phones, tags, over: { attributes: [...attributes] } }
  const [contactId] = await addContacts(parley.database.connection, parley.scope, people)
  return (await owner().ask('POST', '/api/conversations', { contactId })).id
}
const send = (conversationId: string, templateId: string, chosen: object = values) =>
  owner().call('POST', `/api/conversations/${conversationId}/templates`, { templateId, values: chosen })

interface OnPhone {
  id: string
  callbackData: string
  status: string
  content: { components: object[] }
  shown: { header?: object; body: string; buttons: { type: string; action?: object }[] }
}
const messagesOnPhones = async (): Promise<OnPhone[]> =>
  (await parley.simulator.call(`/messages?phone_number_id=${parley.number.phoneNumberId}&limit=500`)).items

/** Waits until a message has reached its phone, and its status has come back. */
const delivered = (conversationId: string, id: string) =>
  eventually(async () => {
    const { items } = await owner().ask('GET', `/api/conversations/${conversationId}/messages`)
    expect(items.find((message: { id: string }) => message.id === id)?.status).toMatch(/delivered|read/)
    const message = (await messagesOnPhones()).find(({ callbackData }) => callbackData === id)
    expect(message).toBeDefined()
    return message as OnPhone
  })

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

async function photo(background: string) {
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer()
  const answer = await fetch(`${parley.server.url}/api/media`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { authorization: `Bearer ${await owner().token()}`, 'content-type': 'image/png' },
  })
  const { id: mediaId } = JSON.parse(await answer.text())
  return { kind: 'image', file: { mediaId, name: 'tea.png', mimeType: 'image/png', sizeBytes: bytes.length } }
}
const cardButtons = [
  { kind: 'quick_reply', text: 'More of this' },
  { kind: 'url', text: 'Shop', url: 'https://chaiandco.example/{{3}}' },
]
const carousel = async () => ({
  body: 'Hi {{1}}, these teas have arrived. Reply STOP to opt out.',
  examples: { 1: 'Asha', 2: '₹ 450', 3: 'tea' },
  cards: [
    { headerMedia: await photo('#3a7'), body: 'First flush, {{2}}', buttons: cardButtons },
    { headerMedia: await photo('#a73'), body: 'Second flush', buttons: cardButtons },
  ],
})
interface Carousel {
  body: string
  cards: { header: { media: { id: string } }; body: string; buttons: object[] }[]
}

test('a carousel is reviewed with a sample of each card, and reaches the phone and the thread with its cards', async () => {
  const content = await carousel()
  const templateId = await approvedTemplate(parley, content)
  expect((await owner().ask('GET', `/api/templates/${templateId}`)).cards).toEqual(content.cards)
  const { items } = await owner().ask('GET', `/api/templates/${templateId}/versions`)
  expect(items[0].content.cards).toEqual(content.cards)
  const chat = await chatWith()
  const chosen = { 1: 'Asha', 2: '₹ 500', 3: 'spring' }
  expect((await send(chat, templateId, { ...chosen, 2: 'x'.repeat(150) })).body.fields).toEqual({
    'values.2': expect.stringContaining('text of a card'),
  })
  const { body } = await send(chat, templateId, chosen)
  const words = cardButtons.map(({ kind, text }) => ({ kind, text }))
  expect(body.message.content.cards).toMatchObject([
    {
      header: { kind: 'image', mediaId: content.cards[0]?.headerMedia.file.mediaId },
      text: 'First flush, ₹ 500',
      buttons: words,
    },
    {
      header: { kind: 'image', mediaId: content.cards[1]?.headerMedia.file.mediaId },
      text: 'Second flush',
      buttons: words,
    },
  ])
  const arrived = await delivered(chat, body.message.id)
  const { cards } = arrived.shown as unknown as Carousel
  expect(cards).toMatchObject([
    { body: 'First flush, ₹ 500', buttons: [{ type: 'QUICK_REPLY' }, { url: 'https://chaiandco.example/spring' }] },
    { body: 'Second flush', buttons: [{ type: 'QUICK_REPLY' }, { url: 'https://chaiandco.example/spring' }] },
  ])
  expect(new Set(cards.map((card) => card.header.media.id)).size).toBe(2)
  await parley.simulator.call('/press', { wamid: arrived.id, button: 'More of this' })
  await eventually(async () => {
    const thread = await owner().ask('GET', `/api/conversations/${chat}/messages`)
    const reply = thread.items.find((message: { direction: string }) => message.direction === 'inbound')
    expect(reply).toMatchObject({ replyTo: body.message.id, content: { text: 'More of this' } })
  })
})

test('a campaign fills in the cards for each contact', async () => {
  const templateId = await approvedTemplate(parley, await carousel())
  const tag = `t${new Types.ObjectId().toHexString()}`
  for (const price of ['₹ 610', '₹ 620']) await chatWith([{ k: 'price', v: price }], [tag])
  const launched = await launchCampaign(owner(), {
    name: 'Two teas',
    audience: { kind: 'tags', tags: [tag] },
    numberId: parley.number.id,
    templateId,
    variables: {
      1: { kind: 'text', text: 'friend' },
      2: { kind: 'field', field: 'attributes.price', fallback: '₹ 1' },
      3: { kind: 'text', text: 'spring' },
    },
  })
  expect(launched.status).toBe(200)
  await eventually(async () => {
    const texts = (await messagesOnPhones()).flatMap(({ shown }) =>
      ((shown as unknown as Partial<Carousel>)?.cards ?? []).map((card) => card.body),
    )
    expect(texts).toEqual(expect.arrayContaining(['First flush, ₹ 610', 'First flush, ₹ 620']))
  })
  const { text } = await owner().ask('GET', `/api/campaigns/${launched.body.id}/text`)
  expect(text.cards).toHaveLength(2)
})

test('what WhatsApp refuses of a carousel is told beside its card, and nothing is kept', async () => {
  const content = await carousel()
  const create = (over: object) =>
    owner().call('POST', '/api/templates', {
      name: `cards_${new Types.ObjectId().toHexString()}`,
      language: 'en',
      category: 'marketing',
      buttons: [],
      accepted: warningRules,
      ...content,
      ...over,
    })
  const [first, second] = content.cards
  for (const [over, field] of [
    [{ cards: [first] }, 'cards'],
    [{ cards: [first, { ...second, buttons: cardButtons.slice(1) }] }, 'cards.1.buttons'],
    [{ cards: [first, { ...second, headerMedia: { kind: 'image' } }] }, 'cards.1.headerMedia'],
    [{ footer: 'Chai & Co' }, 'footer'],
    [{ category: 'utility' }, 'category'],
  ] as const)
    expect((await create(over)).body.fields).toEqual({ [field]: expect.any(String) })
  const gone = { kind: 'image', file: { ...first?.headerMedia.file, mediaId: new Types.ObjectId().toHexString() } }
  expect((await create({ cards: [first, { ...second, headerMedia: gone }] })).body.fields).toEqual({
    'cards.1.headerMedia': 'There is no such file. Upload it again.',
  })
  const { body: page } = await owner().call('GET', '/api/templates?q=cards_')
  expect(page.items).toEqual([])
})

test('a carousel of others gets files for its cards before it is sent; they are kept while a template has them', async () => {
  const above = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } }
  const below = { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'More' }] }
  const components = [
    { type: 'BODY', text: 'New teas are here.' },
    { type: 'CAROUSEL', cards: [{ components: [above, below] }, { components: [above, below] }] },
  ]
  const name = `row_${new Types.ObjectId().toHexString()}`
  const placed = { id: '880771', name, language: 'en', category: 'MARKETING', status: 'APPROVED', components }
  await parley.simulator.call('/templates', { account_id: parley.simulatedNumber.accountId, templates: [placed] })
  await owner().call('POST', '/api/templates/sync')
  const template = await eventually(async () => {
    const { items } = await owner().ask('GET', `/api/templates?q=${name}`)
    expect(items).toHaveLength(1)
    return items[0]
  })
  expect(template.unsupported).toBeUndefined()
  const chat = await chatWith()
  expect((await send(chat, template.id, {})).body).toMatchObject({
    code: 'wrong_state',
    message: 'This template needs a picture on card 1 before it can be sent.',
  })
  const path = `/api/templates/${template.id}/header`
  const cards = [await photo('#111'), await photo('#eee')]
  const change = { version: template.version, cards }
  expect((await owner().call('PATCH', path, { ...change, cards: cards.slice(1) })).body.code).toBe('wrong_state')
  expect((await owner().call('PATCH', path, { ...change, cards: [cards[0], { kind: 'image' }] })).body.fields).toEqual({
    cards: 'This template needs a picture on card 2.',
  })
  expect((await owner().call('PATCH', path, { version: template.version })).status).toBe(400)
  expect((await parley.signIn({ role: 'agent' }).call('PATCH', path, change)).status).toBe(403)
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('PATCH', path, change)).status).toBe(404)
  expect((await owner().call('PATCH', path, change)).body).toMatchObject({
    status: 'approved',
    cards: [{ headerMedia: cards[0] }, {}],
  })
  expect((await owner().call('PATCH', path, change)).body.code).toBe('stale_version')
  const { body } = await send(chat, template.id, {})
  expect((await delivered(chat, body.message.id)).shown).toMatchObject({ cards: [{}, {}] })
  const isKept = createTemplateFiles(parley.database.connection)
  await expectIndexed(parley.database.connection, async () => {
    for (const { file } of cards) expect(await isKept(parley.scope, file.mediaId)).toBe(true)
    expect(await isKept(parley.scope, new Types.ObjectId().toHexString())).toBe(false)
  })
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
