import { presenceSchema } from '@parley/contracts/events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listen as listenAs } from './listen.ts'
import { joinMessaging } from './start-messaging.ts'

const eventually = <T>(check: () => Promise<T> | T) => vi.waitFor(check, { timeout: 30_000, interval: 50 })

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const writes = (body: string) =>
  parley.simulator.call('/inbound', { from: '919812340001', name: 'Asha Rao', type: 'text', text: { body } })

const listen = (by = parley.signIn(), lastEventId?: number) => listenAs(by, lastEventId)

test('what a customer writes is told with the conversation as lists show it, and nothing is missed by who comes back', async () => {
  const early = await listen()
  await writes('one')
  const first = await eventually(() => {
    const found = early.records().find(({ type }) => type === 'conversation.changed')
    expect(found).toBeDefined()
    return found
  })
  expect(first).toMatchObject({
    data: { conversation: { contact: { name: 'Asha Rao' }, lastMessage: { text: 'one' }, unreadCount: 1 } },
  })
  await eventually(() =>
    expect(early.records()).toContainEqual(
      expect.objectContaining({ type: 'message.changed', data: expect.objectContaining({ created: true }) }),
    ),
  )
  await writes('two')
  await eventually(() => expect(JSON.stringify(early.records())).toContain('two'))
  const late = await listen(parley.signIn(), first?.seq)
  await eventually(() => expect(late.records()).toEqual(early.records().filter(({ seq }) => seq > (first?.seq ?? 0))))
  const numbers = early.entries().map(({ id }) => id)
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
})

test('a workspace hears nothing of another one', async () => {
  const eve = await listen(parley.signIn({ workspaceId: 'e'.repeat(24) }), 0)
  const ann = await listen()
  await writes('three')
  await eventually(() => expect(JSON.stringify(ann.records())).toContain('three'))
  expect(eve.entries()).toEqual([])
})

test('a number that is none is refused; one that was never given leads to a fresh start', async () => {
  const ann = parley.signIn()
  expect((await ann.call('GET', '/api/events', undefined, { 'last-event-id': 'x' })).status).toBe(400)
  // In a workspace where nothing else happens.
  const ahead = await listen(parley.signIn({ workspaceId: 'd'.repeat(24) }), 999_999)
  await eventually(() => expect(ahead.entries().map(({ event }) => event)).toEqual(['reset']))
})

test('colleagues are told who looks at a conversation and who types, until they leave', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn({ role: 'viewer' })
  const { body } = await ann.call('GET', '/api/conversations')
  const [{ id }] = body.items
  const watching = await listen()
  const say = (by: typeof ann, state: string, key?: string) =>
    by.call('POST', `/api/conversations/${id}/presence`, { state }, key ? { 'idempotency-key': key } : {})
  const told = () =>
    watching.entries().flatMap(({ event, data }) => (event === 'presence' ? [presenceSchema.parse(data).members] : []))
  const annLooks = { userId: ann.userId, state: 'looking' as const }
  const bobTypes = { userId: bob.userId, state: 'typing' as const }
  expect((await say(ann, 'looking', 'same-key')).status).toBe(204)
  await say(ann, 'looking', 'same-key')
  await say(bob, 'typing')
  await say(ann, 'gone', 'same-key')
  await eventually(() => expect(told()).toEqual([[annLooks], [annLooks, bobTypes], [bobTypes]]))
  // Others may still be told of what came before; of who is there, no record says anything.
  for (const { userId } of [ann, bob]) expect(JSON.stringify(watching.records())).not.toContain(userId)
  const eve = parley.signIn({ workspaceId: 'e'.repeat(24) })
  expect((await say(eve, 'looking')).status).toBe(404)
})

test('the customer sees a member type, with the read mark of what they wrote', async () => {
  const member = parley.signIn()
  const phone = '919812340055'
  const written = await parley.simulator.call('/inbound', {
    from: phone,
    name: 'Meera Joshi',
    type: 'text',
    text: { body: 'Are you there?' },
  })
  const find = async () => {
    const { body } = await member.call('GET', '/api/conversations?q=Meera')
    expect(body.items).toHaveLength(1)
    return body.items[0].id as string
  }
  const id = await eventually(find)
  const isRead = async () => {
    const { items } = await parley.simulator.call(`/messages?to=${phone}&phone_number_id=${parley.place.phoneNumberId}`)
    return items.find((message: { id: string }) => message.id === written.id)?.status === 'read'
  }
  expect((await member.call('POST', `/api/conversations/${id}/presence`, { state: 'looking' })).status).toBe(204)
  expect(await isRead()).toBe(false)
  expect((await member.call('POST', `/api/conversations/${id}/presence`, { state: 'typing' })).status).toBe(204)
  await eventually(async () => expect(await isRead()).toBe(true))
})
