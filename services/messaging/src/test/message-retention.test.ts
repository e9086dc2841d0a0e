import { keptForEver } from '@parley/contracts/inbox/message-retention'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { onPhone } from './files.ts'
import { joinMessaging } from './start-messaging.ts'
import { sendWebhook } from './webhook-fixtures.ts'

const path = '/api/workspace/message-retention'
const dayMs = 86_400_000
let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
let chats: ReturnType<typeof withChats>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  chats = withChats(parley, ann)
})
afterAll(() => parley.stop())

const of = (name: string) => parley.database.connection.collection(name)
const settings = () => of('messageRetention')
const ago = (days: number) => new Date(Date.now() - days * dayMs)
/** Lets the time pass that a setting waits. */
const letPass = () =>
  settings().updateOne(
    { ...parley.inWorkspace, next: { $exists: true } },
    { $set: { 'next.from': ago(0.01), dueAt: ago(0.01) } },
  )
const setTo = async (months: number | null) =>
  ann.ask('PUT', path, { months, version: (await ann.ask('GET', path)).version })
/** Runs the work to its end. @returns the jobs that it took. */
async function run(over?: Parameters<typeof parley.services.createOldMessageRemoval>[0]): Promise<number> {
  for (let jobs = 1; ; jobs += 1) {
    let isMore = false
    await parley.services.createOldMessageRemoval(over).perform(parley.scope, () => (isMore = true))
    if (!isMore) return jobs
  }
}
const stored = (conversationId: string) =>
  of('messages')
    .find({ conversationId: new Types.ObjectId(conversationId) })
    .sort({ sentAt: 1 })
    .toArray()
const isFound = async (word: string) => (await ann.ask('GET', `/api/messages/search?q=${word}`)).items.length > 0
/** Makes what was sent so far in a conversation older, as is its latest message. */
async function age(conversationId: string, days: number): Promise<void> {
  const _id = new Types.ObjectId(conversationId)
  await of('messages').updateMany({ conversationId: _id }, [
    { $set: { sentAt: { $subtract: ['$sentAt', days * dayMs] } } },
  ])
  await of('messageSearch').updateMany({ conversationId: _id }, [
    { $set: { at: { $subtract: ['$at', days * dayMs] } } },
  ])
  await of('conversations').updateOne({ _id }, [
    { $set: { 'lastMessage.at': { $subtract: ['$lastMessage.at', days * dayMs] } } },
  ])
}

test('owners and admins choose it, a workspace has its own, and nobody writes over another’s change', async () => {
  const other = { workspaceId: new Types.ObjectId().toHexString() }
  const [bob, cleo] = [parley.signIn(other), parley.signIn({ ...other, role: 'admin' })]
  const agent = parley.signIn({ ...other, role: 'agent' })
  expect(await agent.ask('GET', path)).toEqual(keptForEver)
  expect((await agent.call('PUT', path, { months: 3, version: 0 })).status).toBe(403)
  expect((await agent.call('GET', `${path}/preview?months=3`)).status).toBe(403)
  expect((await bob.call('PUT', path, { months: 4, version: 0 })).status).toBe(400)
  const both = await Promise.all([bob, cleo].map((member) => member.call('PUT', path, { months: 6, version: 0 })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)?.body.current).toMatchObject({ months: null, version: 1 })
  const saved = await bob.ask('GET', path)
  expect(saved).toMatchObject({ months: null, next: { months: 6 }, version: 1 })
  expect(Math.round((Date.parse(saved.next.from) - Date.now()) / dayMs)).toBe(7)
  expect(await ann.ask('GET', path)).toEqual(keptForEver)
  const again = await Promise.all([bob, cleo].map((member) => member.call('PUT', path, { months: 12, version: 1 })))
  expect(again.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('old messages go with their files and words, once the time to take it back is over', async () => {
  const [customer, picture] = [
    '919812360001',
    await sharp({ create: { width: 60, height: 40, channels: 3, background: '#a37' } })
      .png()
      .toBuffer(),
  ]
  const conversation = await chats.write(customer, 'Meera', 'zephyrword comes first')
  const image = { id: await onPhone(parley, picture, 'image/png'), caption: 'quokkaword' }
  await parley.simulator.call('/inbound', { from: customer, name: 'Meera', type: 'image', image })
  await eventually(async () => {
    const messages = await stored(conversation.id)
    expect([messages.length, messages[1]?.['mediaFetch']]).toEqual([2, undefined])
    expect([await isFound('zephyrword'), await isFound('quokkaword')]).toEqual([true, true])
  })
  await age(conversation.id, 200)
  await chats.write(customer, 'Meera', 'newword stays')
  await eventually(async () => expect(await isFound('newword')).toBe(true))
  const mediaId = String((await stored(conversation.id))[1]?.['content'].mediaId)
  expect((await ann.request('GET', `/api/media/${mediaId}`)).status).toBe(200)
  const day = ago(200).toISOString().slice(0, 10)
  const figures = () => parley.services.recountFigures(parley.scope, { day })
  const before = await figures()

  await expectIndexed(parley.database.connection, async () => {
    expect(await ann.ask('GET', `${path}/preview?months=6`)).toMatchObject({ messages: 2, exact: true })
  })
  await setTo(6)
  await run()
  expect(await stored(conversation.id)).toHaveLength(3)
  // Taken back in time, nothing goes however long it is.
  await setTo(null)
  await letPass()
  await run()
  expect(await stored(conversation.id)).toHaveLength(3)

  await setTo(6)
  await letPass()
  expect(await ann.ask('GET', path)).toMatchObject({ months: 6, next: null })
  await run()
  expect((await stored(conversation.id)).map(({ content }) => content.text)).toEqual(['newword stays'])
  expect([await isFound('zephyrword'), await isFound('quokkaword'), await isFound('newword')]).toEqual([
    false,
    false,
    true,
  ])
  expect(await of('messageSearch').countDocuments({ conversationId: new Types.ObjectId(conversation.id) })).toBe(1)
  // It goes an hour later, unless something has it still.
  const released = await of('releasedFiles').find(parley.inWorkspace).toArray()
  expect(released.map(({ mediaId: file }) => String(file))).toEqual([mediaId])
  expect(await figures()).toEqual(before)
  const entry = await of('auditEntries').findOne({
    ...parley.inWorkspace,
    'targets.kind': 'messageRetention',
    action: 'jobs.end',
  })
  expect(entry).toMatchObject({ actor: { kind: 'member', id: ann.userId }, changes: [{ field: 'done', to: 2 }] })
})

test('a conversation without messages stays with its contact, without their words', async () => {
  const customer = '919812360002'
  const { id } = await chats.write(customer, 'Meera', 'marmotword and nothing else')
  await age(id, 400)
  await setTo(12)
  await letPass()
  await run()
  expect(await stored(id)).toEqual([])
  // Pages that are open read again what they show.
  const told = await of('events')
    .find({ ...parley.inWorkspace, type: 'messages.removed' })
    .toArray()
  expect(told.map(({ data }) => data.count)).toContain(1)
  const shown = await ann.ask('GET', `/api/conversations/${id}`)
  expect([shown.lastMessage.text, shown.contact.phone]).toEqual(['No longer kept', expect.stringContaining('360002')])
  expect((await ann.ask('GET', `/api/conversations/${id}/messages`)).items).toEqual([])
  await chats.write(customer, 'Meera', 'hello again')
  await eventually(async () =>
    expect((await ann.ask('GET', `/api/conversations/${id}`)).lastMessage.text).toBe('hello again'),
  )
})

test('very many go in small transactions; what is still to leave, a file that another message has, and another workspace’s stay', async () => {
  const customer = '919812360003'
  const { id } = await chats.write(customer, 'Meera', 'one of many')
  const [first] = await stored(id)
  if (!first) throw new Error('no message')
  const { waMessageId: _waMessageId, ...fields } = first
  const copy = (more: object) => ({ ...fields, _id: new Types.ObjectId(), sentAt: ago(300), ...more })
  const elsewhere = copy({ workspaceId: new Types.ObjectId() })
  const leaving = copy({ sendLane: '999999' })
  await of('messages').insertMany([...Array.from({ length: 25 }, () => copy({})), elsewhere, leaving])
  await setTo(3)
  await letPass()
  expect(await run({ batchSize: 5, batches: 2 })).toBeGreaterThanOrEqual(3)
  expect((await stored(id)).map(({ _id }) => String(_id)).sort()).toEqual(
    [first._id, elsewhere._id, leaving._id].map(String).sort(),
  )
  await of('messages').deleteMany({ _id: { $in: [elsewhere._id, leaving._id] } })
})

test('a setting that is changed while the work is under way ends it before the next message goes', async () => {
  const customer = '919812360004'
  const { id } = await chats.write(customer, 'Meera', 'saved in the last moment')
  await age(id, 400)
  await setTo(null)
  await setTo(3)
  await letPass()
  await run({
    transaction: async (work) => {
      if ((await ann.ask('GET', path)).months !== null) await setTo(null)
      return inTransaction(parley.database.connection, work)
    },
  })
  expect(await stored(id)).toHaveLength(1)
})

test('what a number shares again is not stored where it is older than what the workspace keeps, nor are its people', async () => {
  await setTo(6)
  await letPass()
  const at = (days: number) => String(Math.floor(ago(days).getTime() / 1000))
  const [kept, gone] = ['919812360005', '919812360006']
  const write = (id: string, from: string, days: number, fields: object) => ({
    ...{ from, id: `wamid.again-${id}`, timestamp: at(days), history_context: { status: 'READ' } },
    ...fields,
  })
  const text = (body: string) => ({ type: 'text', text: { body } })
  const threads = [
    {
      id: gone,
      messages: [
        write('g1', gone, 300, text('too long ago')),
        write('g2', gone, 299, { type: 'reaction', reaction: { message_id: 'wamid.again-g1', emoji: '👍' } }),
      ],
    },
    { id: kept, messages: [write('k1', kept, 250, text('also')), write('k2', kept, 30, text('late enough'))] },
  ]
  const metadata = { display_phone_number: '918044556677', phone_number_id: parley.simulatedNumber.phoneNumberId }
  const history = [{ metadata: { phase: 1, chunk_order: 1, progress: 100 }, threads }]
  await sendWebhook(parley, { field: 'history', value: { messaging_product: 'whatsapp', metadata, history } })
  const again = { ...parley.inWorkspace, waMessageId: /^wamid\.again-/ }
  await eventually(async () => {
    expect(await of('rawEvents').countDocuments({ ...parley.inWorkspace, lane: { $exists: true } })).toBe(0)
    expect((await of('messages').find(again).toArray()).map(({ content }) => content.text)).toEqual(['late enough'])
  })
  expect(await of('parked').countDocuments(again)).toBe(0)
  const found = async (phone: string) => (await ann.ask('GET', `/api/contacts?q=${phone}`)).items.length
  expect([await found(kept), await found(gone)]).toEqual([1, 0])
})
