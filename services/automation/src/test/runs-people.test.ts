import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { newId } from '@parley/service-kit/data/plain'
import { expect, test } from 'vitest'
import { maxInbox } from '../modules/runs/inputs.ts'
import { anyMessage, booking, end, flowOf, greeting, keyword, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
let talk: Talk
joinEach((joined) => {
  parley = joined
  talk = parley.messaging.open()
})

const texts = () => talk.sent.map(({ text }) => text)
const say = async (written: string) => {
  parley.messaging.say(talk, { text: written })
  await parley.settle()
}

test('a person who writes has the conversation: the session ends, and no message of it follows', async () => {
  parley.addBot(booking)
  await say('book')
  parley.messaging.people.reply(talk)
  parley.messaging.tap(talk, 'A table')
  await parley.settle()
  expect(texts()).toEqual(['What would you like?'])
  expect((await parley.runs())[0]).toMatchObject({ outcome: 'taken_over' })
  parley.messaging.people.close(talk)
  await say('book')
  expect(texts()).toEqual(['What would you like?', 'What would you like?'])
})

test('a person takes over between the step and its delivery: nothing passes', async () => {
  parley.addBot(booking)
  await say('book')
  parley.messaging.tap(talk, 'A table')
  await parley.read()
  parley.messaging.people.phone(talk)
  await parley.settle()
  expect(texts()).toEqual(['What would you like?'])
  expect((await parley.runs())[0]).toMatchObject({ outcome: 'taken_over' })
})

test('what people did before a session has the conversation does not end it', async () => {
  parley.addBot(booking)
  parley.messaging.say(talk, { text: 'book' })
  await parley.read()
  parley.messaging.people.phone(talk)
  parley.messaging.people.close(talk)
  await parley.settle()
  expect(texts()).toEqual(['What would you like?'])
  expect((await parley.runs())[0]).toMatchObject({ status: 'waiting', holds: true })
})

test('a conversation that its member has left for the set hours is the bots’ again, with a new session', async () => {
  parley.addBot(booking)
  await say('book')
  parley.messaging.people.reply(talk)
  await say('book')
  expect(texts()).toHaveLength(1)
  parley.messaging.people.leave(talk)
  await say('book')
  expect(texts()).toEqual(['What would you like?', 'What would you like?'])
  expect(await parley.runs()).toMatchObject([{ outcome: 'taken_over' }, { status: 'waiting', holds: true }])
})

test('a customer who asks for a person gets one, at any point, with the text and a note', async () => {
  parley.addBot(booking)
  await say('book')
  await say('a human please')
  expect(texts().at(-1)).toMatch(/colleague/)
  expect([talk.waits, talk.owner.kind]).toEqual([true, 'nobody'])
  expect(talk.notes.join()).toContain('asks for a person')
  expect((await parley.runs())[0]).toMatchObject({ outcome: 'handed_over' })
})

test('an erased customer ends the session, and nothing of what they said is kept; merged ones go on as one', async () => {
  parley.addBot(booking)
  await say('book')
  parley.messaging.tap(talk, 'A table')
  await parley.settle()
  const kept = parley.messaging.open('Ravi')
  const by = { kind: 'user' as const }
  parley.messaging.emit(talk, {
    type: 'contact.merged',
    by,
    data: { contactId: kept.contactId, otherId: talk.contactId },
  })
  await parley.settle()
  parley.messaging.say(kept, { text: 'Rao' })
  await parley.settle()
  expect(kept.sent.map(({ text }) => text)).toEqual(['A table for Rao.'])
  talk = parley.messaging.open()
  await say('book')
  parley.messaging.emit(talk, {
    type: 'contact.erased',
    by,
    data: { contactId: talk.contactId, conversationIds: [talk.id] },
  })
  await parley.settle()
  const last = (await parley.runs()).at(-1)
  expect(last).toMatchObject({ outcome: 'cancelled', inbox: [], state: { session: {}, lastAnswer: '' } })
  expect(JSON.stringify(last)).not.toMatch(/Asha|98123/)
})

test('a session that a colleague ends goes to people, one that begins by hand at its trigger', async () => {
  const bot = parley.addBot(booking)
  parley.messaging.say(talk, { text: 'something' })
  parley.messaging.people.assign(talk)
  await parley.settle()
  const taken = { code: 'conversation_taken' }
  await expect(parley.service.start(parley.scope, bot.id, talk.id)).rejects.toMatchObject(taken)
  parley.messaging.people.close(talk)
  await parley.settle()
  const run = await parley.service.start(parley.scope, bot.id, talk.id)
  await parley.settle()
  expect(texts()).toEqual(['What would you like?'])
  await expect(parley.service.start(parley.scope, bot.id, talk.id)).rejects.toMatchObject({
    code: 'conversation_taken',
  })
  await parley.service.cancel(parley.scope, run.id)
  await parley.settle()
  expect(talk.waits).toBe(true)
  expect((await parley.service.read(parley.scope, run.id)).run).toMatchObject({ outcome: 'cancelled' })
  await expect(parley.service.cancel(parley.scope, run.id)).rejects.toMatchObject({ code: 'wrong_state' })
})

test('a session that a restore has held takes what was written meanwhile when it is released, and ends in its time', async () => {
  parley.addBot(booking)
  parley.messaging.say(talk, { text: 'book' })
  await parley.settle()
  await parley.hold()
  parley.messaging.tap(talk, 'A table')
  await parley.settle()
  expect([texts().length, (await parley.items())[0]]).toMatchObject([1, { code: 'held' }])
  const [held] = await parley.runs()
  await parley.service.release(parley.scope, String(held?.['_id']))
  await parley.settle()
  expect(texts()).toHaveLength(2)
  expect((await parley.runs())[0]).toMatchObject({ status: 'waiting', inbox: [] })
  await parley.hold()
  parley.messaging.pass(60 * 86_400_000)
  await parley.settle()
  expect((await parley.runs())[0]).toMatchObject({ status: 'ended', outcome: 'cancelled' })
  expect(talk.waits).toBe(true)
})

test('a paused bot is given no conversation', async () => {
  const bot = parley.addBot(booking)
  parley.pause(bot)
  const refused = { code: 'wrong_state', message: 'The bot is paused. Start it first.' }
  await expect(parley.service.start(parley.scope, bot.id, talk.id)).rejects.toMatchObject(refused)
  expect(await parley.runs()).toEqual([])
})

test('a message that another bot has not answered either goes to people, and starts nothing again', async () => {
  const quiet = [
    { id: 'given', kind: 'handed_over' as const },
    { id: 'tag', kind: 'add_tag' as const, tag: 'quiet' },
  ]
  const { id: botId } = parley.addBot(flowOf([...quiet, end], ['given next tag', 'tag next end']))
  parley.addBot(flowOf([anyMessage, { id: 'to', kind: 'go_to_bot', botId }], ['any next to']))
  parley.messaging.say(talk, { text: 'Hello?' })
  await parley.settle()
  expect(talk.waits).toBe(true)
  expect(await parley.runs()).toMatchObject([{ status: 'ended', outcome: 'completed' }])
})

test('a message that is followed by a pause and nothing else goes to people at the end', async () => {
  const pause = { id: 'pause', kind: 'wait_time' as const, seconds: 60 }
  parley.addBot(flowOf([keyword('later', 'later'), pause, end], ['later next pause', 'pause next end']))
  const answering = [keyword('soon', 'soon'), { ...pause, id: 'short' }, text('hello', 'Hello!'), end]
  parley.addBot(flowOf(answering, ['soon next short', 'short next hello', 'hello next end']))
  const other = parley.messaging.open()
  parley.messaging.say(talk, { text: 'later' })
  parley.messaging.say(other, { text: 'soon' })
  await parley.settle()
  expect([talk.waits, other.waits]).toEqual([false, false])
  parley.messaging.pass(61_000)
  await parley.settle()
  expect([talk.waits, other.waits, other.sent.length]).toEqual([true, false, 1])
})

test('a customer who asks for a person during a pause gets one, and what else they write waits for its end', async () => {
  const pause = { id: 'pause', kind: 'wait_time' as const, seconds: 240 }
  parley.addBot(
    flowOf([keyword('hi', 'hi'), pause, text('hello', 'Hello!'), end], ['hi next pause', 'pause next hello']),
  )
  parley.messaging.say(talk, { text: 'hi' })
  await parley.settle()
  await say('are you there')
  expect([talk.waits, (await parley.runs())[0]?.['status']]).toEqual([false, 'waiting'])
  await say('agent please')
  expect(talk.waits).toBe(true)
  expect((await parley.runs())[0]).toMatchObject({ status: 'ended', outcome: 'handed_over' })
})

/** Has a session at work with a message that waits behind that, and lets no answer of messaging come through. */
async function withWaiting(written: string, meanwhile: () => unknown): Promise<void> {
  parley.addBot(booking)
  parley.addBot(greeting)
  await say('book')
  parley.messaging.tap(talk, 'A table')
  await parley.read()
  await meanwhile()
  parley.messaging.say(talk, { text: written })
  await parley.read()
}

test('what waits in a session is for people where another takes the conversation', async () => {
  const by = { kind: 'workflow' as const, id: newId(), runId: newId() }
  const claim = { key: newId(), type: 'claim' as const, botId: by.id }
  const body = { conversationId: talk.id, by, chain: [], actions: [claim] }
  await withWaiting('Rao', () => parley.messaging.ask(parley.scope, messagingInternalApi.actions, { body }))
  expect([(await parley.runs())[0]?.['inbox'], talk.waits]).toMatchObject([{ length: 2 }, false])
  await parley.settle()
  expect(await parley.runs()).toMatchObject([{ outcome: 'taken_over', inbox: [] }])
  expect(talk.waits).toBe(true)
})

test.each([
  ['its answer was refused', 0],
  ['its answer was given', 1],
])('what opens a closed conversation while a session is at work begins anew: %s', async (_, lost) => {
  await withWaiting('hi', async () => {
    parley.messaging.loseAnswers(lost)
    if (lost > 0) await parley.work()
    parley.messaging.people.close(talk)
  })
  parley.messaging.pass(5000)
  await parley.settle()
  expect((await parley.runs()).map(({ outcome }) => outcome)).toEqual(['taken_over', 'completed'])
  expect(texts().at(-1)).toBe('Hello!')
  expect(talk.waits).toBe(false)
})

test('of two who become one what waits in the session that ends is for people', async () => {
  parley.addBot(booking)
  const kept = parley.messaging.open('Ravi')
  for (const one of [kept, talk]) parley.messaging.say(one, { text: 'book' })
  await parley.settle()
  parley.messaging.tap(talk, 'A table')
  await parley.read()
  const data = { contactId: kept.contactId, otherId: talk.contactId }
  parley.messaging.emit(talk, { type: 'contact.merged', by: { kind: 'user' }, data })
  await parley.settle()
  expect((await parley.runs()).map(({ outcome }) => outcome ?? 'live')).toEqual(['live', 'superseded'])
  expect(kept.waits).toBe(true)
})

test('a session that is full of messages hears that the customer opts out', async () => {
  const pause = { id: 'pause', kind: 'wait_time' as const, seconds: 60 }
  const nodes = [keyword('later', 'later'), text('wait', 'One moment.'), pause, text('hello', 'Hello!'), end]
  parley.addBot(flowOf(nodes, ['later next wait', 'wait next pause', 'pause next hello', 'hello next end']))
  parley.messaging.say(talk, { text: 'later' })
  await parley.read()
  for (let index = 0; index < maxInbox + 1; index += 1) parley.messaging.say(talk, { text: `And ${index}` })
  parley.messaging.say(talk, { text: 'STOP', command: 'opt_out' })
  while (await parley.read());
  expect((await parley.items()).map(({ code }) => code)).toEqual(['inbox_full'])
  await parley.settle()
  parley.messaging.pass(61_000)
  await parley.settle()
  expect(await parley.runs()).toMatchObject([{ outcome: 'cancelled', code: 'opted_out' }])
  expect(texts()).toEqual(['One moment.'])
})
