import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { defaultRatingSetting } from '@parley/contracts/inbox/ratings'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { pathOf, withChats } from './chat-fixtures.ts'
import { jobEnded } from './contact-fixtures.ts'
import { unzipped } from './files.ts'
import { none, withMerging } from './merging-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

const path = '/api/workspace/rating'
const question = 'How was it?'
let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
let chats: ReturnType<typeof withChats>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  chats = withChats(parley, ann)
})
afterAll(() => parley.stop())

const setRating = async (enabled: boolean) => {
  const { version } = await ann.ask('GET', path)
  return ann.ask('PUT', path, { enabled, question, version })
}
const reply = (conversation: Conversation) =>
  ann.ask('POST', `${pathOf(conversation)}/messages`, {
    content: { type: 'text', text: 'Here you are.' },
    clientId: new Types.ObjectId().toHexString(),
  })
const close = (conversation: Conversation) => ann.ask('PATCH', pathOf(conversation), { status: 'closed' })
const asksIn = async (conversation: Conversation) =>
  (await chats.threadOf(conversation)).filter(({ cause }: Message) => cause.kind === 'system' && cause.id === 'rating')
const stored = ({ id }: Conversation) =>
  parley.database.connection
    .collection('ratings')
    .find({ ...parley.inWorkspace, conversationId: new Types.ObjectId(id) })
    .toArray()
/** Waits until everything that has happened was read, but by the automation service: it does not run here. */
const isRead = () =>
  eventually(async () => {
    const head = await parley.database.connection
      .collection('eventHeads')
      .findOne({ _id: parley.inWorkspace.workspaceId })
    expect(head?.['due'].filter((consumer: string) => consumer !== 'automation')).toEqual([])
  })
const choose = (from: string, id: string, title: string) =>
  parley.simulator.call('/inbound', {
    from,
    type: 'interactive',
    interactive: { type: 'list_reply', list_reply: { id, title } },
  })
const ratingOf = async () => {
  const { members } = await ann.ask('GET', '/api/analytics/members')
  return members.find(({ userId }: { userId: string }) => userId === ann.userId)?.rating
}

async function askedConversation(from: string, name: string): Promise<Conversation> {
  const conversation = await chats.write(from, name, 'Hi')
  await reply(conversation)
  await close(conversation)
  await eventually(async () => expect(await asksIn(conversation)).toHaveLength(1))
  return conversation
}

test('it is off at first; who may change the workspace switches it on, never over another change', async () => {
  expect(await ann.ask('GET', path)).toEqual(defaultRatingSetting)
  const setting = { enabled: true, question, version: 0 }
  expect((await parley.signIn({ role: 'agent' }).call('PUT', path, setting)).status).toBe(403)
  const both = await Promise.all([1, 2].map(() => ann.call('PUT', path, setting)))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect(await eve.ask('GET', path)).toEqual(defaultRatingSetting)
  expect((await ann.call('PUT', path, { ...setting, question: ' ' })).body.code).toBe('validation_failed')
})

test('a closed conversation is asked about; its rating leaves it closed, waits for nobody and counts for who answered', async () => {
  const from = '919812700001'
  const conversation = await askedConversation(from, 'Asha')
  const [ask] = await asksIn(conversation)
  expect(ask).toMatchObject({ content: { type: 'interactive', text: question } })
  const options = (ask.content as Extract<Message['content'], { type: 'interactive' }>).options
  expect(options).toHaveLength(5)
  const { unreadCount } = await ann.ask('GET', pathOf(conversation))
  await choose(from, String(options[1]?.id), String(options[1]?.title))
  await eventually(async () => expect(await stored(conversation)).toMatchObject([{ score: 4, by: ann.userId }]))
  const after = await ann.ask('GET', pathOf(conversation))
  expect(after).toMatchObject({ status: 'closed', unreadCount, owner: { kind: 'nobody' } })
  expect(after).not.toHaveProperty('waitingSince')
  await isRead()
  const waits = await parley.database.connection
    .collection('answers')
    .countDocuments({ ...parley.inWorkspace, conversationId: new Types.ObjectId(conversation.id), open: true })
  expect(waits).toBe(0)
  await eventually(async () => expect(await ratingOf()).toEqual({ count: 1, average: 4 }))

  // Words that follow are kept with it, and open the conversation as every message does.
  await chats.write(from, 'Asha', 'Quick and friendly')
  await eventually(async () => expect(await stored(conversation)).toMatchObject([{ comment: 'Quick and friendly' }]))
  expect((await ann.ask('GET', pathOf(conversation))).status).toBe('open')
  const day = new Date(Date.now())
  const [first, last] = [-1, 1].map((days) => new Date(day.getTime() + days * 86_400_000).toISOString().slice(0, 10))
  const rows = await ann.ask(
    'GET',
    `/api/analytics/rows?metric=ratings&scope=member:${ann.userId}&from=${first}&to=${last}`,
  )
  expect(rows).toMatchObject({ figure: 1, items: [{ kind: 'rating', score: 4, comment: 'Quick and friendly' }] })

  // Closed again within 30 days: not asked again.
  await reply(conversation)
  await close(conversation)
  await isRead()
  expect(await stored(conversation)).toHaveLength(1)
})

test('nobody is asked without an answer of a member, outside the window, or where it is off', async () => {
  const unanswered = await chats.write('919812700002', 'Ravi', 'Hi')
  await close(unanswered)
  const late = await chats.write('919812700003', 'Mina', 'Hi')
  await reply(late)
  await parley.database.connection
    .collection('conversations')
    .updateOne({ _id: new Types.ObjectId(late.id) }, { $set: { windowExpiresAt: new Date() } })
  await close(late)
  await isRead()
  await setRating(false)
  const off = await chats.write('919812700004', 'Tara', 'Hi')
  await reply(off)
  await close(off)
  await isRead()
  for (const conversation of [unanswered, late, off]) expect(await asksIn(conversation)).toEqual([])
  await setRating(true)
})

test('a choice of another conversation rates nothing, and its queries are answered by indexes', async () => {
  const one = await askedConversation('919812700005', 'Uma')
  const other = await askedConversation('919812700006', 'Om')
  const [ask] = await stored(other)
  await choose('919812700005', `rate.${ask?._id}.1`, '1 – Bad')
  await isRead()
  for (const conversation of [one, other]) expect((await stored(conversation))[0]).not.toHaveProperty('score')
  const { ratingRecords } = parley.services
  const period = { from: new Date(0), to: new Date() }
  await expectIndexed(parley.database.connection, async () => {
    await ratingRecords.averages(parley.scope, period)
    await ratingRecords.averages(parley.scope, { ...period, by: ann.userId })
    await ratingRecords.page(parley.scope, { by: ann.userId, ...period, limit: 10 })
  })
})

test('who was merged into another contact after the question rates it all the same, and is asked once', async () => {
  const merging = withMerging(parley, ann)
  const kept = await merging.writer('919812700008', 'Hi')
  const asked = await askedConversation('919812700009', 'Leela')
  const [rating] = await stored(asked)
  const other = await merging.contact(asked.contact.id)
  await merging.merge(kept.contact, other, { ...none, account: true })
  await choose('919812700009', `rate.${rating?._id}.4`, '4 – Good')
  await eventually(async () => expect(await stored(kept.conversation)).toMatchObject([{ _id: rating?._id, score: 4 }]))
  await chats.write('919812700009', 'Leela', 'Kind people')
  await eventually(async () => expect(await stored(kept.conversation)).toMatchObject([{ comment: 'Kind people' }]))
  await reply(kept.conversation)
  await close(kept.conversation)
  await isRead()
  expect(await asksIn(kept.conversation)).toHaveLength(1)
})

test('a person is given their ratings in the file of what is stored of them, and leaves none once erased', async () => {
  const from = '919812700007'
  const conversation = await askedConversation(from, 'Gina')
  const [asked] = await stored(conversation)
  await choose(from, `rate.${asked?._id}.5`, '5 – Excellent')
  await eventually(async () => expect(await stored(conversation)).toMatchObject([{ score: 5 }]))
  await chats.write(from, 'Gina', 'Thank you')
  await eventually(async () => expect(await stored(conversation)).toMatchObject([{ comment: 'Thank you' }]))
  const { contact } = await ann.ask('GET', pathOf(conversation))
  const { id } = await ann.ask('POST', `/api/contacts/${contact.id}/export`)
  await jobEnded(ann, id)
  const file = await ann.request('GET', `/api/contact-jobs/${id}/file`)
  const parts = await unzipped(Buffer.from(await file.arrayBuffer()))
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
  const rating = { conversationId: conversation.id, askedAt: date, ratedAt: date, score: 5, comment: 'Thank you' }
  expect(JSON.parse(String(parts.get('ratings.json')))).toEqual([rating])

  await ann.ask('POST', `/api/contacts/${contact.id}/erase`, { name: contact.name })
  await eventually(async () => expect(await stored(conversation)).toEqual([]))
})
