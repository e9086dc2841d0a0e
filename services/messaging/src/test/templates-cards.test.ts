import { warningRules } from '@parley/contracts/templates/template-findings'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRemoveFile } from '../modules/media/media.service.ts'
import { createTemplateFiles } from '../modules/templates/template-files.ts'
import { fileFaultCodes } from '../whatsapp/file-errors.ts'
import { approvedTemplate, eventually, launchCampaign } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { withTemplates } from './template-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
const { owner, chatWith, messagesOnPhones, send, delivered } = withTemplates(() => parley, 919_872_000_000)
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

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
  // Each card has its own picture.
  const uploads = parley.database.connection.collection('mediaUploads')
  const pictures = content.cards.map(({ headerMedia }) => new Types.ObjectId(headerMedia.file.mediaId))
  const uploaded = await Promise.all(pictures.map((mediaId) => uploads.findOne({ ...parley.inWorkspace, mediaId })))
  expect(cards.map((card) => card.header.media.id)).toEqual(uploaded.map((upload) => upload?.['waMediaId']))
  // Both cards have that button: what comes back tells which one was pressed.
  await parley.simulator.call('/press', { wamid: arrived.id, button: 'parley:card:2:More of this' })
  const found = async (q: string) =>
    (await owner().ask('GET', `/api/messages/search?q=${encodeURIComponent(q)}`)).items.map(
      ({ message }: { message: { id: string } }) => message.id,
    )
  await eventually(async () => {
    const thread = await owner().ask('GET', `/api/conversations/${chat}/messages`)
    const reply = thread.items.find((message: { direction: string }) => message.direction === 'inbound')
    expect(reply).toMatchObject({
      replyTo: body.message.id,
      content: { text: 'More of this', chosen: 'More of this', card: 2 },
    })
    expect(await found('second flush')).toContain(body.message.id)
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
  // Quick replies of cards are counted, visits of their links are not.
  expect((await owner().ask('GET', `/api/campaigns/${launched.body.id}`)).clicks).toBe('partly')
})

test('a message whose card has lost its picture fails with the reason, though the other picture is there', async () => {
  const content = await carousel()
  const [first, second] = content.cards
  const lost = await photo('#0c9')
  const templateId = await approvedTemplate(parley, { ...content, cards: [first, { ...second, headerMedia: lost }] })
  await createRemoveFile(parley.database.connection)(parley.scope, lost.file.mediaId)
  const chat = await chatWith()
  const { body } = await send(chat, templateId, { 1: 'Asha', 2: '₹ 500', 3: 'spring' })
  await eventually(async () => {
    const { items } = await owner().ask('GET', `/api/conversations/${chat}/messages`)
    expect(items.find((message: { id: string }) => message.id === body.message.id)).toMatchObject({
      status: 'failed',
      error: { code: fileFaultCodes.gone },
    })
  })
  expect((await messagesOnPhones()).map(({ callbackData }) => callbackData)).not.toContain(body.message.id)
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
