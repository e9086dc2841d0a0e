import { expect, test } from 'vitest'
import { booking } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
let talk: Talk
joinEach((joined) => {
  parley = joined
  talk = parley.messaging.open()
})

test.each([
  ['was lost', 1],
  ['never came about', 0],
])('a claim that was tried for too long leaves the conversation to people, whether its answer %s', async (_, lost) => {
  parley.addBot(booking)
  parley.messaging.say(talk, { text: 'book' })
  await parley.read()
  // Longer than a bot waits for messaging.
  parley.messaging.pass(16 * 60_000)
  if (lost > 0) parley.messaging.loseAnswers(lost)
  else parley.messaging.fail(1)
  await parley.work()
  await parley.settle()
  expect((await parley.runs()).map(({ outcome }) => outcome)).toEqual(['failed'])
  expect(talk.owner).toEqual({ kind: 'nobody' })
  expect(talk.waits).toBe(true)
  expect(await parley.items()).toMatchObject([{ code: 'unavailable' }])
})

test('a conversation is given to people however long messaging was away', async () => {
  parley.addBot(booking)
  parley.messaging.say(talk, { text: 'book' })
  await parley.settle()
  const [run] = await parley.runs()
  await parley.service.cancel(parley.scope, String(run?._id))
  parley.messaging.fail(1)
  await parley.work()
  parley.messaging.pass(3 * 86_400_000)
  // The note is given up, the release is not.
  parley.messaging.fail(2)
  await parley.work()
  parley.messaging.pass(61_000)
  await parley.settle()
  expect((await parley.runs()).map(({ outcome }) => outcome)).toEqual(['cancelled'])
  expect([talk.owner.kind, talk.waits]).toEqual(['nobody', true])
})
