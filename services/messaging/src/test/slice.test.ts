import type { Message } from '@parley/contracts/inbox/messages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const customer = '919812345678'

test('a customer writes, the business answers, and the ticks turn', async () => {
  const { signIn, simulator } = parley
  const ann = signIn()
  await simulator.call('/inbound', { from: customer, name: 'Asha Rao', type: 'text', text: { body: 'Hi / 🤖' } })
  const conversation = await eventually(async () => {
    const { body } = await ann.call('GET', '/api/conversations')
    expect(body.items).toHaveLength(1)
    return body.items[0]
  })
  expect(conversation).toMatchObject({
    contact: { name: 'Asha Rao', phone: `+${customer}` },
    unreadCount: 1,
    lastMessage: { text: 'Hi / 🤖', direction: 'inbound' },
    history: { messages: 1 },
  })
  const path = `/api/conversations/${conversation.id}`
  const sent = await ann.call('POST', `${path}/messages`, { content: { type: 'text', text: 'Hello!' } })
  expect(sent.status).toBe(201)
  expect(sent.body.message).toMatchObject({ status: 'queued', cause: { kind: 'member', id: ann.userId } })
  await eventually(async () => {
    const { body } = await ann.call('GET', `${path}/messages`)
    expect(body.items.map(({ direction, status }: Message) => [direction, status])).toEqual([
      ['inbound', undefined],
      ['outbound', 'read'],
    ])
  })
  const { body: read } = await ann.call('GET', path)
  expect(read).toMatchObject({ lastMessage: { text: 'Hello!', status: 'read' } })
  const received = await simulator.call(`/messages?phone_number_id=${parley.number.phoneNumberId}&to=${customer}`)
  expect(received.items.map(({ content }: { content: { body: string } }) => content.body)).toEqual([
    'Hi / 🤖',
    'Hello!',
  ])
})
