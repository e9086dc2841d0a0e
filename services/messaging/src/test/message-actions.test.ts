import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { joinMessaging } from './start-messaging.ts'

const eventually = <T>(check: () => Promise<T> | T) => vi.waitFor(check, { timeout: 120_000, interval: 50 })

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
})
afterAll(() => parley.stop())

/** A customer who has just written. The last digits of the number decide the outcome of messages to it. */
async function customer(phone: string): Promise<Conversation> {
  await parley.simulator.call('/inbound', { from: phone, name: `Of ${phone}`, type: 'text', text: { body: 'Hi' } })
  return eventually(async () => {
    const { body } = await ann.call('GET', `/api/conversations?q=${phone}`)
    expect(body.items).toHaveLength(1)
    return body.items[0]
  })
}
const pathOf = ({ id }: { id: string }) => `/api/conversations/${id}`
const send = async (conversation: Conversation, text = 'Hello') =>
  (await ann.call('POST', `${pathOf(conversation)}/messages`, { content: { type: 'text', text } })).body
    .message as Message
const threadOf = async (conversation: Conversation): Promise<Message[]> =>
  (await ann.call('GET', `${pathOf(conversation)}/messages`)).body.items
const messageOf = async (conversation: Conversation, { id }: Message) =>
  (await threadOf(conversation)).find((message) => message.id === id)
const act = (conversation: Conversation, { id }: Message, action: string, by = ann) =>
  by.call('POST', `${pathOf(conversation)}/messages/${id}/${action}`)

test('a note is for colleagues: it stands in the thread once, goes nowhere and leaves the list as it is', async () => {
  const conversation = await customer('919812340011')
  const note = { text: 'Wants a refund', clientId: 'note-0001' }
  const answers = await Promise.all([1, 2].map(() => ann.call('POST', `${pathOf(conversation)}/notes`, note)))
  expect(answers.map(({ status, body }) => [status, body.message.direction])).toEqual([
    [201, 'note'],
    [201, 'note'],
  ])
  expect((await threadOf(conversation)).filter(({ direction }) => direction === 'note')).toMatchObject([
    { content: { type: 'text', text: 'Wants a refund' }, cause: { kind: 'member', id: ann.userId } },
  ])
  expect(answers[0]?.body.conversation).toMatchObject({ lastMessage: { text: 'Hi' }, history: { messages: 1 } })
  const { items } = await parley.simulator.call(`/messages?to=919812340011`)
  expect(JSON.stringify(items)).not.toContain('refund')
})

test('a message that failed is sent again, and what its first try still comes to changes nothing', async () => {
  // Fails once after it was accepted.
  const conversation = await customer('919812131000')
  const sent = await send(conversation)
  await eventually(async () => expect((await messageOf(conversation, sent))?.status).toBe('failed'))
  const { body: before } = await ann.call('GET', `${pathOf(conversation)}/messages/${sent.id}/passport`)
  expect(before).toMatchObject({ error: { code: 131000, class: 'retry', nextStep: expect.any(String) } })
  expect((await act(conversation, sent, 'cancel')).body.code).toBe('wrong_state')

  const { status, body } = await act(conversation, sent, 'retry')
  expect([status, body.message.status, body.message.error]).toEqual([200, 'queued', undefined])
  expect((await act(conversation, sent, 'retry')).body.code).toBe('wrong_state')
  await eventually(async () => expect((await messageOf(conversation, sent))?.status).toBe('read'))
  const { body: after } = await ann.call('GET', `${pathOf(conversation)}/messages/${sent.id}/passport`)
  expect(after.waMessageId).not.toBe(before.waMessageId)
  const [raw] = before.exchange
  await parley.ingesting.ingest.store(parley.scope.workspaceId, webhookOf(before.exchange.at(-1) ?? raw))
  await send(conversation, 'Behind it')
  await eventually(async () => expect((await threadOf(conversation)).at(-1)?.status).toBe('read'))
  expect(await messageOf(conversation, sent)).toMatchObject({ status: 'read' })
})

/** The webhook that a piece came with. */
function webhookOf({ body }: { body: string }): Buffer {
  const { metadata, contacts, status } = JSON.parse(body)
  const value = { messaging_product: 'whatsapp', metadata, contacts, statuses: [status] }
  return Buffer.from(JSON.stringify({ object: 'x', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] }))
}

test('a message of which nobody knows whether it left is sent again by a person alone, once it is not confirmed', async () => {
  const phone = '919812340016'
  const conversation = await customer(phone)
  const numberId = parley.simulatedNumber.phoneNumberId
  const left = async () =>
    (await parley.simulator.call(`/messages?phone_number_id=${numberId}&to=${phone}`)).items.filter(
      ({ direction }: { direction: string }) => direction === 'outbound',
    )
  const once = { numberId, to: phone, trigger: { kind: 'next', count: 1 } }
  await parley.simulator.call('/inject', { ...once, effect: { kind: 'not_json' } })
  const sent = await send(conversation)
  await eventually(async () => expect(await messageOf(conversation, sent)).toMatchObject({ dispatch: 'uncertain' }))
  expect((await act(conversation, sent, 'retry')).body.code).toBe('wrong_state')
  const path = `${pathOf(conversation)}/messages/${sent.id}/passport`
  expect((await ann.call('GET', path)).body).not.toHaveProperty('error')

  const past = { 'dispatch.uncertainAt': new Date(Date.now() - 16 * 60_000) }
  await parley.database.connection
    .collection('messages')
    .updateOne({ _id: new Types.ObjectId(sent.id) }, { $set: past })
  await eventually(async () =>
    expect(await messageOf(conversation, sent)).toMatchObject({ error: { title: 'Not confirmed' } }),
  )
  const { body: passport } = await ann.call('GET', path)
  expect(passport).toMatchObject({ error: { title: 'Not confirmed', action: 'retry' } })
  expect(passport.timeline.at(-1)).toMatchObject({ kind: 'uncertain' })
  expect(await left()).toEqual([])
  const answers = await Promise.all([act(conversation, sent, 'retry'), act(conversation, sent, 'retry')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  await eventually(async () => expect((await messageOf(conversation, sent))?.status).toBe('read'))
  expect(await left()).toHaveLength(1)
})

test('a message that waits is taken back and never leaves; a colleague cannot take back what has left', async () => {
  // The customer has had too many messages already: each attempt is postponed.
  const conversation = await customer('919812131056')
  const sent = await send(conversation)
  const cancelled = await eventually(async () => {
    const answer = await act(conversation, sent, 'cancel')
    expect(answer.status).toBe(200)
    return answer.body.message
  })
  expect(cancelled).toMatchObject({ dispatch: 'cancelled' })
  expect((await act(conversation, sent, 'cancel')).body.code).toBe('wrong_state')
  const other = await customer('919812340012')
  const left = await send(other)
  await eventually(async () => expect((await messageOf(other, left))?.status).toBe('read'))
  expect((await act(other, left, 'cancel')).body.code).toBe('wrong_state')
})

test("a passport has the message's steps and price, and what WhatsApp said for those who may see secrets", async () => {
  const conversation = await customer('919812340013')
  const sent = await send(conversation)
  await eventually(async () => expect((await messageOf(conversation, sent))?.status).toBe('read'))
  const path = `${pathOf(conversation)}/messages/${sent.id}/passport`
  const { body: passport } = await ann.call('GET', path)
  expect(passport.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['queued', 'sent', 'delivered', 'read'])
  expect(passport).toMatchObject({ pricing: { category: 'service' }, message: { cause: { id: ann.userId } } })
  const [request, ...statuses] = passport.exchange.map(({ body }: { body: string }) => JSON.parse(body))
  expect(passport.exchange[0].direction).toBe('out')
  expect(request).toMatchObject({ to: '+919812340013', type: 'text', biz_opaque_callback_data: sent.id })
  expect(statuses.map((body: { status: { status: string } }) => body.status.status).toSorted()).toEqual([
    'delivered',
    'read',
    'sent',
  ])
  const { body: seen } = await parley.signIn({ role: 'agent' }).call('GET', path)
  expect(seen).not.toHaveProperty('exchange')
  expect(seen.timeline).toEqual(passport.timeline)
})

test('another workspace, another conversation and an id that is none: not found', async () => {
  const conversation = await customer('919812340014')
  const other = await customer('919812340015')
  const sent = await send(conversation)
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  for (const [by, addressed, id] of [
    [eve, conversation, sent.id],
    [ann, other, sent.id],
    [ann, conversation, 'guessed-1'],
  ] as const) {
    const path = `${pathOf(addressed)}/messages/${id}`
    const statuses = [
      (await by.call('POST', `${path}/retry`)).status,
      (await by.call('POST', `${path}/cancel`)).status,
      (await by.call('GET', `${path}/passport`)).status,
    ]
    expect(statuses).toEqual([404, 404, 404])
  }
  expect((await eve.call('POST', `${pathOf(conversation)}/notes`, { text: 'x' })).status).toBe(404)
})
