import { expect, test } from 'vitest'
import { up } from '../migrations/0420-flow-days.ts'
import { countRuns, refigured } from './counted-runs.ts'
import { booking, end, flowOf, keyword, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
const database = joinEach((joined) => {
  parley = joined
})

type Flow = ReturnType<Joined['addBot']>
const greeting = flowOf([keyword('hi', 'hi'), text('hello', 'Hello!'), end], ['hi next hello', 'hello next end'])
const days = () => database().database.connection.collection('flowDays')
const shown = async ({ id }: Flow) => (await parley.figuresOf(parley.scope, [id])).get(id)
const expectExact = async (flow: Flow) => expect(await shown(flow)).toEqual(refigured(await parley.runs(), flow.id))
const say = async (talk: Talk, words: string) => {
  parley.messaging.say(talk, { text: words })
  await parley.settle()
}

/** Sessions that end in each way, and some that live; what is counted in between changes nothing. */
async function live(isCounted: boolean): Promise<[Flow, Flow]> {
  const count = async () => {
    if (isCounted) await Promise.all([countRuns(parley), countRuns(parley)])
  }
  const [hi, book] = [parley.addBot(greeting), parley.addBot(booking)]
  const talks = Array.from({ length: 12 }, (_, index) => parley.messaging.open(`Person ${index}`))
  for (const talk of talks.slice(0, 5)) await say(talk, 'hi')
  await count()
  // The first after its end was counted, the second before.
  parley.messaging.people.reply(talks[0] as Talk)
  await say(talks[1] as Talk, 'hi')
  parley.messaging.people.reply(talks[1] as Talk)
  parley.messaging.people.reply(talks[1] as Talk)
  await parley.settle()
  for (const talk of talks.slice(5)) await say(talk, 'book')
  await count()
  const [cancelled, merged, kept, erased, taken] = talks.slice(5) as [Talk, Talk, Talk, Talk, Talk]
  const run = (await parley.runs()).find(({ contactId }) => String(contactId) === cancelled.contactId)
  await parley.service.cancel(parley.scope, String(run?._id))
  const by = { kind: 'user' as const }
  const ids = { contactId: kept.contactId, otherId: merged.contactId }
  parley.messaging.emit(merged, { type: 'contact.merged', by, data: ids as never })
  const gone = { contactId: erased.contactId, conversationIds: [erased.id] }
  parley.messaging.emit(erased, { type: 'contact.erased', by, data: gone as never })
  parley.messaging.people.reply(taken)
  await parley.settle()
  await count()
  return [hi, book]
}

test.each([false, true])('figures are those of the rows, whether they are counted or not: %s', async (isCounted) => {
  const [hi, book] = await live(isCounted)
  await expectExact(hi)
  await expectExact(book)
  expect(await shown(hi)).toEqual({ running: 0, begun: 6, ended: 6, resolved: 3, succeeded: 6 })
  expect(await shown(book)).toMatchObject({ begun: 7 })
  expect((await shown(book))?.running).toBeGreaterThan(0)

  await Promise.all([countRuns(parley), countRuns(parley), countRuns(parley)])
  await expectExact(hi)
  await expectExact(book)
  const parts = await days()
    .find({ workspaceId: (await parley.runs())[0]?.['workspaceId'] })
    .toArray()
  expect(new Set(parts.map(({ part }) => part))).toEqual(new Set(['sum']))
  const other = database().join()
  expect(await other.figuresOf(other.scope, [hi.id, book.id])).toEqual(new Map())
})

test('the counts are made anew from the runs that were there before, done twice even, and go on', async () => {
  const [hi, book] = await live(true)
  const talk = parley.messaging.open('Late')
  await say(talk, 'hi')
  const { db } = database().database.connection
  if (!db) throw new Error('there is no database')
  await days().deleteMany({})
  await db.collection('runs').updateMany({}, { $unset: { talliedAs: 1 } })
  await up(db)
  await up(db)
  await expectExact(hi)
  await countRuns(parley)
  parley.messaging.people.reply(talk)
  await say(parley.messaging.open('Latest'), 'hi')
  await expectExact(hi)
  await expectExact(book)
  await countRuns(parley)
  await expectExact(hi)
  await expectExact(book)
})
