import { presenceSchema } from '@parley/contracts/platform/event-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { listen as listenAs } from './listen.ts'
import { joinMessaging } from './start-messaging.ts'

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
  // Nothing else happens in this workspace.
  const ahead = await listen(parley.signIn({ workspaceId: 'd'.repeat(24) }), 999_999)
  await eventually(() => expect(ahead.entries().map(({ event }) => event)).toEqual(['reset']))
})

test('a page that has slept for longer than events are kept is to read everything anew, and misses nothing from then on', async () => {
  const ann = parley.signIn()
  const awake = await listen(ann)
  await writes('before the night')
  await eventually(() => expect(JSON.stringify(awake.records())).toContain('before the night'))
  const last = awake.entries().at(-1)?.id ?? 0
  await awake.leave()
  await writes('at night')
  const { items } = await eventually(async () => {
    const list = await ann.ask('GET', '/api/conversations')
    expect(list.items[0].lastMessage.text).toBe('at night')
    return list
  })
  // All recorded events are numbered by now; the oldest is not kept.
  const events = parley.database.connection.collection('events')
  await eventually(async () => {
    expect(await events.countDocuments({ ...parley.inWorkspace, seq: { $exists: false } })).toBe(0)
    await events.deleteMany(parley.inWorkspace)
    expect(await events.countDocuments({ ...parley.inWorkspace })).toBe(0)
  })
  const again = await listen(ann, last)
  await eventually(() => expect(again.entries().map(({ event }) => event)).toEqual(['reset']))
  expect((await ann.ask('GET', `/api/conversations/${items[0].id}`)).lastMessage.text).toBe('at night')
  await writes('in the morning')
  await eventually(() => expect(JSON.stringify(again.records())).toContain('in the morning'))
})

test('colleagues are told who looks at a conversation and who types, until they leave', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn({ role: 'viewer' })
  const { body } = await ann.call('GET', '/api/conversations')
  const [{ id }] = body.items
  const watching = await listen()
  const setPresence = (by: typeof ann, state: string, key?: string) =>
    by.call('POST', `/api/conversations/${id}/presence`, { state }, key ? { 'idempotency-key': key } : {})
  const presences = () =>
    watching.entries().flatMap(({ event, data }) => (event === 'presence' ? [presenceSchema.parse(data).members] : []))
  const annLooks = { userId: ann.userId, state: 'looking' as const }
  const bobTypes = { userId: bob.userId, state: 'typing' as const }
  expect((await setPresence(ann, 'looking', 'same-key')).status).toBe(204)
  await setPresence(ann, 'looking', 'same-key')
  await setPresence(bob, 'typing')
  await setPresence(ann, 'gone', 'same-key')
  await eventually(() => expect(presences()).toEqual([[annLooks], [annLooks, bobTypes], [bobTypes]]))
  // Records of earlier events may still arrive; none of them says who is present.
  for (const { userId } of [ann, bob]) expect(JSON.stringify(watching.records())).not.toContain(userId)
  const eve = parley.signIn({ workspaceId: 'e'.repeat(24) })
  expect((await setPresence(eve, 'looking')).status).toBe(404)
})

/** A customer who has just written, and what the platform shows them since. */
async function customer(phone: string, name: string) {
  const { id: wamid } = await parley.simulator.call('/inbound', {
    from: phone,
    name,
    type: 'text',
    text: { body: 'Are you there?' },
  })
  const member = parley.signIn()
  const id = await eventually(async () => {
    const { body } = await member.call('GET', `/api/conversations?q=${name}`)
    expect(body.items).toHaveLength(1)
    return String(body.items[0].id)
  })
  const isRead = async () => {
    const { items } = await parley.simulator.call(
      `/messages?to=${phone}&phone_number_id=${parley.simulatedNumber.phoneNumberId}`,
    )
    return items.find((message: { id: string }) => message.id === wamid)?.status === 'read'
  }
  const setPresence = async (state: string) =>
    expect((await member.call('POST', `/api/conversations/${id}/presence`, { state })).status).toBe(204)
  return { isRead, setPresence }
}

/** Counts how often customers with these numbers have been shown a typing indicator, from now on. */
async function typingShown(...phones: string[]) {
  const stream = await fetch(`${parley.simulator.url}/sim/stream`)
  let text = ''
  void (async () => {
    for await (const chunk of stream.body ?? []) text += Buffer.from(chunk).toString()
  })().catch(() => undefined)
  return async () => {
    const { customers } = await parley.simulator.call('/state')
    const ids = new Set(
      customers.flatMap(({ id, phone }: { id: string; phone: string }) => (phones.includes(phone) ? id : [])),
    )
    return [...text.matchAll(/"kind":"typing".*?"customerId":"([^"]+)"/g)].filter(([, id]) => ids.has(id)).length
  }
}

test('the customer sees a member type, with the read mark of what they wrote', async () => {
  const shown = await typingShown('919812340055')
  const meera = await customer('919812340055', 'Meera')
  await meera.setPresence('looking')
  expect(await meera.isRead()).toBe(false)
  await meera.setPresence('typing')
  await eventually(async () => expect([await meera.isRead(), await shown()]).toEqual([true, 1]))
})

test('whether customers see it is the choice of the workspace, of which nobody’s change is lost', async () => {
  const path = '/api/workspace/read-receipts'
  const [ann, agent] = [parley.signIn(), parley.signIn({ role: 'agent' })]
  expect((await agent.call('GET', path)).body).toEqual({ read: true, typing: true, version: 0 })
  const save = (version: number, read: boolean, typing: boolean, by = ann) =>
    by.call('PUT', path, { read, typing, version })
  expect((await save(0, false, false, agent)).status).toBe(403)
  expect((await save(0, false, true)).body.code).toBe('validation_failed')
  const both = await Promise.all([ann, parley.signIn()].map((by) => save(0, false, false, by)))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'stale_version',
    current: { read: false, typing: false, version: 1 },
  })
  const eve = parley.signIn({ workspaceId: 'e'.repeat(24) })
  expect((await eve.call('GET', path)).body.version).toBe(0)

  const shown = await typingShown('919812340061', '919812340062', '919812340063')
  const [first, second, third] = [
    await customer('919812340061', 'Farah'),
    await customer('919812340062', 'Gauri'),
    await customer('919812340063', 'Hema'),
  ]
  await first.setPresence('typing')
  expect((await save(1, true, false)).body.version).toBe(2)
  await second.setPresence('typing')
  await eventually(async () => expect(await second.isRead()).toBe(true))
  expect((await save(2, true, true)).status).toBe(200)
  await third.setPresence('typing')
  await eventually(async () => expect([await third.isRead(), await shown()]).toEqual([true, 1]))
  expect(await first.isRead()).toBe(false)
})
