import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { sendWebhook } from './webhook-fixtures.ts'

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
const now = Math.floor(Date.now() / 1000)
const dayS = 86_400
const business = '918044556677'
const head = () => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: business, phone_number_id: parley.simulatedNumber.phoneNumberId },
})

const history = (...parts: object[]) => sendWebhook(parley, { field: 'history', value: { ...head(), history: parts } })
const part = (progress: number, threads: object[] = [], phase = 1) => ({
  metadata: { phase, chunk_order: 1, progress },
  threads,
})
const text = (id: string, from: string, body: string, at: number, fields: object = {}) => {
  const context = { history_context: { status: 'READ' } }
  return { from, id: `wamid.${id}`, timestamp: String(at), type: 'text', text: { body }, ...context, ...fields }
}
const stored = (id: string) =>
  eventually(async () => {
    const [message] = await records('messages', { waMessageId: `wamid.${id}` })
    if (!message) throw new Error(`wamid.${id} is not there yet`)
    return message
  })
const applied = () =>
  eventually(async () => expect(await records('rawEvents', { lane: { $exists: true } })).toEqual([]))
const conversationsOf = async (phone: string) =>
  (await parley.signIn().ask('GET', `/api/conversations?q=${phone}`)).items

test('threads of before become conversations: at their own times, read, closed, without an event, once', async () => {
  const phone = '919811150101'
  const thread = {
    id: phone,
    messages: [
      text('h1', phone, 'Is the shop open on Sunday?', now - 40 * dayS),
      text('h2', business, 'Yes, from ten', now - 40 * dayS + 60, {
        to: phone,
        history_context: { status: 'DELIVERED' },
      }),
      text('h3', business, 'Without a recipient', now - 39 * dayS, { history_context: { status: 'ERROR' } }),
    ],
  }
  await history(part(30, [thread]))
  await history(part(30, [thread]))
  await stored('h3')
  await applied()
  const [conversation, ...others] = await conversationsOf(phone)
  expect(others).toEqual([])
  expect(conversation).toMatchObject({
    unreadCount: 0,
    status: 'closed',
    history: { messages: 3 },
    lastMessage: { text: 'Without a recipient', at: new Date((now - 39 * dayS) * 1000).toISOString() },
  })
  const messages = await records('messages', { waMessageId: { $in: ['wamid.h1', 'wamid.h2', 'wamid.h3'] } })
  expect(
    messages
      .toSorted((a, b) => Number(a['sentAt']) - Number(b['sentAt']))
      .map(({ direction, status, sentAt }) => ({ direction, status, sentAt: Number(sentAt) / 1000 })),
  ).toEqual([
    { direction: 'inbound', status: undefined, sentAt: now - 40 * dayS },
    { direction: 'outbound', status: 'delivered', sentAt: now - 40 * dayS + 60 },
    { direction: 'outbound', status: 'failed', sentAt: now - 39 * dayS },
  ])
  const conversations = await records('conversations', { _id: messages[0]?.['conversationId'] })
  expect(conversations).toMatchObject([{ firstMessageAt: new Date((now - 40 * dayS) * 1000) }])
  expect(conversations[0]).not.toHaveProperty('waitingSince')
  // A colleague has written them long ago: bots may begin.
  expect(conversations[0]).not.toHaveProperty('personAt')
  // Nothing is recorded that bots, rules of assignment or notifications react to.
  const changes = await records('events', {
    type: { $in: ['message.changed', 'conversation.changed', 'contact.changed'] },
  })
  expect(changes).toEqual([])
  expect(await records('events', { type: 'history.added' })).not.toEqual([])
  // They are found by search anyway.
  await eventually(async () => {
    const found = await parley.signIn().ask('GET', '/api/messages/search?q=Sunday')
    expect(JSON.stringify(found)).toContain('Is the shop open on Sunday?')
  })
})

test('what a customer wrote within the last day opens their window until a day after it, still unread by nobody', async () => {
  const phone = '919811150102'
  const at = now - 3600
  await history(part(31, [{ id: phone, messages: [text('w1', phone, 'Hello', at)] }], 0))
  await stored('w1')
  const [conversation] = await eventually(async () => {
    const found = await conversationsOf(phone)
    expect(found).toHaveLength(1)
    return found
  })
  expect(conversation).toMatchObject({
    unreadCount: 0,
    status: 'open',
    windowExpiresAt: new Date((at + dayS) * 1000).toISOString(),
  })
  // They write now, which is news.
  await parley.simulator.call('/inbound', { from: phone, name: 'Asha', type: 'text', text: { body: 'Still there?' } })
  await eventually(async () =>
    expect(await conversationsOf(phone)).toMatchObject([{ unreadCount: 1, history: { messages: 2 } }]),
  )
})

test.each([
  ['after its message', false],
  ['before its message', true],
])('a file that comes %s takes the place of the placeholder', async (name, isFirst) => {
  const phone = '919811150103'
  const id = name.replaceAll(' ', '-')
  const placeholder = { from: business, id: `wamid.${id}`, timestamp: String(now - dayS), type: 'media_placeholder' }
  const file = { id: '1234567890', mime_type: 'image/jpeg', caption: 'The new menu' }
  const sendFile = () =>
    sendWebhook(parley, {
      field: 'history',
      value: { ...head(), messages: [{ ...placeholder, type: 'image', image: file }] },
    })
  const sendThread = () => history(part(32, [{ id: phone, messages: [placeholder] }]))
  for (const send of isFirst ? [sendFile, sendThread] : [sendThread, sendFile]) {
    await send()
    await applied()
  }
  await eventually(async () =>
    expect(await stored(id)).toMatchObject({
      direction: 'outbound',
      content: { type: 'image', caption: 'The new menu' },
    }),
  )
  expect(await records('messages', { waMessageId: `wamid.${id}` })).toHaveLength(1)
})

test('a customer who said STOP before is left alone, silently; nothing else is taken for a choice', async () => {
  const [stopped, started] = ['919811150104', '919811150105']
  await history(
    part(33, [
      { id: stopped, messages: [text('stop', stopped, 'STOP', now - 20 * dayS)] },
      { id: started, messages: [text('start', started, 'START', now - 20 * dayS)] },
    ]),
  )
  await Promise.all([stored('stop'), stored('start')])
  await applied()
  const consents = async (phone: string) =>
    (await records('contacts', { phone: `+${phone}` })).map(({ optIn }) => optIn['marketing'])
  await eventually(async () => expect(await consents(stopped)).toEqual(['out']))
  expect(await consents(started)).toEqual(['unknown'])
  const { conversationId } = await stored('stop')
  expect(await records('messages', { conversationId })).toHaveLength(1)
})

test('the number tells how far the chats have come, the furthest part counting, and that they are not shared', async () => {
  const owner = parley.signIn()
  const shown = async () => (await owner.ask('GET', '/api/numbers')).items[0]?.history
  await history(part(55))
  await eventually(async () => expect(await shown()).toMatchObject({ state: 'running', progress: 55 }))
  await history(part(40, [], 0))
  await history({
    errors: [{ code: 2593109, title: 'History sync is off', message: 'The business does not share its history' }],
  })
  await eventually(async () =>
    expect(await shown()).toMatchObject({
      state: 'declined',
      progress: 55,
      reason: 'The business does not share its history',
    }),
  )
  await history(part(100, [], 2))
  await eventually(async () => expect(await shown()).toMatchObject({ state: 'done', progress: 100 }))
  const [number] = (await owner.ask('GET', '/api/numbers')).items
  expect(number.unknownFields).toEqual([])
  const news = await owner.ask('GET', `/api/numbers/${number.id}/events`)
  expect(news.items.map(({ title }: { title: string }) => title)).toEqual(
    expect.arrayContaining(['The earlier chats are here', 'The earlier chats are not shared']),
  )
})

test('the address book of the phone becomes contacts whose consent is unknown; removed entries change nothing', async () => {
  const entry = (phone: string, name: string | undefined, action: string) => ({
    type: 'contact',
    action,
    contact: { ...(name && { full_name: name, first_name: name.split(' ')[0] }), phone_number: phone },
    metadata: { timestamp: String(now) },
  })
  const book = [
    entry('919811150106', 'Ravi Example', 'add'),
    entry('919811150107', undefined, 'add'),
    entry('919811150108', undefined, 'remove'),
    entry(business, 'Ourselves', 'add'),
  ]
  const send = () => sendWebhook(parley, { field: 'smb_app_state_sync', value: { ...head(), state_sync: book } })
  await send()
  await send()
  const contacts = () =>
    records('contacts', { phone: { $in: [...book.map(({ contact }) => `+${contact.phone_number}`)] } })
  await eventually(async () => expect(await contacts()).toHaveLength(2))
  await applied()
  expect((await contacts()).map(({ name, optIn }) => [name, optIn['marketing']]).toSorted()).toEqual([
    ['+919811150107', 'unknown'],
    ['Ravi Example', 'unknown'],
  ])
  expect(await records('accountEvents', { field: 'smb_app_state_sync' })).toEqual([])
})

test('an erasure leaves nothing of a history', async () => {
  const phone = '919811150109'
  const word = 'Zanzibarian'
  await sendWebhook(parley, {
    field: 'smb_app_state_sync',
    value: {
      ...head(),
      state_sync: [{ type: 'contact', action: 'add', contact: { full_name: word, phone_number: phone } }],
    },
  })
  await eventually(async () => expect(await records('contacts', { phone: `+${phone}` })).toHaveLength(1))
  await history(part(100, [{ id: phone, messages: [text('e1', phone, word, now - 9 * dayS)] }]))
  await stored('e1')
  await applied()
  const [contact] = await records('contacts', { phone: `+${phone}` })
  const owner = parley.signIn()
  await owner.ask('POST', `/api/contacts/${String(contact?._id)}/erase`, { name: word })
  await eventually(async () => {
    const { connection } = parley.database
    for (const { name } of (await connection.db?.listCollections().toArray()) ?? [])
      expect(JSON.stringify(await records(name)), name).not.toMatch(new RegExp(`${phone}|${word}`))
  })
})
