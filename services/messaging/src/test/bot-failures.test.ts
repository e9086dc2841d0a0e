import { notificationSchema } from '@parley/contracts/platform/notifications'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const worker = (workspaceId = parley.scope.workspaceId) => parley.signInProcess('automation-worker', workspaceId)
const sentence = 'A step of the bot was refused: the 24-hour window is closed.'
const bellOf = async (person: ReturnType<typeof parley.signIn>) =>
  (await person.ask('GET', '/api/notifications')).items.map((item: unknown) => notificationSchema.parse(item))

test('a bot that fails again and again is told once a day, to those who may change it', async () => {
  const bot = { id: new Types.ObjectId().toHexString(), name: 'Welcome' }
  const tell = (at: string, more: object = {}) =>
    worker().ask('POST', '/internal/bot-failures', { bot, sentence, at, ...more })
  const [today, tomorrow] = [0, 86_400_000].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 10))
  await Promise.all(Array.from({ length: 20 }, () => tell(`${today}T00:00:00.000Z`)))
  await tell(`${today}T23:59:59.000Z`, { sentence: 'Something else.' })
  const told = {
    category: 'bot',
    severity: 'error',
    title: 'Welcome could not go on',
    body: sentence,
    action: 'See its sessions',
    object: { kind: 'bot_sessions', id: bot.id },
    readAt: null,
  }
  expect(await bellOf(parley.signIn())).toMatchObject([told])
  expect(await bellOf(parley.signIn({ role: 'agent' }))).toEqual([])
  expect(await bellOf(parley.signIn({ workspaceId: new Types.ObjectId().toHexString() }))).toEqual([])
  await tell(`${tomorrow}T00:00:00.000Z`)
  expect(await bellOf(parley.signIn({ role: 'admin' }))).toHaveLength(2)
})

test('what concerns no bot alone leads to the attention list; a name of any length fits', async () => {
  const scope = { workspaceId: new Types.ObjectId().toHexString() }
  const at = new Date().toISOString()
  const name = '\u{1f375}'.repeat(60)
  await worker(scope.workspaceId).ask('POST', '/internal/bot-failures', { sentence: 'x'.repeat(500), at })
  const bot = { id: new Types.ObjectId().toHexString(), name, sample: true }
  await worker(scope.workspaceId).ask('POST', '/internal/bot-failures', { bot, sentence, at })
  const items = await bellOf(parley.signIn(scope))
  expect(items.map(({ object }: { object: { kind: string } }) => object.kind).sort()).toEqual([
    'bot_attention',
    'bot_sessions',
  ])
  const stored = parley.database.connection.collection('notifications')
  expect(await stored.countDocuments({ workspaceId: new Types.ObjectId(scope.workspaceId), sample: true })).toBe(1)
})
