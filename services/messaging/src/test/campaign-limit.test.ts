import { createLogger } from '@parley/service-kit/core/logger'
import { createRedis } from '@parley/service-kit/core/redis'
import { Secret } from '@parley/service-kit/core/secret-box'
import { Types } from 'mongoose'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchCampaign,
  sendAt,
  sentBy,
} from './campaign-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

const dayMs = 24 * 3_600_000
let parley: Awaited<ReturnType<typeof startMessaging>>
let redis: ReturnType<typeof createRedis>
let templateId: string
let phones = 919_861_000_000
const created: string[] = []
beforeAll(async () => {
  parley = await startMessaging()
  await sendAt(parley, 150)
  templateId = await approvedTemplate(parley)
  const logger = createLogger({ name: 'campaign-limit', level: 'silent' })
  redis = createRedis(parley.redisUrl, { name: 'campaign-limit', logger, onRefused: () => undefined })
  return async () => {
    redis.disconnect()
    await parley.stop()
  }
})
const messages = () => parley.database.connection.collection('messages')
beforeEach(() => limitTo(40))
/** The next test begins a day later. */
afterEach(async () => {
  for (const id of created.splice(0)) await owner().call('POST', `/api/campaigns/${id}/status`, { action: 'cancel' })
  await parley.simulator.call('/reset', {})
  await messages().updateMany({}, { $unset: { limit: 1 } })
  await forgetInRedis()
})
vi.setConfig({ testTimeout: 240_000 })

const owner = () => parley.signIn()
/** Sets WhatsApp's limit, at the simulator and in the database. */
async function limitTo(messagingLimit: number | null) {
  await parley.simulator.call('/limits', { uniqueUsers: messagingLimit })
  const numbers = parley.database.connection.collection('numbers')
  await numbers.updateMany(parley.inWorkspace, { $set: { messagingLimit } })
}
const placesInRedis = () => redis.keys('portfolio:*')
async function forgetInRedis() {
  const keys = await placesInRedis()
  if (keys.length > 0) await redis.del(keys)
}
/** Moves the times of everything that was sent back by so much. */
async function earlier(ms: number) {
  for (const { _id, limit } of await messages()
    .find({ limit: { $exists: true } })
    .toArray())
    await messages().updateOne({ _id }, { $set: { 'limit.at': new Date(limit.at.getTime() - ms) } })
  await forgetInRedis()
}

async function addPeople(count: number): Promise<string[]> {
  phones += 10_000
  return addContacts(parley.database.connection, parley.scope, { count, firstPhone: phones, tags: [] })
}
/** @returns its id. */
async function createCampaign(contactIds: readonly string[], over: object = {}): Promise<string> {
  const audience = { kind: 'contacts', contactIds }
  const input = { name: 'Spring tea', audience, numberId: parley.number.id, templateId, variables: firstName }
  const { status, body } = await launchCampaign(owner(), { ...input, ...over })
  expect(status).toBe(200)
  created.push(body.id)
  return body.id
}
const change = (id: string, action: string) => owner().ask('POST', `/api/campaigns/${id}/status`, { action })
const read = (id: string) => owner().ask('GET', `/api/campaigns/${id}`)
const stateOf = (id: string, state: string) => messages().countDocuments({ 'cause.id': id, 'dispatch.state': state })
const waits = (id: string, sent: number) =>
  eventually(async () => {
    const campaign = await read(id)
    expect(campaign).toMatchObject({ status: 'active', waitsFor: 'limit', counts: { sent } })
    return campaign
  })
const done = (id: string, sent: number) =>
  eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent, failed: 0 } }))
const number = () => parley.services.numbers.read(parley.scope, parley.number.id)

test('a campaign waits where WhatsApp lets its number write to nobody else first, and goes on by itself a day later', async () => {
  const id = await createCampaign(await addPeople(100))
  const { waitsUntil, counts } = await waits(id, 40)
  expect(counts).toMatchObject({ queued: 60, failed: 0, uncertain: 0 })
  const first = await messages().findOne({ limit: { $exists: true } }, { sort: { 'limit.at': 1 } })
  expect(Date.parse(waitsUntil)).toBe(first?.['limit'].at.getTime() + dayMs)
  expect((await number())?.stopped).toBeUndefined()

  await parley.simulator.call('/reset', {})
  await limitTo(40)
  await earlier(dayMs)
  await parley.database.connection
    .collection('campaigns')
    .updateOne({ _id: new Types.ObjectId(id) }, { $set: { waitsUntil: new Date() } })
  await waits(id, 80)
  await limitTo(null)
  await done(id, 100)
  expect(await read(id)).not.toHaveProperty('waitsFor')
  expect([...(await sentBy(parley)).values()].filter((calls) => calls !== 1)).toEqual([])
})

test('Redis is emptied while it is sent: the messages know who has been counted', async () => {
  const id = await createCampaign(await addPeople(100))
  await eventually(async () => expect(await stateOf(id, 'accepted')).toBeGreaterThan(3))
  for (let times = 0; times < 5; times += 1) await forgetInRedis()
  await waits(id, 40)
  await forgetInRedis()
  expect((await change(id, 'pause')).status).toBe('paused')
  expect((await change(id, 'resume')).status).toBe('active')
  await eventually(async () => expect(await stateOf(id, 'held')).toBe(60))
  await waits(id, 40)
  // WhatsApp would have refused one more, and the number would have been stopped.
  expect((await number())?.stopped).toBeUndefined()
  expect([await stateOf(id, 'accepted'), await stateOf(id, 'held')]).toEqual([40, 60])
})

test('campaigns of all numbers of a portfolio share its limit; who was written to already needs no place', async () => {
  const simulatedNumber = await parley.simulator.call('/numbers', {
    name: 'Second',
    accountId: parley.simulatedNumber.accountId,
  })
  const second = await parley.services.numberConnection.connect(parley.scope, {
    displayName: 'Second',
    phoneNumber: simulatedNumber.displayNumber,
    phoneNumberId: simulatedNumber.phoneNumberId,
    businessAccountId: simulatedNumber.accountId,
    accessToken: new Secret(simulatedNumber.accessToken),
    graphUrl: parley.simulator.url,
    simulated: { phonePageUrl: parley.simulator.url },
  })
  await limitTo(40)
  const ids = [
    await createCampaign(await addPeople(30)),
    await createCampaign(await addPeople(30), { numberId: second.id }),
  ]
  const waiting = await eventually(async () => {
    const both = await Promise.all(ids.map(read))
    const sent = both.reduce((sum, { counts }) => sum + counts.sent, 0)
    expect([sent, ...(await Promise.all(ids.map((id) => stateOf(id, 'queued'))))]).toEqual([40, 0, 0])
    const found = both.find(({ waitsFor }) => waitsFor === 'limit')
    expect(found).toBeDefined()
    return found
  })
  const reached = await messages().find({ 'cause.id': waiting.id, 'dispatch.state': 'accepted' }).toArray()
  const again = await createCampaign(
    reached.map(({ contactId }) => String(contactId)),
    { numberId: waiting.numberId },
  )
  await done(again, reached.length)
})

/** Adds a person who has just written, and agrees to marketing. */
async function someoneWhoWrote() {
  phones += 10_000
  const [contactId = ''] = await addPeople(1)
  const from = String(phones)
  await parley.simulator.call('/inbound', {
    phone_number_id: parley.number.phoneNumberId,
    from,
    name: 'Asha',
    type: 'text',
    text: { body: 'Hi' },
  })
  const conversation = await eventually(async () => {
    const found = await conversations().findOne({
      contactId: new Types.ObjectId(contactId),
      windowExpiresAt: { $gt: new Date() },
    })
    expect(found).not.toBeNull()
    return String(found?.['_id'])
  })
  return { contactId, conversation }
}
const conversations = () => parley.database.connection.collection('conversations')

test('people are not held back: neither answers nor templates of their own wait; whose window is open needs no place', async () => {
  const id = await createCampaign(await addPeople(60))
  await waits(id, 40)
  const { contactId, conversation } = await someoneWhoWrote()
  const send = (content: Parameters<typeof parley.services.outgoing.send>[2]['content']) =>
    parley.services.outgoing.send(parley.scope, conversation, {
      content,
      cause: { kind: 'member', id: 'a'.repeat(24) },
    })
  const accepted = (messageId: string) =>
    eventually(async () => {
      const message = await messages().findOne({ _id: new Types.ObjectId(messageId) })
      expect(message?.['dispatch'].state).toBe('accepted')
      return message
    })
  await accepted((await send({ type: 'text', text: 'Hello' })).id)
  const open = await createCampaign([contactId])
  await done(open, 1)
  expect(await messages().countDocuments({ 'cause.id': open, limit: { $exists: true } })).toBe(0)

  // Their window closes. WhatsApp does not refuse these, so neither do we.
  await parley.simulator.call('/limits', { uniqueUsers: 41 })
  await conversations().updateOne({ _id: new Types.ObjectId(conversation) }, { $unset: { windowExpiresAt: 1 } })
  const { name } = await owner().ask('GET', `/api/templates/${templateId}`)
  const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Asha' }] }]
  const template = { type: 'template' as const, templateId, name, language: 'en', text: 'Hi Asha', components }
  expect(await accepted((await send(template)).id)).toHaveProperty('limit.at')
  expect(await read(id)).toMatchObject({ waitsFor: 'limit', counts: { sent: 40 } })
})

test('a number without a limit keeps no places', async () => {
  await limitTo(null)
  await forgetInRedis()
  const id = await createCampaign(await addPeople(50))
  await done(id, 50)
  expect(await messages().countDocuments({ 'cause.id': id, limit: { $exists: true } })).toBe(0)
  expect(await placesInRedis()).toEqual([])
})
