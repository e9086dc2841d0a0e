import type { Conversation, ConversationHistory } from '@parley/contracts/inbox/conversations'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { queryPlans } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { none, withMerging } from './merging-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
let people: ReturnType<typeof withMerging>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  people = withMerging(parley, ann)
})
afterAll(() => parley.stop())

const pathOf = ({ id }: Pick<Conversation, 'id'>) => `/api/conversations/${id}/history`
const historyOf = (conversation: Pick<Conversation, 'id'>): Promise<ConversationHistory> =>
  ann.ask('GET', pathOf(conversation))
const note = (conversation: Conversation, text: string) =>
  ann.ask('POST', `/api/conversations/${conversation.id}/notes`, { text, clientId: new Types.ObjectId().toHexString() })

/** Stores a message of a campaign as its sender leaves it. */
async function sentByCampaign({ id, numberId, contact }: Conversation, status: string, at: string): Promise<void> {
  const ids = { conversationId: id, numberId, contactId: contact.id, workspaceId: ann.workspaceId }
  const stored = Object.fromEntries(Object.entries(ids).map(([name, value]) => [name, new Types.ObjectId(value)]))
  const content = { type: 'template', name: 'tea', text: 'New tea' }
  const cause = { kind: 'campaign', id: new Types.ObjectId().toHexString() }
  const times = { sentAt: new Date(at), createdAt: new Date(at), updatedAt: new Date(at) }
  await fullConnection(parley.database.connection)
    .collection('messages')
    .insertOne({ ...stored, ...times, direction: 'outbound', content, status, statusAt: {}, cause, version: 1 })
}

test('messages of campaigns that have left count, and the first of them is the first contact', async () => {
  const { conversation } = await people.writer('919812700001', 'hello', 'are you there?')
  const before = await historyOf(conversation)
  expect(before).toMatchObject({ messages: 2, campaigns: 0, notes: [] })
  await sentByCampaign(conversation, 'read', '2026-01-05T10:00:00.000Z')
  await sentByCampaign(conversation, 'delivered', '2026-02-05T10:00:00.000Z')
  await sentByCampaign(conversation, 'queued', '2026-01-01T10:00:00.000Z')
  await sentByCampaign(conversation, 'failed', '2026-01-02T10:00:00.000Z')
  expect(await historyOf(conversation)).toEqual({
    ...before,
    messages: 4,
    campaigns: 2,
    firstContactAt: '2026-01-05T10:00:00.000Z',
  })
})

test('the latest notes stand there with their authors, without what was done with the conversation', async () => {
  const { conversation } = await people.writer('919812700002', 'hello')
  for (const text of ['first', 'second', 'third', 'fourth']) await note(conversation, text)
  await ann.ask('PATCH', `/api/conversations/${conversation.id}`, { status: 'closed' })
  const { notes } = await historyOf(conversation)
  expect(notes.map(({ text, memberId }) => [text, memberId])).toEqual(
    ['fourth', 'third', 'second'].map((text) => [text, ann.userId]),
  )
})

test('a merged conversation is answered by the one that has its messages', async () => {
  const kept = await people.writer('919812700003', 'one')
  const other = await people.writer('919812700004', 'two', 'three')
  await sentByCampaign(other.conversation, 'sent', '2026-01-05T10:00:00.000Z')
  await note(other.conversation, 'likes tea')
  await people.merge(kept.contact, other.contact, none)
  await eventually(async () => {
    const [own, moved] = [await historyOf(kept.conversation), await historyOf(other.conversation)]
    expect(own).toMatchObject({ campaigns: 1, firstContactAt: '2026-01-05T10:00:00.000Z' })
    expect(own.notes.map(({ text }) => text)).toEqual(['likes tea'])
    expect(moved).toEqual(own)
  })
})

test('nobody reads it of another workspace or after an erasure, and no key does', async () => {
  const { conversation, contact } = await people.writer('919812700005', 'hello')
  const path = pathOf(conversation)
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('GET', path)).status).toBe(404)
  expect((await parley.signIn({ role: 'viewer' }).call('GET', path)).status).toBe(200)
  const program = parley.signInProgram({ scopes: ['conversations:read'] })
  expect((await program.call('GET', path)).status).toBe(401)
  await ann.ask('POST', `/api/contacts/${contact.id}/erase`, { name: contact.name })
  await eventually(async () => expect((await ann.call('GET', path)).status).toBe(404))
})

test('opening a conversation of ten thousand messages reads no more documents than one of a hundred', async () => {
  const { write, addMessages } = withChats(parley, ann)
  const small = await write('919812700091', 'Sam Small', 'hello')
  const large = await write('919812700092', 'Lara Large', 'hello')
  await addMessages(small, 100)
  await addMessages(large, 10_000)
  /** All that the page asks for when a conversation is opened. */
  const open = async ({ id }: Pick<Conversation, 'id'>) => {
    const path = `/api/conversations/${id}`
    await Promise.all([
      ann.ask('GET', path),
      ann.ask('GET', `${path}/messages?limit=50`),
      ann.ask('GET', `${path}/history`),
    ])
    await ann.ask('PATCH', path, { read: true })
  }
  const [documents, times] = [new Map<string, number>(), new Map<string, number[]>()]
  for (const conversation of [small, large, small, large]) {
    const plans = await queryPlans(parley.database.connection, () => open(conversation))
    documents.set(
      conversation.id,
      plans.reduce((sum, plan) => sum + plan.documents, 0),
    )
  }
  for (let round = 0; round < 6; round += 1)
    for (const conversation of [small, large]) {
      const from = performance.now()
      await open(conversation)
      times.set(conversation.id, [...(times.get(conversation.id) ?? []), performance.now() - from])
    }
  const fastest = ({ id }: Conversation) => Math.min(...(times.get(id) ?? []))
  const [few = 0, many = 0] = [documents.get(small.id), documents.get(large.id)]
  const [quick, slow] = [fastest(small), fastest(large)]
  process.stdout.write(`documents ${few}, ${many}; ms ${quick}, ${slow}; ratio ${slow / quick}\n`)
  expect(few).toBeGreaterThan(0)
  expect(many / few).toBeLessThanOrEqual(1.3)
}, 120_000)
