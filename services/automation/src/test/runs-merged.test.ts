import { expect, test } from 'vitest'
import { booking } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
let kept: Talk
let other: Talk
joinEach((joined) => {
  parley = joined
  kept = parley.messaging.open('Ravi')
  other = parley.messaging.open('Asha')
  parley.addBot(booking)
})

const texts = (talk: Talk) => talk.sent.map(({ text }) => text)
const say = async (talk: Talk, text: string) => {
  parley.messaging.say(talk, { text })
  await parley.settle()
}
const tap = async (talk: Talk) => {
  parley.messaging.tap(talk, 'A table')
  await parley.settle()
}
const runs = async () => (await parley.runs()).map(({ status, outcome }) => outcome ?? status)
const merge = async (back?: true) => {
  parley.messaging.people.merge(kept, other, back)
  await parley.settle()
}

test.each(['kept', 'other'])('a session of the %s contact goes on after a merge', async (whose) => {
  await say(whose === 'kept' ? kept : other, 'book')
  await merge()
  await tap(kept)
  await say(kept, 'Rao')
  expect(texts(kept)).toEqual(['What would you like?', 'In whose name?', 'A table for Rao.'])
  expect(await runs()).toEqual(['completed'])
})

test('a session whose customer does not answer after the merge ends in its time, and its conversation is free', async () => {
  await say(other, 'book')
  await merge()
  parley.messaging.pass(23 * 3_600_000 + 1)
  await parley.settle()
  expect(await runs()).toEqual(['abandoned'])
  expect(kept.owner).toEqual({ kind: 'nobody' })
})

test('what is being delivered while contacts are merged is delivered, in the thread that is kept', async () => {
  await say(other, 'book')
  parley.messaging.tap(other, 'A table')
  await parley.read()
  parley.messaging.people.merge(kept, other)
  await parley.work()
  expect(await runs()).toEqual(['working'])
  await parley.read()
  parley.messaging.pass(5000)
  await parley.settle()
  await say(kept, 'Rao')
  expect(texts(kept).at(-1)).toBe('A table for Rao.')
})

test('a session whose contact has come to a conversation of people ends', async () => {
  await say(kept, 'something')
  parley.messaging.people.reply(kept)
  await say(other, 'book')
  await merge()
  expect(await runs()).toEqual(['taken_over'])
  await say(kept, 'A table')
  expect([texts(kept), kept.owner.kind]).toEqual([['What would you like?'], 'member'])
})

test('an undone merge gives the session back to the contact that it was with', async () => {
  await say(other, 'book')
  await merge()
  await tap(kept)
  await merge(true)
  expect([kept.owner.kind, other.owner.kind]).toEqual(['nobody', 'bot'])
  await say(other, 'Rao')
  expect(texts(other)).toEqual(['A table for Rao.'])
  await say(kept, 'book')
  expect(await runs()).toEqual(['completed', 'waiting'])
})

test('an undone merge leaves the session of the kept contact, and nobody has the other thread', async () => {
  for (const talk of [kept, other]) await say(talk, 'book')
  await merge()
  expect(await runs()).toEqual(['waiting', 'superseded'])
  await merge(true)
  expect([kept.owner.kind, other.owner.kind]).toEqual(['bot', 'nobody'])
  await tap(kept)
  await say(kept, 'Rao')
  await say(other, 'book')
  expect([texts(kept).at(-1), ...(await runs())]).toEqual(['A table for Rao.', 'completed', 'superseded', 'waiting'])
})
