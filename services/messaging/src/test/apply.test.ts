import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { headOf, sendWebhook, type WebhookChange } from './webhook-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const records = (name: string, filter = {}) =>
  parley.database.connection
    .collection(name)
    .find({ ...parley.inWorkspace, ...filter })
    .toArray()
const seconds = (at: string) => String(Date.parse(at) / 1000)

let count = 0
/** A customer with a conversation. */
async function someone(fields: Record<string, unknown> = {}) {
  count += 1
  const from = `91981234${String(count).padStart(4, '0')}`
  const first = await parley.simulator.call('/inbound', {
    from,
    name: 'Asha',
    type: 'text',
    text: { body: 'Hi' },
    ...fields,
  })
  const message = await eventually(() => stored(first.id))
  return { from, wamid: String(first.id), conversationId: String(message['conversationId']) }
}
async function stored(waMessageId: string): Promise<Record<string, unknown>> {
  const [message] = await records('messages', { waMessageId })
  expect(message).toBeDefined()
  return message ?? {}
}

const hook = (...changes: WebhookChange[]) => sendWebhook(parley, ...changes)
const head = () => headOf(parley)

test('reactions, edits and deletions change their message and are none of their own', async () => {
  const { simulator } = parley
  const { wamid, conversationId } = await someone()
  await simulator.call('/react', { wamid, emoji: '👍' })
  await simulator.call('/edit', { wamid, body: 'Hello' })
  await eventually(async () =>
    expect(await stored(wamid)).toMatchObject({
      content: { type: 'text', text: 'Hello' },
      reactions: [{ by: 'customer', emoji: '👍' }],
      editedAt: expect.any(Date),
    }),
  )
  const conversation = await parley.services.conversations.show(parley.scope, conversationId)
  expect(conversation).toMatchObject({ unreadCount: 1, lastMessage: { text: 'Hello' }, history: { messages: 1 } })
  await simulator.call('/revoke', { wamid })
  await eventually(async () => expect(await stored(wamid)).toMatchObject({ deletedAt: expect.any(Date) }))
  expect(await records('messages', { conversationId: (await stored(wamid))['conversationId'] })).toHaveLength(1)
})

test('what comes before its message waits for it', async () => {
  const { from } = await someone()
  const target = `wamid.late${count}`
  const about = (id: string, content: object) => ({ id, from, timestamp: seconds('2026-01-01T00:00:05Z'), ...content })
  await hook({
    field: 'messages',
    value: {
      ...head(),
      messages: [
        about('r1', { type: 'reaction', reaction: { message_id: target, emoji: '❤️' } }),
        about('r2', {
          type: 'edit',
          edit: { original_message_id: target, message: { type: 'text', text: { body: 'later' } } },
        }),
      ],
    },
  })
  await eventually(async () =>
    expect((await records('parked', { waMessageId: target }))[0]?.['pieces']).toHaveLength(2),
  )
  const text = { id: target, from, timestamp: seconds('2026-01-01T00:00:00Z'), type: 'text', text: { body: 'first' } }
  await hook({ field: 'messages', value: { ...head(), messages: [text] } })
  await eventually(async () =>
    expect(await stored(target)).toMatchObject({ content: { text: 'later' }, reactions: [{ emoji: '❤️' }] }),
  )
  expect(await records('parked', { waMessageId: target })).toEqual([])
})

test('a quote shows once the quoted message is known: one that comes later, or one of ours whose answer was lost', async () => {
  const { from, conversationId } = await someone()
  const write = (id: string, quoted?: string) => {
    const text = { id, from, timestamp: seconds('2026-01-01T00:00:00Z'), type: 'text', text: { body: id } }
    const message = { ...text, ...(quoted !== undefined && { context: { from: '1', id: quoted } }) }
    return hook({ field: 'messages', value: { ...head(), messages: [message] } })
  }
  const quotes = (id: string, quoted: unknown) =>
    eventually(async () => expect(await stored(id)).toMatchObject({ replyTo: String(quoted) }))
  await write('wamid.early', 'wamid.late')
  await eventually(async () => expect(await records('parked', { waMessageId: 'wamid.late' })).toHaveLength(1))
  await write('wamid.late')
  const late = await eventually(() => stored('wamid.late'))
  await quotes('wamid.early', late['_id'])

  await parley.simulator.call('/inject', {
    numberId: parley.simulatedNumber.phoneNumberId,
    trigger: { kind: 'next', count: 1 },
    effect: { kind: 'not_json' },
  })
  const ours = await parley.services.outgoing.send(parley.scope, conversationId, {
    content: { type: 'text', text: 'Did you get this?' },
    cause: { kind: 'member', id: 'a'.repeat(24) },
  })
  await eventually(async () =>
    expect(
      await records('messages', { 'dispatch.state': 'uncertain', 'content.text': 'Did you get this?' }),
    ).toHaveLength(1),
  )
  await write('wamid.answer', 'wamid.ours')
  await eventually(async () => expect(await stored('wamid.answer')).not.toHaveProperty('replyTo'))
  const status = {
    id: 'wamid.ours',
    status: 'delivered',
    timestamp: seconds('2026-01-01T00:00:05Z'),
    recipient_id: from,
  }
  await hook({ field: 'messages', value: { ...head(), statuses: [{ ...status, biz_opaque_callback_data: ours.id }] } })
  await quotes('wamid.answer', ours.id)
  // An event shows it to members who have the thread open.
  const { _id: id, version } = await stored('wamid.answer')
  expect(await records('events', { type: 'message.changed', 'data.messageId': String(id), version })).toHaveLength(1)
  expect(await records('parked', { waMessageId: { $in: ['wamid.late', 'wamid.ours'] } })).toEqual([])
})

test('a message from the phone of the business stands in the conversation, with its statuses', async () => {
  const { from, conversationId } = await someone()
  const echo = await parley.simulator.call('/echo', { from, type: 'text', text: { body: 'From my phone' } })
  await eventually(async () => expect(await stored(echo.id)).toMatchObject({ direction: 'outbound', status: 'sent' }))
  const status = { id: echo.id, status: 'read', timestamp: seconds('2026-01-01T00:00:05Z'), recipient_id: from }
  await hook({ field: 'messages', value: { ...head(), statuses: [status] } })
  await eventually(async () =>
    expect(await parley.services.conversations.show(parley.scope, conversationId)).toMatchObject({
      unreadCount: 1,
      lastMessage: { text: 'From my phone', direction: 'outbound', status: 'read' },
    }),
  )
})

test('an order, a filled-in form and a forwarded answer to an ad are stored by our names, and answered', async () => {
  const { from, wamid, conversationId } = await someone({
    forwarded: true,
    referral: { source_type: 'ad', source_id: '1', headline: 'Spring tea' },
    referred_product: { catalog_id: 'c', product_retailer_id: 'tea-1' },
  })
  const products = [{ product_retailer_id: 'tea-1', quantity: 2, item_price: 4.5, currency: 'EUR' }]
  const reply = { name: 'flow', body: 'Sent', response_json: '{"wanted_day":"Monday","flow_token":"t"}' }
  const contents = [
    { type: 'order', order: { catalog_id: '1', text: 'Soon, please', product_items: products } },
    { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: reply } },
  ]
  await hook({
    field: 'messages',
    value: {
      ...head(),
      messages: contents.map((content, index) => ({
        id: `wamid.told${index}`,
        from,
        timestamp: String(4_000_000_000 + index),
        ...content,
      })),
    },
  })
  await eventually(() => stored('wamid.told1'))
  expect(await stored('wamid.told0')).toMatchObject({
    content: { type: 'order', items: [{ id: 'tea-1', quantity: 2, price: 4.5, currency: 'EUR' }] },
  })
  const { items } = await parley.signIn().ask('GET', `/api/conversations/${conversationId}/messages`)
  expect(items).toMatchObject([
    { content: { text: 'Hi' }, forwarded: 'yes', referral: { kind: 'ad' }, productId: 'tea-1' },
    { content: { type: 'order', text: 'Soon, please', total: { amount: 9, currency: 'EUR' } } },
    { content: { type: 'interactive', answers: [{ question: 'Wanted day', answer: 'Monday' }] } },
  ])
  expect(await stored(wamid)).toMatchObject({ forwarded: 'yes' })
  const line = (await parley.services.conversations.show(parley.scope, conversationId)).lastMessage.text
  expect(line).toBe('Sent')
})

test('a customer who takes another number stays the same contact', async () => {
  const { from, conversationId } = await someone()
  const { id } = await parley.simulator.call('/change-number', { from, to: '919800000099' })
  await eventually(async () =>
    expect(await parley.services.conversations.show(parley.scope, conversationId)).toMatchObject({
      contact: { phone: '+919800000099' },
      unreadCount: 1,
    }),
  )
  const found = (q: string) => parley.services.contactLists.list(parley.scope, { q })
  expect(await found('9800000099')).toMatchObject({ total: 1, items: [{ phone: '+919800000099' }] })
  expect(await found(from)).toMatchObject({ total: 0 })
  // An event updates the contact and the conversation on open pages, and the conversation is found by the new number.
  expect(await records('events', { type: 'contact.changed', 'data.contact.phone': '+919800000099' })).toMatchObject([
    { by: { kind: 'contact' }, data: { contact: { name: 'Asha' } } },
  ])
  const recorded = { type: 'conversation.changed', conversationId, 'data.conversation.contact.phone': '+919800000099' }
  expect(await records('events', recorded)).not.toEqual([])
  const [inbox] = await records('conversations', { 'search.phone': '919800000099' })
  expect(String(inbox?._id)).toBe(conversationId)
  await hook({
    field: 'user_id_update',
    value: { ...head(), user_id_update: [{ user_id: { previous: id, current: 'IN.4711' } }] },
  })
  await eventually(async () => expect(await records('contacts', { waUserId: 'IN.4711' })).toHaveLength(1))
})

test('a number that somebody else has already is not taken from them', async () => {
  const [first, second] = [await someone(), await someone()]
  await parley.services.contacts.changeIdentity(parley.scope, { phone: `+${first.from}` }, { phone: `+${second.from}` })
  const phoneOf = async (id: string) => (await parley.services.conversations.show(parley.scope, id)).contact.phone
  expect(await phoneOf(first.conversationId)).toBe(`+${first.from}`)
  expect(await phoneOf(second.conversationId)).toBe(`+${second.from}`)
})

test('a phone number that becomes known of somebody who was known by a user id is told', async () => {
  const { contacts } = parley.services
  const person = { waUserId: 'IN.8150', phone: undefined, name: 'Meera', username: 'meera' }
  const id = (await contacts.ensure(parley.scope, [person]))(person)
  const known = { ...person, phone: '+919812399999' }
  expect((await contacts.ensure(parley.scope, [known]))(known)).toBe(id)
  expect(await contacts.read(parley.scope, id)).toMatchObject({ phone: known.phone, name: 'Meera', version: 2 })
  expect(await records('events', { type: 'contact.changed', 'data.contact.phone': known.phone })).toHaveLength(1)
})

test('a choice about marketing is the contact’s, the newest one', async () => {
  const { from } = await someone()
  const choice = (value: string, at: string) => ({
    field: 'user_preferences',
    value: {
      ...head(),
      user_preferences: [{ wa_id: from, category: 'marketing_messages', value, timestamp: Number(seconds(at)) }],
    },
  })
  const areApplied = (count: number) =>
    eventually(async () => expect(await records('accountEvents', { field: 'user_preferences' })).toHaveLength(count))
  await hook(choice('stop', '2026-01-02T00:00:00Z'))
  await areApplied(1)
  await hook(choice('resume', '2026-01-01T00:00:00Z'))
  await areApplied(2)
  expect((await records('contacts', { phone: `+${from}` }))[0]).toMatchObject({ optIn: { marketing: 'out' } })
  const recorded = await records('events', {
    type: 'contact.changed',
    'data.contact.optIn.marketing': { $ne: 'unknown' },
  })
  expect(recorded).toMatchObject([{ by: { kind: 'contact' }, data: { contact: { phone: `+${from}` } } }])
})

test('an ad that is answered within a day opens three', async () => {
  const { conversationId } = await someone({ referral: { source_type: 'ad', source_id: '1' } })
  const windowHours = async () => {
    const { windowExpiresAt } = await parley.services.conversations.show(parley.scope, conversationId)
    return Math.round((Date.parse(windowExpiresAt ?? '') - Date.now()) / 3600_000)
  }
  expect(await windowHours()).toBe(24)
  await parley.services.outgoing.send(parley.scope, conversationId, {
    content: { type: 'text', text: 'Hello!' },
    cause: { kind: 'member', id: 'a'.repeat(24) },
  })
  await eventually(async () => expect(await windowHours()).toBe(72))
})
