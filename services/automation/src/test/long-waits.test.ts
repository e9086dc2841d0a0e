import { expect, test } from 'vitest'
import { end, flowOf, greeting, keyword, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

const hourMs = 3_600_000

let parley: Joined
let talk: Talk
joinEach((joined) => {
  parley = joined
  talk = parley.messaging.open()
})

const texts = () => talk.sent.map((sent) => sent.text)
const say = async (written: string) => {
  parley.messaging.say(talk, { text: written })
  await parley.settle()
}
const releases = () => parley.messaging.events.filter(({ type }) => type === 'conversation.changed').length

/** Says something, waits, and asks. @param seconds of the wait. */
const remindingAfter = (seconds: number) =>
  flowOf(
    [
      keyword('later', 'later'),
      text('bye', 'Until later.'),
      { id: 'wait', kind: 'wait_time', seconds },
      { id: 'ask', kind: 'ask', text: 'Still interested?', attribute: 'interest' },
      end,
    ],
    ['later next bye', 'bye next wait', 'wait next ask', 'ask next end'],
  )

test('a session in a long wait leaves a customer whom no bot answers to people, once, and reminds them all the same', async () => {
  const { id } = parley.addBot(remindingAfter(3600))
  await say('later')
  expect([talk.owner.kind, talk.waits]).toEqual(['bot', false])
  await say('My order is broken')
  expect([talk.owner.kind, talk.waits]).toEqual(['nobody', true])
  const before = releases()
  await say('Hello?')
  expect(releases()).toBe(before)
  expect(await parley.runs()).toMatchObject([{ status: 'waiting', live: true }])
  parley.messaging.pass(hourMs)
  await parley.settle()
  expect(texts()).toEqual(['Until later.', 'Still interested?'])
  await say('Yes')
  expect(await parley.runs()).toMatchObject([{ outcome: 'completed' }])
  expect([talk.owner.kind, talk.waits]).toEqual(['nobody', true])
  const replayed = await parley.replay(parley.scope, { kind: 'bot', id }, { draft: undefined, of: { kind: 'recent' } })
  expect(replayed.items).toMatchObject([{ result: 'same' }])
})

test('a session keeps a customer who waits for a person already only for as long as it listens to them', async () => {
  parley.addBot(remindingAfter(3600))
  await say('My order is broken')
  expect(talk.waits).toBe(true)
  await say('later')
  expect(texts()).toEqual(['Until later.'])
  expect([talk.owner.kind, talk.waits]).toEqual(['nobody', true])
})

test('what a session did not listen to in a short wait is for people as soon as a long one begins', async () => {
  const waits = (id: string, seconds: number) => ({ id, kind: 'wait_time' as const, seconds })
  const nodes = [keyword('later', 'later'), text('bye', 'Until later.'), waits('short', 60), waits('long', 3600), end]
  parley.addBot(flowOf(nodes, ['later next bye', 'bye next short', 'short next long', 'long next end']))
  await say('later')
  await say('My order is broken')
  expect([talk.owner.kind, talk.waits]).toEqual(['bot', false])
  parley.messaging.pass(61_000)
  await parley.settle()
  expect([talk.owner.kind, talk.waits]).toEqual(['nobody', true])
})

test('a bot that wants the message has the conversation, and one that works at that moment leaves it when it waits again', async () => {
  parley.addBot(remindingAfter(3600))
  parley.addBot(greeting)
  await say('later')
  await say('hi')
  expect(texts()).toEqual(['Until later.', 'Hello!'])
  expect(talk.waits).toBe(false)
  expect((await parley.runs()).map(({ outcome }) => outcome)).toEqual(['superseded', 'completed'])
})

test('a customer who writes to a held session in a long wait is on the list', async () => {
  parley.addBot(remindingAfter(3600))
  await say('later')
  await parley.hold()
  await say('My order is broken')
  expect(await parley.items()).toMatchObject([{ code: 'held' }])
  const [held] = await parley.runs()
  expect(held).toMatchObject({ status: 'held' })
  await parley.service.release(parley.scope, String(held?.['_id']))
  await parley.settle()
  expect(talk.waits).toBe(true)
})

test('what people did before a session that waits for long does not end it', async () => {
  const bot = parley.addBot(remindingAfter(3600))
  parley.messaging.say(talk, { text: 'Hello' })
  parley.messaging.people.reply(talk)
  parley.messaging.people.close(talk)
  await parley.service.start(parley.scope, bot.id, talk.id)
  await parley.work()
  expect(texts()).toEqual(['Until later.'])
  await parley.settle()
  expect(await parley.runs()).toMatchObject([{ status: 'waiting' }])
  parley.messaging.people.reply(talk)
  await parley.settle()
  expect(await parley.runs()).toMatchObject([{ outcome: 'taken_over' }])
})
