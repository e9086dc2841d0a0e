import { createLogger } from '@parley/service-kit/core/logger'
import { loadMigrations, runMigrations } from '@parley/service-kit/data/migrations'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { end, flowOf, keyword, text } from './drawn-flows.ts'
import { createMessagingModel } from './messaging-model.ts'
import { startServices } from './start-services.ts'
import type { Talk } from './talk.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
let redisUrl: string
let messaging: ReturnType<typeof createMessagingModel>
let parley: ReturnType<typeof startServices>
let talk: Talk
beforeAll(async () => {
  const { urls } = inject('stack')
  ;[database, redisUrl] = await Promise.all([openTestDatabase(urls.mongodb), emptyTestRedis(urls.redis)])
  await runMigrations(database.connection, {
    migrations: await loadMigrations(`${import.meta.dirname}/../migrations`),
    logger: createLogger({ name: 'automation-test', level: 'silent' }),
    signal: new AbortController().signal,
  })
})
afterAll(() => database.drop())
beforeEach(() => {
  messaging = createMessagingModel({ now: Date.now })
  parley = startServices(messaging, { connection: database.connection, redisUrl })
  talk = messaging.open()
  return () => parley.queues.close(0)
})

/** Asks for a name, and answers with the text of this version. */
const asking = (answer: string, ask = 'ask') =>
  flowOf(
    [keyword('hi', 'hi'), { id: ask, kind: 'ask', text: 'Your name?', attribute: 'name' }, text('said', answer), end],
    [`hi next ${ask}`, `${ask} next said`, 'said next end'],
  )

const runs = () => database.connection.collection('runs')
/** Reads and works until nothing changes any more. */
async function settle(): Promise<void> {
  const { feed, runs: ofBots } = parley.services
  for (let before = -1; before !== messaging.events.length; ) {
    before = messaging.events.length
    while (await feed.readOn(messaging.workspace));
    for (const home of await runs().distinct('home', { live: true })) await ofBots.drain(Number(home))
  }
}
async function say(written: string): Promise<void> {
  messaging.say(talk, { text: written })
  await settle()
}
const texts = () => talk.sent.map((sent) => sent.text)
const outcome = async () => (await runs().findOne({ flowId: { $exists: true } }, { sort: { _id: -1 } }))?.['outcome']

test('sessions finish on the version on which they began', async () => {
  const bot = await parley.addBot(asking('The first.'))
  await say('hi')
  expect(await parley.publish(bot, asking('The second.'))).toMatchObject({ number: 2, moved: 0, ended: 0 })
  await say('Rao')
  expect(texts()).toEqual(['Your name?', 'The first.'])
  await say('hi')
  await say('Rao')
  expect(texts().at(-1)).toBe('The second.')
})

test('sessions that wait at a node of the new version move to it, and say what it says', async () => {
  const bot = await parley.addBot(asking('The first.'))
  await say('hi')
  expect(await parley.services.bots.check(parley.owner, bot)).toMatchObject({ running: 1, movable: 1 })
  expect(await parley.publish(bot, asking('The second.'), 'move')).toMatchObject({ moved: 1, ended: 0 })
  await say('Rao')
  expect(texts()).toEqual(['Your name?', 'The second.'])
  expect(await outcome()).toBe('completed')
})

test('sessions that wait at a node which the new version lacks are counted, do not move, and finish', async () => {
  const bot = await parley.addBot(asking('The first.'))
  await say('hi')
  const other = asking('The second.', 'other')
  const { problems, movable } = await parley.services.bots.check(parley.owner, bot, { draft: other })
  expect(movable).toBe(0)
  expect(problems).toContainEqual(
    expect.objectContaining({ code: 'sessions_lost', nodeId: 'ask', sentence: expect.stringContaining('1 session') }),
  )
  expect(await parley.publish(bot, other, 'move')).toMatchObject({ moved: 0, ended: 0 })
  await say('Rao')
  expect(texts()).toEqual(['Your name?', 'The first.'])
})

test.each(['ask', 'other'])(
  'sessions of older versions move as well, each from a node that its own version has (the one between waits at %s)',
  async (between) => {
    const bot = await parley.addBot(asking('The first.'))
    await say('hi')
    await parley.publish(bot, asking('The second.', between))
    const third = asking('The third.')
    expect(await parley.services.bots.check(parley.owner, bot, { draft: third })).toMatchObject({
      running: 1,
      movable: 1,
    })
    expect(await parley.publish(bot, third, 'move')).toMatchObject({ moved: 1, ended: 0 })
    await say('Rao')
    expect(texts()).toEqual(['Your name?', 'The third.'])
  },
)

test.each(['publish', 'pause'] as const)('with %s sessions may end: people have their conversations', async (by) => {
  const bot = await parley.addBot(asking('The first.'))
  await say('hi')
  if (by === 'publish')
    expect(await parley.publish(bot, asking('The second.'), 'end')).toMatchObject({ moved: 0, ended: 1 })
  else await parley.services.bots.pause(parley.owner, bot, 'end')
  await settle()
  expect([await outcome(), talk.waits, talk.owner.kind, talk.notes.length]).toEqual(['cancelled', true, 'nobody', 1])
  await say('Rao')
  expect(texts()).toEqual(['Your name?'])
})
