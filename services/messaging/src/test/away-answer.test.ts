import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { pathOf, withChats } from './chat-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

const path = '/api/workspace/opening-hours'
const text = 'We are closed and answer tomorrow.'
let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
let chats: ReturnType<typeof withChats>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  chats = withChats(parley, ann)
})
afterAll(() => parley.stop())

const dayMs = 86_400_000
const setHours = async (open: boolean, awayAnswer = text) => {
  const { version } = await ann.ask('GET', path)
  const days = [-1, 0, 1].map((day) => new Date(Date.now() + day * dayMs).toISOString().slice(0, 10))
  const hours = { timeZone: 'UTC', spans: [], closedOn: open ? [] : days, awayAnswer, version }
  return ann.ask('PUT', path, hours)
}
const isAway = ({ cause }: Message) => cause.kind === 'system' && cause.id === 'away'
const answersIn = async (conversation: Conversation) => (await chats.threadOf(conversation)).filter(isAway)
/** Has everything read that was written until now. */
const isRead = () =>
  eventually(async () => {
    const { connection } = parley.database
    const workspaceId = parley.inWorkspace.workspaceId
    const head = await connection.collection('eventHeads').findOne({ _id: workspaceId })
    expect(head?.['due']).not.toContain('away-answer')
  })

test('who writes outside the hours is answered once until the next opening, and waits for a person as before', async () => {
  await setHours(false)
  const conversation = await chats.write('919812490001', 'Asha', 'Are you there?')
  await eventually(async () => expect(await answersIn(conversation)).toHaveLength(1))
  const [answer] = await answersIn(conversation)
  expect(answer).toMatchObject({ direction: 'outbound', content: { type: 'text', text } })
  await eventually(async () => expect((await answersIn(conversation))[0]?.status).toMatch(/sent|delivered|read/))
  const current = await ann.ask('GET', pathOf(conversation))
  expect(current).toMatchObject({ status: 'open', owner: { kind: 'nobody' }, waitingSince: expect.any(String) })
  await chats.write('919812490001', 'Asha', 'Hello?')
  const another = await chats.write('919812490002', 'Ravi', 'And for me?')
  await eventually(async () => expect(await answersIn(another)).toHaveLength(1))
  expect(await answersIn(conversation)).toHaveLength(1)
})

test('within the hours, without a text, and where a bot answers nothing is sent', async () => {
  await setHours(true)
  const open = await chats.write('919812490003', 'Mina', 'Hi')
  await setHours(false, '')
  const silent = await chats.write('919812490004', 'Tara', 'Hi')
  await isRead()
  await setHours(false)
  const state = { active: true, numberIds: [parley.number.id], routingVersion: 2 }
  await parley.services.setAutomationState(parley.scope, state)
  const bots = await chats.write('919812490005', 'Anil', 'Hi')
  // One that a member has is no bot's.
  const members = await chats.write('919812490006', 'Uma', 'Hi')
  await ann.ask('PATCH', pathOf(members), { owner: { kind: 'member', id: ann.userId } })
  await chats.write('919812490006', 'Uma', 'Hello?')
  await eventually(async () => expect(await answersIn(members)).toHaveLength(1))
  for (const conversation of [open, silent, bots]) expect(await answersIn(conversation)).toEqual([])
  await parley.services.setAutomationState(parley.scope, { ...state, active: false, routingVersion: 3 })
})

test('what no bot wants is answered so too: once it is passed on, or the minute of the bots is over', async () => {
  await setHours(false)
  const state = { active: true, numberIds: [parley.number.id], routingVersion: 4 }
  await parley.services.setAutomationState(parley.scope, state)
  const pass = (...passed: string[]) =>
    parley.signInProcess('automation-worker').call('POST', '/internal/events/read', { upTo: 0, passed })
  const passed = await chats.write('919812490011', 'Nia', 'Hi')
  const botId = 'b'.repeat(24)
  const answered = await chats.write('919812490012', 'Raj', 'Hi')
  const content = { type: 'text', text: 'Welcome' }
  await parley.signInProcess('automation-worker').call('POST', '/internal/actions', {
    by: { kind: 'bot', id: botId, runId: 'a'.repeat(24) },
    conversationId: answered.id,
    actions: [
      { key: 'answer.1', type: 'claim', botId },
      { key: 'answer.2', type: 'send', content },
      { key: 'answer.3', type: 'release', resolved: true },
    ],
  })
  await isRead()
  expect([await answersIn(passed), await answersIn(answered)]).toEqual([[], []])
  await pass(passed.id, answered.id)
  expect([(await answersIn(passed)).length, (await answersIn(answered)).length]).toEqual([1, 0])
  await pass(passed.id)
  expect(await answersIn(passed)).toHaveLength(1)
  await (await parley.members()).join(ann, 'Ann Stone')
  const rule = { mode: 'round_robin', members: [ann.userId] }
  const { version } = await ann.ask('PUT', '/api/workspace/assignment', { ...rule, version: 0 })
  const late = await chats.write('919812490013', 'Ela', 'Hi')
  await isRead()
  expect(await answersIn(late)).toEqual([])
  // The bots' minute is over.
  const records = parley.database.connection.collection('conversations')
  const isOfLate = { ...parley.inWorkspace, 'assignment.state': 'waits' }
  await eventually(async () => expect(await records.countDocuments(isOfLate)).toBe(1))
  await records.updateMany(isOfLate, { $set: { 'assignment.at': new Date() } })
  await eventually(async () => expect(await answersIn(late)).toHaveLength(1))
  await ann.ask('PUT', '/api/workspace/assignment', { mode: 'off', members: [], version })
  await parley.services.setAutomationState(parley.scope, { ...state, active: false, routingVersion: 5 })
})

test('a blocked contact gets none, and holds up nobody', async () => {
  const conversation = await chats.write('919812490007', 'Eve', 'Hi')
  await eventually(async () => expect(await answersIn(conversation)).toHaveLength(1))
  await parley.database.connection
    .collection('messages')
    .deleteMany({ ...parley.inWorkspace, clientId: { $exists: true } })
  await parley.database.connection
    .collection('contacts')
    .updateMany({ ...parley.inWorkspace, name: 'Eve' }, { $set: { blocked: true } })
  await parley.simulator.call('/inbound', { from: '919812490007', name: 'Eve', type: 'text', text: { body: 'Hi?' } })
  const other = await chats.write('919812490008', 'Om', 'Hi')
  await eventually(async () => expect(await answersIn(other)).toHaveLength(1))
  expect(await answersIn(conversation)).toEqual([])
})

test('its query is answered by an index, and a long text is refused', async () => {
  const { services, scope, database } = parley
  const conversation = await chats.write('919812490009', 'Ina', 'Hi')
  await expectIndexed(database.connection, () => services.messageRecords.byClientId(scope, conversation.id, 'away:1'))
  const hours = await ann.ask('GET', path)
  expect((await ann.call('PUT', path, { ...hours, awayAnswer: 'x'.repeat(1001) })).body.code).toBe('validation_failed')
})
