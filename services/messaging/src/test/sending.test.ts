import { once } from 'node:events'
import { createServer } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Outgoing } from '../modules/inbox/messages/outgoing-content.ts'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
})
afterAll(() => parley.stop())
beforeEach(() => parley.simulator.call('/reset', {}))

const cause = { kind: 'member', id: 'a'.repeat(24) }

let count = 0
/** A customer who has written, and may be answered. @param ending decides what the simulator does with sends. */
async function someone(ending?: string) {
  count += 1
  const from = `9198${ending === undefined ? `1235${String(count).padStart(4, '0')}` : `12${ending}`}`
  const first = await parley.simulator.call('/inbound', { from, name: 'Asha', type: 'text', text: { body: 'Hi' } })
  return eventually(async () => {
    const message = await stored({ waMessageId: first.id })
    return { from, wamid: String(first.id), firstId: String(message['_id']), id: String(message['conversationId']) }
  })
}
async function stored(filter: object): Promise<Record<string, unknown>> {
  const message = await parley.database.connection.collection('messages').findOne({ ...parley.inWorkspace, ...filter })
  expect(message).not.toBeNull()
  return message ?? {}
}
const receivedBy = async (from: string) =>
  (
    await parley.simulator.call(`/messages?phone_number_id=${parley.simulatedNumber.phoneNumberId}&to=${from}`)
  ).items.filter(({ direction }: { direction: string }) => direction === 'outbound')
const send = (id: string, content: Outgoing, more: object = {}) =>
  parley.services.outgoing.send(parley.scope, id, { content, cause, ...more })
const text = (words: string) => ({ type: 'text' as const, text: words })
const shown = async (id: string, messageId: string) => {
  const { body } = await ann.call('GET', `/api/conversations/${id}/messages`)
  return body.items.find((item: { id: string }) => item.id === messageId)
}

test('everything that can be sent leaves as it should', async () => {
  const { from, id, wamid, firstId } = await someone()
  const contents: Outgoing[] = [
    { type: 'location', latitude: 1.5, longitude: 2.5, name: 'Here' },
    { type: 'contacts', contacts: [{ name: 'Bo Li', phones: ['+491701234567'] }] },
    { type: 'interactive', text: 'Sure?', options: [{ id: 'y', title: 'Yes' }] },
    { type: 'interactive', text: 'Pick', button: 'Open', options: [{ id: '1', title: 'One' }] },
  ]
  for (const content of contents) await send(id, content)
  await send(id, text('Quoted'), { replyTo: firstId })
  await ann.call('PUT', `/api/conversations/${id}/messages/${firstId}/reaction`, { emoji: '👍' })
  await eventually(async () => expect(await receivedBy(from)).toHaveLength(6))
  const messages: { type: string; content: unknown; replyTo: string | null }[] = await receivedBy(from)
  expect(messages.find(({ type }) => type === 'reaction')?.content).toEqual({ message_id: wamid, emoji: '👍' })
  expect(messages.filter(({ type }) => type !== 'reaction').map(({ type }) => type)).toEqual([
    'location',
    'contacts',
    'interactive',
    'interactive',
    'text',
  ])
  expect(messages.find(({ type }) => type === 'text')?.replyTo).toBe(wamid)
  await eventually(async () =>
    expect(await shown(id, firstId)).toMatchObject({ reactions: [{ by: 'member', emoji: '👍' }] }),
  )
  expect(await shown(id, firstId)).not.toHaveProperty('status')
})

test('a reaction that is taken back while it is on its way leaves as taken back', async () => {
  const { id, firstId } = await someone()
  const asked: unknown[] = []
  const answer = Promise.withResolvers<void>()
  const platform = createServer(async (request, response) => {
    const body = await readText(request)
    response.setHeader('content-type', 'application/json')
    // Number and templates may be asked about meanwhile.
    if (request.method === 'GET') {
      const { authorization = '' } = request.headers
      const answer = await fetch(`${parley.number.graphUrl}${request.url}`, { headers: { authorization } })
      return void response.end(await answer.text())
    }
    asked.push(JSON.parse(body).reaction.emoji)
    await answer.promise
    response.end(JSON.stringify({ messages: [{ id: `wamid.${asked.length}` }] }))
  })
  await once(platform.listen(0, '127.0.0.1'), 'listening')
  const address = platform.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const numbers = parley.database.connection.collection('numbers')
  const testNumber = { _id: new Types.ObjectId(parley.number.id) }
  await numbers.updateOne(testNumber, { $set: { graphUrl: `http://127.0.0.1:${port}` } })
  const react = (emoji: string) => ann.call('PUT', `/api/conversations/${id}/messages/${firstId}/reaction`, { emoji })
  expect((await react('👍')).status).toBe(200)
  await eventually(() => expect(asked).toEqual(['👍']))
  expect((await react('')).status).toBe(200)
  answer.resolve()
  await eventually(() => expect(asked).toEqual(['👍', '']))
  await eventually(async () =>
    expect(await stored({ _id: new Types.ObjectId(String(firstId)) })).toMatchObject({
      dispatch: { state: 'accepted' },
    }),
  )
  expect((await shown(id, firstId)).reactions ?? []).toEqual([])
  await numbers.updateOne(testNumber, { $set: { graphUrl: parley.number.graphUrl } })
  platform.close()
})

test('messages to one customer keep their order, beyond ten they wait for their turn', async () => {
  const { from, id } = await someone()
  for (let index = 1; index <= 12; index += 1) await send(id, text(String(index)))
  await eventually(async () => {
    const bodies = (await receivedBy(from)).map(({ content }: { content: { body: string } }) => content.body)
    expect(bodies).toEqual(Array.from({ length: 12 }, (_, index) => String(index + 1)))
  })
})

test('a number that the platform calls too fast goes on by itself', async () => {
  const { from, id } = await someone('429001')
  await send(id, text('patience'))
  await eventually(async () => expect(await receivedBy(from)).toHaveLength(1))
  expect(await stored({ 'content.text': 'patience' })).toMatchObject({ dispatch: { lastError: { code: 130429 } } })
})

test('a send of which nobody can tell whether it left is never sent again; its status settles it', async () => {
  const { from, id } = await someone('500003')
  const message = await send(id, text('in doubt'))
  await eventually(async () =>
    expect(await shown(id, message.id)).toMatchObject({ dispatch: 'accepted', status: 'read' }),
  )
  expect(await receivedBy(from)).toHaveLength(1)
})

test('doubt that lasts is told to people', async () => {
  const { id } = await someone()
  const numberIds = { numberId: parley.number.id, phone: parley.simulatedNumber.phoneNumberId }
  await parley.simulator.call('/inject', {
    numberId: numberIds.phone,
    trigger: { kind: 'next', count: 1 },
    effect: { kind: 'not_json' },
  })
  const message = await send(id, text('lost'))
  await eventually(async () => expect(await shown(id, message.id)).toMatchObject({ dispatch: 'uncertain' }))
  expect(await shown(id, message.id)).not.toHaveProperty('error')
  // A quarter of an hour later.
  const past = { 'dispatch.uncertainAt': new Date(Date.now() - 16 * 60_000) }
  await parley.database.connection
    .collection('messages')
    .updateOne({ ...parley.inWorkspace, 'content.text': 'lost' }, { $set: past })
  await eventually(async () => expect(await shown(id, message.id)).toMatchObject({ error: { title: 'Not confirmed' } }))
})

test('a token that dies stops the number, not the messages; a new one sends them', async () => {
  const { from, id } = await someone()
  const { accessToken: token } = parley.simulatedNumber
  await parley.simulator.call('/token/expire', { token })
  const message = await send(id, text('waits'))
  const number = () => parley.services.numbers.read(parley.scope, parley.number.id)
  await eventually(async () => expect((await number())?.stopped).toMatchObject({ code: 190 }))
  await eventually(async () =>
    expect(await shown(id, message.id)).toMatchObject({ status: 'queued', dispatch: 'queued' }),
  )
  await parley.simulator.call('/token/restore', { token })
  await parley.database.connection.collection('numbers').updateOne(parley.inWorkspace, { $unset: { stopped: '' } })
  await eventually(async () => expect(await receivedBy(from)).toHaveLength(1))
})

test('a reply that is refused with a code that stops templates alone has failed, and holds up nothing', async () => {
  const { from, id } = await someone()
  const trigger = { kind: 'next', count: 1 }
  await parley.simulator.call('/inject', { trigger, effect: { kind: 'error', code: 131042 } })
  const unpaid = await send(id, text('unpaid'))
  await send(id, text('after it'))
  await eventually(async () =>
    expect(await shown(id, unpaid.id)).toMatchObject({ status: 'failed', error: { code: 131042 } }),
  )
  await eventually(async () => expect(await receivedBy(from)).toHaveLength(1))
  await parley.database.connection.collection('numbers').updateOne(parley.inWorkspace, { $unset: { stopped: '' } })
})

test('a number of which a failed message tells that it may not send is stopped; what failed before it was mended is not', async () => {
  const numbers = parley.database.connection.collection('numbers')
  const number = () => parley.services.numbers.read(parley.scope, parley.number.id)
  const { id } = await someone('131042')
  const message = await send(id, text('unpaid'))
  await eventually(async () => expect(await shown(id, message.id)).toMatchObject({ status: 'failed' }))
  await eventually(async () => expect((await number())?.stopped).toMatchObject({ code: 131042 }))

  await numbers.updateOne(parley.inWorkspace, { $unset: { stopped: '' }, $set: { status: 'active' } })
  const late = { numberId: parley.number.id, code: 131042, reason: 'unpaid', at: new Date(Date.now() - 3600_000) }
  await parley.services.numbers.stopForFailure(parley.scope, late)
  expect((await number())?.stopped).toBeUndefined()
})

test('a scheduled message leaves at its time, and can be seen until then', async () => {
  const { from, id } = await someone()
  const message = await send(id, text('later'), { sendAt: new Date(Date.now() + 3600_000) })
  expect(message).toMatchObject({ dispatch: 'held', sendAt: expect.any(String) })
  expect(await receivedBy(from)).toEqual([])
  await parley.database.connection
    .collection('messages')
    .updateOne({ ...parley.inWorkspace, 'content.text': 'later' }, { $set: { 'dispatch.notBefore': new Date() } })
  await eventually(async () => expect(await receivedBy(from)).toHaveLength(1))
  await expect(send(id, text('x'), { sendAt: new Date(0) })).rejects.toMatchObject({ code: 'validation_failed' })
})

test('a reply that reaches no WhatsApp waits since it was written, however often it has been tried', async () => {
  const { from, id } = await someone()
  const numbers = parley.database.connection.collection('numbers')
  const own = { _id: new Types.ObjectId(parley.number.id) }
  const ageOf = async () => (await parley.services.sendAges.waitingSince([laneOf(parley.number.id)])).send
  const { id: messageId } = await send(id, text('is anybody there?'))
  await eventually(async () => expect(await receivedBy(from)).toHaveLength(1))
  expect(messageId).toBeDefined()
  await numbers.updateOne(own, { $set: { graphUrl: 'http://127.0.0.1:9' } })
  try {
    await send(id, text('nobody there'))
    const tried = () => stored({ 'content.text': 'nobody there' })
    await eventually(async () => expect(await tried()).toMatchObject({ dispatch: { state: 'queued', attempts: 2 } }))
    expect(await ageOf()).toEqual((await tried())['sentAt'])
  } finally {
    await numbers.updateOne(own, { $set: { graphUrl: parley.number.graphUrl } })
  }
  await eventually(async () => expect(await receivedBy(from)).toHaveLength(2))
  await eventually(async () => expect(await ageOf()).toBe(undefined))
})
