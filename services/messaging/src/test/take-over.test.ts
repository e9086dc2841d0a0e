import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { released } from '../modules/inbox/conversations/ownership.ts'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { interleave, withBots } from './take-over.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
let bob: typeof ann
let bots: ReturnType<typeof withBots>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  bob = parley.signIn({ role: 'agent' })
  const members = await parley.members()
  await members.join(ann, 'Ann Stone')
  await members.join(bob, 'Bob Reed')
  bots = withBots(parley)
})
afterAll(async () => {
  bots.close()
  await parley.stop()
})

const byId = ({ id }: { id: string }) => ({ _id: new Types.ObjectId(id) })
const path = ({ id }: { id: string }) => `/api/conversations/${id}`
/** A conversation that a bot has, and a message of it that waits for its turn. */
async function withQueued() {
  const conversation = await bots.customer()
  const epoch = (await bots.claim(conversation)) ?? 0
  await bots.holdTurn(conversation, 600_000)
  const sent = await bots.say(conversation, epoch)
  await eventually(async () => expect((await bots.messageOf(conversation, sent.id)).dispatch?.slotTaken).toBe(true))
  return { conversation, epoch, sent }
}
const shown = async (conversation: { id: string }, id: string) =>
  (await ann.ask('GET', `${path(conversation)}/messages`)).items.find((message: { id: string }) => message.id === id)

test('a colleague writes from the phone: the bot’s queued message stays, it owns nothing, and the phone holds the conversation', async () => {
  const { conversation, epoch, sent } = await withQueued()
  await bots.echo(conversation.phone)
  await eventually(async () =>
    expect(await bots.read(conversation)).toMatchObject({ owner: { kind: 'nobody' }, ownerEpoch: epoch + 1 }),
  )
  const { personAt } = await bots.read(conversation)
  await bots.endHold(conversation, sent.id)
  expect(Date.now() - (personAt?.getTime() ?? 0)).toBeLessThan(3_600_000)
  await eventually(async () =>
    expect(await shown(conversation, sent.id)).toMatchObject({
      status: 'failed',
      dispatch: 'cancelled',
      error: { title: 'A colleague was faster' },
    }),
  )
  expect(await bots.claim(conversation)).toBeUndefined()
  // Only a person sends it again.
  const again = await ann.call('POST', `${path(conversation)}/messages/${sent.id}/retry`)
  expect(again.status).toBe(200)
  await eventually(async () => expect(await bots.arrived(conversation.phone)).toContain('From the bot'))
  await ann.ask('PATCH', path(conversation), { status: 'closed' })
  expect(await bots.read(conversation)).not.toHaveProperty('personAt')
  await ann.ask('PATCH', path(conversation), { status: 'open' })
  expect(await bots.claim(conversation)).toBeGreaterThan(epoch)
})

test('what a bot has said before it lets go still leaves; the customer waits again, unread, where it hands over', async () => {
  const { conversation, sent } = await withQueued()
  const records = parley.database.connection.collection('conversations')
  const { set, unset } = released(await bots.read(conversation), { attention: true }, new Date())
  expect(await bots.read(conversation)).not.toHaveProperty('waitingSince')
  await records.updateOne(byId(conversation), { $set: set, $unset: unset })
  expect(await bots.read(conversation)).toMatchObject({
    owner: { kind: 'nobody' },
    unreadCount: 1,
    waitingSince: expect.any(Date),
  })
  await bots.endHold(conversation, sent.id)
  await eventually(async () => expect(await shown(conversation, sent.id)).toMatchObject({ dispatch: 'accepted' }))
  // Whatever another bot says to them: they wait for a person.
  expect(released(await bots.read(conversation), { resolved: true }, new Date()).set).not.toHaveProperty('unreadCount')
})

test('what a customer writes while a person holds the conversation waits for a person, whatever a bot says later', async () => {
  const { database, simulator } = parley
  const records = database.connection.collection('conversations')
  const hours = 3_600_000
  const botId = 'b'.repeat(24)
  let calls = 0
  const session = async (conversation: { id: string }) => {
    calls += 1
    const [last] = (await ann.ask('GET', `${path(conversation)}/messages?limit=1`)).items
    const { body } = await parley.signInProcess('automation-worker').call('POST', '/internal/actions', {
      conversationId: conversation.id,
      by: { kind: 'bot', id: botId, runId: 'a'.repeat(24) },
      actions: [
        { key: `held.run.${calls}`, type: 'claim', botId },
        { key: `held.say.${calls}`, type: 'send', content: { type: 'text', text: 'We are open from 9.' } },
        { key: `held.end.${calls}`, type: 'release', resolved: true, completed: true, upTo: last.id },
      ],
    })
    expect(body.results).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }, { outcome: 'done' }])
  }
  const writes = async (conversation: { id: string; phone: string }, unread: number) => {
    await simulator.call('/inbound', { from: conversation.phone, type: 'text', text: { body: 'It is still broken' } })
    await eventually(async () => expect(await bots.read(conversation)).toMatchObject({ unreadCount: unread }))
  }
  const waits = { owner: { kind: 'nobody' }, forPersonSince: expect.any(Date), waitingSince: expect.any(Date) }

  const onPhone = await bots.customer()
  await bots.echo(onPhone.phone)
  await eventually(async () => expect(await bots.read(onPhone)).toHaveProperty('personAt'))
  expect(await bots.read(onPhone)).not.toHaveProperty('waitingSince')
  await writes(onPhone, 2)
  // They wrote an hour after the colleague, who was to answer, and write again when that one's day is over.
  const now = Date.now()
  const earlier = { personAt: new Date(now - 25 * hours), waitingSince: new Date(now - 24 * hours) }
  await records.updateOne(byId(onPhone), { $set: earlier })
  await writes(onPhone, 3)
  await session(onPhone)
  expect(await bots.read(onPhone)).toMatchObject({ ...waits, unreadCount: 3, waitingSince: earlier.waitingSince })
  // A person answers: bots have it to themselves again.
  await ann.ask('POST', `${path(onPhone)}/messages`, { content: { type: 'text', text: 'We send another one.' } })
  expect(await bots.read(onPhone)).not.toHaveProperty('forPersonSince')

  // A message that came only when the day was over is a bot's.
  const later = await bots.customer()
  await records.updateOne(byId(later), { $set: { personAt: new Date(now - 25 * hours) } })
  await session(later)
  expect(await bots.read(later)).toMatchObject({ unreadCount: 0 })
  expect(await bots.read(later)).not.toHaveProperty('forPersonSince')

  // A member who gives it away unanswered leaves it to people.
  const given = await bots.customer()
  await ann.ask('PATCH', path(given), { owner: { kind: 'member' } })
  await ann.ask('PATCH', path(given), { owner: { kind: 'nobody' } })
  await session(given)
  expect(await bots.read(given)).toMatchObject({ ...waits, unreadCount: 1 })
  await ann.ask('PATCH', path(given), { owner: { kind: 'member' } })
  await ann.ask('PATCH', path(given), { status: 'closed' })
  expect(await bots.read(given)).not.toHaveProperty('forPersonSince')
})

test('what nobody has asked for does not answer the customer: they wait as before', async () => {
  const conversation = await bots.customer()
  const { waitingSince } = await bots.read(conversation)
  expect(waitingSince).toBeInstanceOf(Date)
  const send = (priority: number) =>
    parley.services.outgoing.send(parley.scope, conversation.id, {
      content: { type: 'text', text: 'Your parcel is on its way.' },
      cause: { kind: 'workflow', id: 'a'.repeat(24) },
      priority,
    })
  await send(1)
  expect((await bots.read(conversation)).waitingSince).toEqual(waitingSince)
  await send(0)
  expect(await bots.read(conversation)).not.toHaveProperty('waitingSince')
})

test('a scheduled message of a member ends a bot’s turn and leaves a colleague theirs', async () => {
  const [ofBot, ofBob] = [await bots.customer(), await bots.customer()]
  const text = { content: { type: 'text', text: 'As agreed' }, sendAt: new Date(Date.now() + 3_600_000).toISOString() }
  for (const conversation of [ofBot, ofBob]) await ann.ask('POST', `${path(conversation)}/messages`, text)
  await bots.claim(ofBot)
  await bob.ask('PATCH', path(ofBob), { owner: { kind: 'member' } })
  const due = { $set: { 'dispatch.notBefore': new Date(), sentAt: new Date() } }
  await parley.database.connection
    .collection('messages')
    .updateMany({ ...parley.inWorkspace, sendLane: 'scheduled' }, due)
  for (const conversation of [ofBot, ofBob])
    await eventually(async () => expect(await bots.arrived(conversation.phone)).toContain('As agreed'))
  expect((await bots.read(ofBot)).owner).toEqual({ kind: 'member', id: ann.userId })
  expect((await bots.read(ofBob)).owner).toEqual({ kind: 'member', id: bob.userId })
})

test('at whatever moment a person takes part, no message of a bot leaves that was due later', async () => {
  const tally = await interleave(parley, { ann, bob }, 100)
  expect(tally.late).toBe(0)
  expect(tally.heldOff).toBeGreaterThan(10)
})

test('with a bot and round robin each conversation is the bot’s or a member’s, never both', async () => {
  const { scope, services, number } = parley
  await services.setAutomationState(scope, { active: true, numberIds: [number.id], routingVersion: 1 })
  const { version } = await ann.ask('GET', '/api/workspace/assignment')
  const members = [ann.userId, bob.userId]
  await ann.ask('PUT', '/api/workspace/assignment', { mode: 'round_robin', members, version })
  const records = parley.database.connection.collection('conversations')
  async function round(index: number) {
    const conversation = await bots.customer()
    const isOver = () =>
      records.updateOne(
        { ...byId(conversation), assignment: { $exists: true } },
        { $set: { 'assignment.at': new Date() } },
      )
    const pass = async () => {
      await wait(randomInt(0, 300))
      return index % 2 ? services.assignment.releaseToAssignment(scope, [conversation.id]) : isOver()
    }
    const claimed = await Promise.all([wait(randomInt(0, 300)).then(() => bots.claim(conversation)), pass()])
    if (claimed[0] === undefined) {
      await eventually(async () => expect((await bots.read(conversation)).owner.kind).toBe('member'))
      return 'member'
    }
    return conversation
  }
  const ends: Awaited<ReturnType<typeof round>>[] = []
  for (let batch = 0; batch < 5; batch += 1)
    ends.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => round(index)))))
  await eventually(async () => expect(await services.assignment.due()).toEqual([]))
  const claimed = ends.filter((end) => end !== 'member')
  expect(claimed.length).toBeGreaterThan(0)
  for (const conversation of claimed)
    expect(await bots.read(conversation)).toMatchObject({ owner: { kind: 'bot' }, ownerEpoch: 1 })
  // No member was assigned a conversation that a bot has had.
  const assignedCount = await parley.database.connection
    .collection('messages')
    .countDocuments({ ...parley.inWorkspace, 'cause.id': 'assignment' })
  expect(assignedCount).toBe(ends.length - claimed.length)
})

test('a conversation that its member has left for the set hours is the bots’ again, until somebody writes', async () => {
  const { services, scope, number, database } = parley
  const state = { active: true, numberIds: [number.id] }
  const version = (await services.automationStates.read(scope))?.routingVersion ?? 0
  await services.setAutomationState(scope, { ...state, returnHours: 2, routingVersion: version + 1 })
  const conversation = await bots.customer()
  const records = database.connection.collection('conversations')
  const hoursAgo = (hours: number) => ({ $set: { memberAt: new Date(Date.now() - hours * 3_600_000) } })
  const botId = 'b'.repeat(24)
  let calls = 0
  const claim = async () => {
    calls += 1
    const { body } = await parley.signInProcess('automation-worker').call('POST', '/internal/actions', {
      conversationId: conversation.id,
      by: { kind: 'bot', id: botId, runId: 'a'.repeat(24) },
      actions: [{ key: `left.run.${calls}`, type: 'claim', botId }],
    })
    return body.results[0].code ?? body.facts.snapshot.conversation.owner.kind
  }
  await ann.ask('PATCH', path(conversation), { owner: { kind: 'member' } })
  expect(await claim()).toBe('conversation_taken')
  await records.updateOne(byId(conversation), hoursAgo(1.9))
  expect(await claim()).toBe('conversation_taken')
  await records.updateOne(byId(conversation), hoursAgo(2))
  expect(await claim()).toBe('bot')
  await ann.ask('POST', `${path(conversation)}/messages`, { content: { type: 'text', text: 'I am back.' } })
  expect(await claim()).toBe('conversation_taken')
  await records.updateOne(byId(conversation), hoursAgo(3))
  const text = { body: 'And now?' }
  await parley.simulator.call('/inbound', { from: conversation.phone, type: 'text', text })
  const events = database.connection.collection('events')
  const last = () =>
    events.findOne(
      { ...parley.inWorkspace, type: 'message.changed', 'data.said.text': 'And now?' },
      { sort: { _id: -1 } },
    )
  await eventually(async () => expect(await last()).toMatchObject({ snapshot: { conversation: { held: false } } }))
  await services.setAutomationState(scope, { ...state, active: false, routingVersion: version + 2 })
  expect(await claim()).toBe('conversation_taken')
})
