import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Notification } from '@parley/contracts/platform/notifications'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { pathOf, withChats } from './chat-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
type Person = ReturnType<typeof parley.signIn>
let ann: Person
let bob: Person
let cleo: Person
let chats: ReturnType<typeof withChats>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  bob = parley.signIn({ role: 'agent' })
  cleo = parley.signIn({ role: 'agent' })
  const members = await parley.members()
  await members.join(ann, 'Ann Stone')
  await members.join(bob, 'Bob Reed')
  await members.join(cleo, 'Cleo Park')
  chats = withChats(parley, ann)
})
afterAll(() => parley.stop())

const noteIn = (conversation: Conversation, note: object, by = ann) =>
  by.call('POST', `${pathOf(conversation)}/notes`, note)
const told = async (person: Person): Promise<Notification[]> =>
  (await person.ask('GET', '/api/notifications?limit=100')).items
const mentionsOf = async (person: Person): Promise<string[]> =>
  (await person.ask('GET', '/api/conversations?show=mentions')).items.map(({ id }: Conversation) => id)
const countOf = async (person: Person): Promise<number> =>
  (await person.ask('GET', '/api/conversations/summary')).views.mentions

test('whom a note mentions is told by whom and of whom, once, and has the conversation under Mentions', async () => {
  const conversation = await chats.write('919812341001', 'Asha Rao', 'Where is my parcel?')
  const note = { text: '@Bob Reed can you look?', clientId: 'mention-0001', mentions: [bob.userId, ann.userId] }
  const answers = await Promise.all([1, 2].map(() => noteIn(conversation, note)))
  for (const { status, body } of answers)
    expect([status, body.message.mentions, body.message.cause.id]).toEqual([201, [bob.userId], ann.userId])
  expect(await told(bob)).toMatchObject([
    {
      category: 'message',
      title: 'Ann Stone mentioned you',
      body: 'Asha Rao: @Bob Reed can you look?',
      object: { kind: 'conversation', id: conversation.id },
      readAt: null,
    },
  ])
  expect([await told(ann), await told(cleo)]).toEqual([[], []])
  expect([await mentionsOf(bob), await mentionsOf(ann)]).toEqual([[conversation.id], []])
  expect([await countOf(bob), await countOf(cleo)]).toEqual([1, 0])
  const stored = (await chats.threadOf(conversation)).find(
    ({ direction }: { direction: string }) => direction === 'note',
  )
  expect(stored.mentions).toEqual([bob.userId])
  // New messages, also of that customer, write no rows.
  const rows = () => parley.database.connection.collection('notifications').countDocuments(parley.inWorkspace)
  const before = await rows()
  await chats.write('919812341001', 'Asha Rao', 'Hello?')
  await eventually(async () => {
    const of = (name: string) => parley.database.connection.collection(name)
    expect(await of('events').countDocuments({ ...parley.inWorkspace, fresh: true })).toBe(0)
    const heads = { _id: parley.inWorkspace.workspaceId, due: 'notifications' }
    expect(await of('eventHeads').countDocuments(heads)).toBe(0)
  })
  expect(await rows()).toBe(before)
  await expectIndexed(parley.database.connection, () => mentionsOf(bob))
  await bob.ask('PATCH', '/api/notifications/settings', { newMessages: false })
  expect(await told(bob)).toEqual([])
  await bob.ask('PATCH', '/api/notifications/settings', { newMessages: true })
})

test('a note is refused that mentions a stranger, or too many', async () => {
  const conversation = await chats.write('919812341002', 'Ravi', 'Hi')
  const stranger = new Types.ObjectId().toHexString()
  const { status, body } = await noteIn(conversation, { text: 'See this', mentions: [stranger] })
  expect([status, body.code, Object.keys(body.fields)]).toEqual([400, 'validation_failed', ['mentions']])
  const crowd = Array.from({ length: 21 }, () => bob.userId)
  expect((await noteIn(conversation, { text: 'All', mentions: crowd })).status).toBe(400)
  expect(await chats.threadOf(conversation)).toHaveLength(1)
})

test('where agents see their own conversations alone, a mention reaches only those who see it', async () => {
  const conversation = await chats.write('919812341003', 'Mina', 'Hi')
  await ann.ask('PATCH', pathOf(conversation), { owner: { kind: 'member', id: cleo.userId } })
  const { version } = await ann.ask('GET', '/api/workspace/visibility')
  await ann.ask('PUT', '/api/workspace/visibility', { agentSees: 'own', version })
  const { body } = await noteIn(conversation, { text: 'Both of you', mentions: [bob.userId, cleo.userId] })
  expect(body.message.mentions).toEqual([cleo.userId])
  const about = async (person: Person) => (await told(person)).filter(({ object }) => object.id === conversation.id)
  expect((await about(cleo)).map(({ title }) => title)).toContain('Ann Stone mentioned you')
  expect(await about(bob)).toEqual([])
  expect([await mentionsOf(cleo), await countOf(cleo)]).toEqual([[conversation.id], 1])
  const bell = () => cleo.ask('GET', '/api/notifications')
  const { unread, total } = await bell()
  // A conversation is out of sight once another member has it.
  await ann.ask('PATCH', pathOf(conversation), { owner: { kind: 'member', id: bob.userId } })
  expect([await mentionsOf(cleo), await countOf(cleo)]).toEqual([[], 0])
  // The bell counts what it shows.
  const shown = (await about(cleo)).length
  const hidden = await bell()
  expect([shown, hidden.unread < unread, hidden.total < total]).toEqual([0, true, true])
  expect(hidden.unread).toBeLessThanOrEqual(hidden.items.length)
  await cleo.ask('POST', '/api/notifications/read', { all: true })
  expect((await bell()).unread).toBe(0)
  await ann.ask('PUT', '/api/workspace/visibility', { agentSees: 'all', version: version + 1 })
})

test('erasing a customer removes what was told of them', async () => {
  const conversation = await chats.write('919812341004', 'Zelda Quartz', 'Hi')
  await noteIn(conversation, { text: '@Bob Reed Zelda Quartz wants a refund', mentions: [bob.userId] })
  const rows = () =>
    parley.database.connection.collection('notifications').countDocuments({ 'object.id': conversation.id })
  expect(await rows()).toBe(1)
  await ann.ask('POST', `/api/contacts/${conversation.contact.id}/erase`, { name: 'Zelda Quartz' })
  await eventually(async () => expect(await rows()).toBe(0))
  expect(JSON.stringify(await told(bob))).not.toContain('Zelda')
})

test('a note is a file with its words: colleagues who see the conversation open it, and the customer gets nothing', async () => {
  const conversation = await chats.write('919812341019', 'Noor Khan', 'It came broken')
  const answer = await fetch(`${parley.server.url}/api/media`, {
    method: 'POST',
    body: new Uint8Array(Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')),
    headers: { authorization: `Bearer ${await ann.token()}`, 'content-type': 'application/pdf' },
  })
  const { id: mediaId } = JSON.parse(await answer.text())
  const file = { type: 'document', mediaId, fileName: 'Return label.pdf', caption: 'For the return' }
  const note = { file, clientId: 'file-note-0001', mentions: [bob.userId] }
  const answers = await Promise.all([1, 2].map(() => noteIn(conversation, note)))
  for (const { status, body } of answers)
    expect([status, body.message.direction, body.message.content]).toEqual([
      201,
      'note',
      expect.objectContaining({ type: 'document', fileName: 'Return label.pdf', caption: 'For the return' }),
    ])
  const notes = (await chats.threadOf(conversation)).filter(
    ({ direction }: { direction: string }) => direction === 'note',
  )
  expect(notes).toHaveLength(1)
  expect((await bob.request('GET', `/api/media/${mediaId}`)).status).toBe(200)
  expect((await told(bob))[0]).toMatchObject({ title: 'Ann Stone mentioned you', body: 'Noor Khan: For the return' })
  expect(await mentionsOf(bob)).toContain(conversation.id)
  const items = (await parley.simulator.call('/messages?limit=100')).items
  expect(JSON.stringify(items)).not.toContain('Return label.pdf')
  // Neither both, nor neither, nor a file that is not there.
  for (const wrong of [{ ...note, text: 'and words' }, {}, { file: { ...file, mediaId: 'f'.repeat(24) } }]) {
    const { status, body } = await noteIn(conversation, wrong)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
  }
})
