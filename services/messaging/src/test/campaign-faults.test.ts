import { Secret } from '@parley/service-kit/core/secret-box'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchCampaign,
  sendAt,
  workOn,
} from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
let phones = 919_882_000_000
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 200)
  templateId = await approvedTemplate(parley)
})
afterAll(() => parley.stop())
beforeEach(async () => {
  await parley.simulator.call('/reset', {})
  await parley.simulator.call('/limits', { standardPerSecond: null })
})
vi.setConfig({ testTimeout: 240_000 })

const owner = () => parley.signIn()
const collection = (name: string) => parley.database.connection.collection(name)
const read = async (id: string) => (await owner().call('GET', `/api/campaigns/${id}`)).body
const change = (id: string, action: string) => owner().call('POST', `/api/campaigns/${id}/status`, { action })
const refuse = (code: number, more: object = {}) =>
  parley.simulator.call('/inject', { trigger: { kind: 'always' }, effect: { kind: 'error', code }, ...more })
const messageOf = (row: { _id: unknown } | undefined) =>
  collection('messages').findOne({ _id: new Types.ObjectId(String(row?._id)) })
const rowsOf = (id: string) =>
  collection('campaignRecipients')
    .find({ campaignId: new Types.ObjectId(id) })
    .sort({ n: 1 })
    .toArray()

async function audience(count: number, over: object = {}) {
  const tag = `t${new Types.ObjectId().toHexString()}`
  phones += 10_000
  const ids = await addContacts(parley.database.connection, parley.scope, {
    count,
    firstPhone: phones,
    tags: [tag],
    over,
  })
  return { tag, ids, firstPhone: phones }
}
async function launch(tag: string, over: object = {}): Promise<string> {
  const input = { name: 'Spring tea', audience: { kind: 'tags', tags: [tag] }, numberId: parley.number.id }
  return (await launchCampaign(owner(), { ...input, templateId, variables: firstName, ...over })).body.id
}

test.each([132005, 132012, 132018, 131062])(
  'a value that WhatsApp refuses with %i fails one recipient, and the campaign goes on',
  async (code) => {
    const { tag, firstPhone } = await audience(30)
    await refuse(code, { to: String(firstPhone + 7) })
    const id = await launch(tag)
    await eventually(async () =>
      expect(await read(id)).toMatchObject({ status: 'completed', counts: { audience: 30, failed: 1, sent: 29 } }),
    )
    expect((await rowsOf(id)).filter(({ state }) => state === 'failed')).toMatchObject([{ n: 7, reason: String(code) }])
  },
)

test('three values in a row that WhatsApp refuses pause a campaign; resumed, it goes on after them', async () => {
  await sendAt(parley, 5)
  const { tag, firstPhone } = await audience(40)
  for (const index of [2, 3, 4]) await refuse(132018, { to: String(firstPhone + index) })
  const id = await launch(tag)
  await eventually(async () =>
    expect(await read(id)).toMatchObject({
      status: 'paused',
      pausedFor: 'too_many_failures',
      pauseDetail: '3 in a row failed, the last one with: A value does not fit the template.',
    }),
  )
  await sendAt(parley, 200)
  expect((await change(id, 'resume')).status).toBe(200)
  await eventually(async () =>
    expect(await read(id)).toMatchObject({ status: 'completed', counts: { failed: 3, sent: 37 } }),
  )
})

test('values are cleaned as they are filled in, wherever they come from', async () => {
  const body = 'Hi {{1}}, our {{2}} and {{3}} have arrived, and all of it waits for you in the shop.'
  const filled = await approvedTemplate(parley, { body, examples: { 1: 'Asha', 2: 'tea', 3: 'cake' } })
  const { tag } = await audience(1, { attributes: [{ k: 'drink', v: 'green\n\ntea\tleaves' }] })
  const variables = {
    1: { kind: 'text', text: 'dear\ncustomer' },
    2: { kind: 'field', field: 'attributes.drink', fallback: 'tea' },
    3: { kind: 'field', field: 'attributes.food', fallback: 'plum       cake' },
  }
  const id = await launch(tag, { templateId: filled, variables })
  await eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent: 1 } }))
  const [row] = await rowsOf(id)
  const message = await messageOf(row)
  expect(message?.['content'].text).toBe(
    'Hi dear customer, our green tea leaves and plum    cake have arrived, and all of it waits for you in the shop.',
  )
})

test('whose text would be too long with the values is left out, and is told so', async () => {
  const body = `Hi {{1}}, ${'our new tea has arrived and '.repeat(35)}it waits for you.`
  const long = await approvedTemplate(parley, { body })
  const { tag, ids } = await audience(3)
  await collection('contacts').updateOne(
    { _id: new Types.ObjectId(ids[1]) },
    { $set: { attributes: [{ k: 'greeting', v: 'dear '.repeat(30) }] } },
  )
  const variables = { 1: { kind: 'field', field: 'attributes.greeting', fallback: 'you' } }
  const id = await launch(tag, { templateId: long, variables })
  await eventually(async () =>
    expect(await read(id)).toMatchObject({ status: 'completed', counts: { audience: 3, sent: 2, failed: 0 } }),
  )
  const { items } = await owner().ask('GET', `/api/campaigns/${id}/recipients?outcome=unreachable`)
  expect(items).toMatchObject([
    { contactId: ids[1], state: 'left_out', reason: 'With these values the text is longer than WhatsApp sends.' },
  ])
})

test('an inbox template that is too long with its values is refused before anything is stored', async () => {
  const body = `Hi {{1}}, ${'our new tea has arrived and '.repeat(35)}it waits for you.`
  const long = await approvedTemplate(parley, { body, category: 'utility' })
  const { ids } = await audience(1)
  const conversation = await owner().ask('POST', '/api/conversations', { contactId: ids[0] })
  const send = (value: string) =>
    owner().call('POST', `/api/conversations/${conversation.id}/templates`, {
      templateId: long,
      values: { 1: value },
      clientId: new Types.ObjectId().toHexString(),
    })
  const refused = await send('dear '.repeat(30))
  expect([refused.status, refused.body.fields]).toEqual([
    400,
    {
      'values.1': expect.stringMatching(/^With its values the message has 1\d\d\d characters: WhatsApp sends at most/),
    },
  ])
  expect((await send('Asha')).status).toBe(201)
})

test('a message that is too long is kept back by the gate as well', async () => {
  const { ids } = await audience(1)
  const conversation = await owner().ask('POST', '/api/conversations', { contactId: ids[0] })
  const content = { type: 'template', templateId, name: 'offer', language: 'en', text: 'Hi', components: [] } as const
  const message = await parley.services.outgoing.send(parley.scope, conversation.id, {
    content: { ...content, tooLong: true },
    cause: { kind: 'bot', id: 'a'.repeat(24) },
  })
  await eventually(async () =>
    expect(await collection('messages').findOne({ _id: new Types.ObjectId(message.id) })).toMatchObject({
      dispatch: { state: 'cancelled', reason: 'value_too_long' },
    }),
  )
})

test('a template that WhatsApp refuses pauses every campaign that sends it; each goes on by itself once it is resumed', async () => {
  await sendAt(parley, 5)
  const [one, other] = [await audience(100), await audience(60)]
  const first = await launch(one.tag)
  await eventually(async () => expect((await read(first)).counts.sent).toBeGreaterThan(0))
  const second = await launch(other.tag, { name: 'Second' })
  await eventually(async () => expect((await read(second)).counts.audience).toBe(60))
  // Only messages of the first one are refused.
  for (let index = 0; index < 100; index += 1) await refuse(132001, { to: String(one.firstPhone + index) })
  const detail = 'WhatsApp does not know this template in this language.'
  const paused = { status: 'paused', pausedFor: 'template_refused', pauseDetail: detail }
  await eventually(async () => expect(await read(first)).toMatchObject({ ...paused, counts: { failed: 0 } }))
  await eventually(async () => expect(await read(second)).toMatchObject({ ...paused, counts: { failed: 0 } }))
  await sendAt(parley, 200)
  expect((await change(second, 'resume')).status).toBe(200)
  await eventually(async () => expect(await read(second)).toMatchObject({ status: 'completed', counts: { sent: 60 } }))
  expect(await read(first)).toMatchObject(paused)
  await change(first, 'cancel')
})

test('a message that fails for its template after WhatsApp had taken it pauses the campaign as well', async () => {
  await sendAt(parley, 5)
  await parley.simulator.call('/ladder', { deliveredMs: 600_000 })
  const { tag } = await audience(60)
  const id = await launch(tag)
  const sent = await eventually(async () => {
    const row = (await rowsOf(id)).find(({ state }) => state === 'sent')
    expect(row).toBeDefined()
    const message = await messageOf(row)
    expect(message?.['status']).toBe('sent')
    return message
  })
  await parley.simulator.call('/status', { wamid: sent?.['waMessageId'], status: 'failed', error: 132016 })
  await eventually(async () =>
    expect(await read(id)).toMatchObject({
      status: 'paused',
      pausedFor: 'template_refused',
      pauseDetail: 'The template is disabled.',
      counts: { failed: 1 },
    }),
  )
  await parley.simulator.call('/ladder', { deliveredMs: 100 })
  await sendAt(parley, 200)
  expect((await change(id, 'resume')).status).toBe(200)
  await eventually(async () =>
    expect(await read(id)).toMatchObject({ status: 'completed', counts: { failed: 1, sent: 59 } }),
  )
})

test('what other campaigns of a template were refused is read through an index', async () => {
  const { tag } = await audience(5)
  await sendAt(parley, 1)
  const id = await launch(tag)
  await expectIndexed(parley.database.connection, () => workOn(parley, id))
  await change(id, 'cancel')
  await sendAt(parley, 200)
})

test('whom three campaigns in a row do not reach is marked until a message is delivered', async () => {
  const { tag, ids } = await audience(2)
  const [lost, reached] = ids
  await collection('contacts').updateOne(
    { _id: new Types.ObjectId(lost) },
    { $set: { phone: '+919812131026', undeliveredIn: [] } },
  )
  await collection('contacts').updateOne(
    { _id: new Types.ObjectId(reached) },
    { $set: { undeliveredIn: ['a'.repeat(24), 'b'.repeat(24)] } },
  )
  const campaigns: string[] = []
  const marks = async (id = '') =>
    (await collection('contacts').findOne({ _id: new Types.ObjectId(id) }))?.['undeliveredIn']
  for (let count = 1; count <= 3; count += 1) {
    campaigns.push(await launch(tag))
    await eventually(async () => expect(await marks(lost)).toEqual(campaigns))
  }
  expect(await marks(reached)).toBeUndefined()
  // A marked contact gets no further campaign.
  const fourth = await launch(tag)
  const counts = { audience: 2, excluded: { unreachable: 1 }, sent: 1, failed: 0 }
  await eventually(async () => expect(await read(fourth)).toMatchObject({ status: 'completed', counts }))
  const left = await owner().ask('GET', `/api/campaigns/${fourth}/recipients?outcome=unreachable`)
  expect(left).toMatchObject({
    items: [{ contactId: lost, reason: 'Could not be reached in three campaigns in a row.' }],
  })
  const reach = async () => {
    const audience = { kind: 'tags', tags: [tag] }
    return (await owner().ask('POST', '/api/campaigns/preview', { audience })).reachable
  }
  expect(await reach()).toBe(1)
  expect(await marks(lost)).toEqual(campaigns)
  await parley.simulator.call('/inbound', { from: '919812131026', type: 'text', text: { body: 'Hi' } })
  await eventually(async () => expect(await marks(lost)).toBeUndefined())
  expect(await reach()).toBe(2)
})

test('a code of the account stops templates of all its numbers; answers leave, and a check of one lets all go on', async () => {
  const { scope, services, simulator, simulatedNumber, number } = parley
  const beside = await simulator.call('/numbers', { name: 'Second Shop', accountId: simulatedNumber.accountId })
  const second = await services.numberConnection.connect(scope, {
    displayName: 'Second Shop',
    phoneNumber: beside.displayNumber,
    phoneNumberId: beside.phoneNumberId,
    businessAccountId: beside.accountId,
    accessToken: new Secret(beside.accessToken),
    graphUrl: number.graphUrl,
    simulated: { phonePageUrl: number.graphUrl },
  })
  const numbers = async () => {
    const { items } = await owner().ask('GET', '/api/numbers')
    return items.map(({ status, stopped }: { status: string; stopped: { what: string } | null }) => [
      status,
      stopped?.what ?? null,
    ])
  }
  const from = '919881234567'
  const first = await simulator.call('/inbound', { from, type: 'text', text: { body: 'Hi' } })
  const conversationId = await eventually(async () => {
    const message = await collection('messages').findOne({ waMessageId: first.id })
    expect(message).not.toBeNull()
    return String(message?.['conversationId'])
  })
  const injected = await refuse(131042)
  const notice = await approvedTemplate(parley, { category: 'utility' })
  const sent = await owner().ask('POST', `/api/conversations/${conversationId}/templates`, {
    templateId: notice,
    values: { 1: 'Asha' },
    clientId: new Types.ObjectId().toHexString(),
  })
  await eventually(async () =>
    expect(await numbers()).toEqual([
      ['active', 'templates'],
      ['active', 'templates'],
    ]),
  )
  await fetch(`${simulator.url}/sim/inject/${injected.id}`, { method: 'DELETE' })
  // The answer is not held up by the template before it.
  const answer = await owner().ask('POST', `/api/conversations/${conversationId}/messages`, {
    content: { type: 'text', text: 'Good morning' },
    clientId: new Types.ObjectId().toHexString(),
  })
  const state = async (id: string) =>
    (await collection('messages').findOne({ _id: new Types.ObjectId(id) }))?.['dispatch'].state
  await eventually(async () => expect(await state(answer.message.id)).toBe('accepted'))
  expect(await state(sent.message.id)).toBe('queued')
  await owner().ask('POST', `/api/numbers/${second.id}/checks`, {})
  await eventually(async () =>
    expect(await numbers()).toEqual([
      ['active', null],
      ['active', null],
    ]),
  )
  await eventually(async () => expect(await state(sent.message.id)).toBe('accepted'))
})

test('a number whose marketing is stopped sends everything else; a token that is refused stops more', async () => {
  const { scope, services, number } = parley
  const stopped = async () => (await services.numbers.read(scope, number.id))?.stopped?.code
  const others = async () => (await services.numbers.list(scope)).filter(({ id }) => id !== number.id)
  await services.numbers.stop(scope, number.id, 131048, 'Spam rate limit hit')
  expect(await stopped()).toBe(131048)
  expect((await others()).every((other) => other.stopped === undefined)).toBe(true)
  const { tag } = await audience(3)
  const input = { name: 'Offer', audience: { kind: 'tags', tags: [tag] }, numberId: number.id, variables: firstName }
  const refused = await launchCampaign(owner(), { ...input, templateId })
  expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
  const notice = await approvedTemplate(parley, { category: 'utility' })
  const { id } = (await launchCampaign(owner(), { ...input, templateId: notice })).body
  await eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent: 3 } }))
  await services.numbers.stop(scope, number.id, 190, 'Token expired')
  expect(await stopped()).toBe(190)
  await services.numbers.stop(scope, number.id, 131048, 'Spam rate limit hit')
  expect(await stopped()).toBe(190)
  await owner().ask('POST', `/api/numbers/${number.id}/checks`, {})
  expect(await stopped()).toBeUndefined()
})
