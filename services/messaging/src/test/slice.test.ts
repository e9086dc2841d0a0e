import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
})
afterAll(() => parley.stop())

const customer = '919812345678'
const eventually = <T>(check: () => Promise<T> | T) => vi.waitFor(check, { timeout: 30_000, interval: 50 })

test('a customer writes, the business answers, and the ticks turn', async () => {
  const { scope, services, simulator } = parley
  await simulator.call('/inbound', { from: customer, name: 'Asha Rao', type: 'text', text: { body: 'Hi / 🤖' } })
  const [conversation] = await eventually(async () => {
    const found = await services.conversations.list(scope, {})
    expect(found).toHaveLength(1)
    return found
  })
  expect(conversation).toMatchObject({
    contact: { name: 'Asha Rao', phone: `+${customer}` },
    unreadCount: 1,
    lastMessage: { text: 'Hi / 🤖', direction: 'inbound' },
    history: { messages: 1 },
  })
  const id = conversation?.id ?? ''
  const sent = await services.messages.send(scope, id, {
    text: 'Hello!',
    cause: { kind: 'member', id: 'a'.repeat(24) },
  })
  expect(sent.status).toBe('queued')
  await eventually(async () => {
    const thread = await services.messages.thread(scope, id, 10)
    expect(thread.map(({ status, direction }) => [direction, status])).toEqual([
      ['inbound', undefined],
      ['outbound', 'read'],
    ])
  })
  expect(await services.conversations.show(scope, id)).toMatchObject({
    lastMessage: { text: 'Hello!', status: 'read' },
  })
  const told = await simulator.call(`/messages?phone_number_id=${parley.number.phoneNumberId}&to=${customer}`)
  expect(told.items.map(({ content }: { content: { body: string } }) => content.body)).toEqual(['Hi / 🤖', 'Hello!'])
})
