import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createEraseMessages } from '../modules/privacy/erasure/erase-messages.ts'
import { sweepReleased } from './files.ts'
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

test('a saved reply carries a file, which lives as long as it and nothing else has it', async () => {
  const uploaded = async (colour: string): Promise<string> => {
    const content = await sharp({ create: { width: 40, height: 30, channels: 3, background: colour } })
      .png()
      .toBuffer()
    const response = await fetch(`${parley.server.url}/api/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await ann.token()}`, 'content-type': 'image/png' },
      body: new Uint8Array(content),
    })
    return JSON.parse(await response.text()).id
  }
  const isThere = async (id: string) => (await ann.call('GET', `/api/media/${id}/thumbnail`)).status === 200
  const [first, second] = [await uploaded('#3a8'), await uploaded('#3a9')]
  const fileOf = (mediaId: string, kind = 'image') => ({ mediaId, kind, fileName: 'menu.png' })
  const save = (body: object) => ann.call('POST', '/api/replies', { shortcut: 'menu', text: '', ...body })

  expect((await save({})).body.fields).toMatchObject({ text: 'Enter a text, or add a file' })
  expect((await save({ text: 'x'.repeat(1025), file: fileOf(first) })).status).toBe(400)
  expect((await save({ file: fileOf(first, 'video') })).body.fields.mediaId).toContain('video/mp4')
  expect((await save({ file: fileOf(new Types.ObjectId().toHexString()) })).body.fields.mediaId).toContain(
    'no such file',
  )
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const stolen = await stranger.call('POST', '/api/replies', { shortcut: 'x', text: '', file: fileOf(first) })
  expect(stolen.body.fields.mediaId).toContain('no such file')

  const { status, body } = await save({ file: fileOf(first) })
  expect([status, body.file]).toEqual([
    201,
    { ...fileOf(first), mimeType: 'image/png', sizeBytes: expect.any(Number), width: 40, height: 30 },
  ])
  const path = `/api/replies/${body.id}`
  // A text of 1,025 letters is too long for a caption only.
  expect((await ann.call('PATCH', path, { text: 'x'.repeat(1025), version: 1 })).status).toBe(400)
  // Sent to a customer, the first file stays when the reply gets another one.
  const conversation = await customer('919812340077')
  const content = { type: 'image', mediaId: first, caption: 'Our menu' }
  expect((await ann.call('POST', `${pathOf(conversation)}/messages`, { content })).status).toBe(201)
  const changed = await ann.call('PATCH', path, { file: fileOf(second), version: 1 })
  expect([changed.status, changed.body.file.mediaId]).toEqual([200, second])
  expect([await isThere(first), await isThere(second)]).toEqual([true, true])
  // Two replies with one file: it goes with the last of them, an hour later.
  const twin = (await save({ shortcut: 'twin', text: 'Again', file: fileOf(second) })).body
  expect((await ann.call('PATCH', `/api/replies/${twin.id}`, { file: null, version: 1 })).body.file).toBeUndefined()
  expect(await isThere(second)).toBe(true)
  expect((await ann.call('DELETE', path)).status).toBe(204)
  expect(await isThere(second)).toBe(true)
  const sweep = async (sent?: string, afterMs = 3_600_000) => {
    const flows = async () => {
      if (sent === undefined) throw new Error('Automation does not answer.')
      return sent
    }
    await sweepReleased(parley, { flows, afterMs })
    return isThere(second)
  }
  expect(await sweep('{}\n', 3_500_000)).toBe(true)
  // Somebody has uploaded it again, and not sent it yet.
  const notes = parley.database.connection.collection('releasedFiles')
  await notes.updateMany({}, { $set: { releasedAt: new Date(Date.now() - 7_200_000) } })
  expect(await uploaded('#3a9')).toBe(second)
  expect(await sweep('{}\n', 0)).toBe(true)
  expect(await sweep()).toBe(true)
  expect(await sweep('{}\n')).toBe(false)
  // What a flow sends stays.
  const third = await uploaded('#3aa')
  const last = (await save({ shortcut: 'last', file: fileOf(third) })).body
  expect((await ann.call('DELETE', `/api/replies/${last.id}`)).status).toBe(204)
  await sweep(`{"settings":{"mediaId":"${third}"}}\n`)
  expect([await isThere(first), await isThere(third)]).toEqual([true, true])
  // So does what stands on the card of a message, or of a campaign whose template has got another picture since.
  const { connection } = parley.database
  const [fourth, fifth] = [await uploaded('#3ab'), await uploaded('#3ac')]
  const workspaceId = new Types.ObjectId(parley.scope.workspaceId)
  const message = await connection.collection('messages').findOne({ workspaceId })
  const cards = [{ header: { kind: 'image', mediaId: fourth }, buttons: [] }]
  const shown = { type: 'template', cards }
  const { waMessageId: _wamid, clientId: _clientId, ...copied }: Record<string, unknown> = message ?? {}
  await connection
    .collection('messages')
    .insertOne({ ...copied, _id: new Types.ObjectId(), conversationId: new Types.ObjectId(), content: shown })
  const template = { cards: [{ headerMedia: { kind: 'image', file: { mediaId: fifth } } }] }
  await connection.collection('campaigns').insertOne({ workspaceId, template, status: 'paused', createdAt: new Date() })
  for (const mediaId of [fourth, fifth]) {
    const { id } = (await save({ shortcut: `t${mediaId.slice(-8)}`, file: fileOf(mediaId) })).body
    expect((await ann.call('DELETE', `/api/replies/${id}`)).status).toBe(204)
  }
  await sweep('{}\n')
  expect([await isThere(fourth), await isThere(fifth)]).toEqual([true, true])
  // The erasure of a customer to whom it was sent leaves the workspace its file.
  const own = (await save({ shortcut: 'own', file: fileOf(first) })).body
  const eraseMessages = createEraseMessages(connection, (work) => inTransaction(connection, work))
  await eraseMessages({ workspaceId: parley.scope.workspaceId }, { conversationIds: [conversation.id] })
  expect([await threadOf(conversation), await isThere(first)]).toEqual([[], true])
  await ann.call('DELETE', `/api/replies/${own.id}`)
  expect((await ann.call('GET', '/api/replies?q=twin')).body.items).toMatchObject([{ text: 'Again' }])
  await ann.call('DELETE', `/api/replies/${twin.id}`)
})

test('saved replies are found by shortcut and text, are unique, and two people do not overwrite each other', async () => {
  const create = (shortcut: string, text: string, by = ann) => by.call('POST', '/api/replies', { shortcut, text })
  const list = async (query = '', by = ann) =>
    (await by.call('GET', `/api/replies${query}`)).body.items.map(({ shortcut }: { shortcut: string }) => shortcut)
  const hours = (await create('Hours', 'We are open 9–6 (IST)')).body
  expect(hours).toMatchObject({ shortcut: 'hours', version: 1 })
  await create('address', 'MG Road 1')
  expect((await create('HOURS', 'again')).body.code).toBe('reply_exists')
  expect((await create('two words', 'x')).status).toBe(400)
  expect(await list()).toEqual(['address', 'hours'])
  expect(await list('?q=road')).toEqual(['address'])
  expect(await list('?q=(ist)')).toEqual(['hours'])
  expect(await list('?q=.*')).toEqual([])
  const path = `/api/replies/${hours.id}`
  const texts = ['A', 'B'].map((text) => ann.call('PATCH', path, { text, version: 1 }))
  expect((await Promise.all(texts)).map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await ann.call('PATCH', path, { shortcut: 'address', version: 2 })).body.code).toBe('reply_exists')
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect(await list('', eve)).toEqual([])
  expect((await eve.call('PATCH', path, { text: 'Mallory', version: 2 })).status).toBe(404)
  expect((await eve.call('DELETE', path)).status).toBe(404)
  expect((await parley.signIn({ role: 'viewer' }).call('DELETE', path)).status).toBe(403)
  expect((await ann.call('DELETE', path)).status).toBe(204)
  expect(await list()).toEqual(['address'])
  await expectIndexed(parley.database.connection, () => list('?q=a'))
})
