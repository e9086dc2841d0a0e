import { campaignReviewSchema } from '@parley/contracts/campaigns/campaign-drafts'
import { maxRateCards, type NewRateCard } from '@parley/contracts/usage/rate-cards'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addContacts, approvedTemplate, firstName, reviewDraft, scheduledIn } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

const path = '/api/workspace/rate-cards'
const dayMs = 86_400_000
let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

/** Days of UTC, which the workspaces of this file keep to. */
const day = (from: number) => new Date(Date.now() + from * dayMs).toISOString().slice(0, 10)
const card = (over: Partial<NewRateCard> = {}): NewRateCard => ({
  effectiveFrom: day(0),
  currency: 'INR',
  rates: [
    { country: 'IN', category: 'marketing', priceMicros: 882_500 },
    { country: 'DE', category: 'utility', priceMicros: 60_000 },
  ],
  ...over,
})

async function newcomer() {
  const ann = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  await keepUtc(ann)
  return ann
}
async function keepUtc(person: ReturnType<typeof parley.signIn>): Promise<void> {
  const { body } = await person.call('GET', '/api/workspace/sending-hours')
  expect((await person.call('PUT', '/api/workspace/sending-hours', { ...body, zone: 'UTC' })).status).toBe(200)
}

test('prices are added from a day on, never before today and never twice; what has begun stays', async () => {
  const ann = await newcomer()
  expect((await ann.call('GET', path)).body).toEqual({ items: [] })
  const today = await ann.call('POST', path, card({ source: 'Price list of November' }))
  expect([today.status, today.body.coming]).toEqual([201, false])
  const later = await ann.call('POST', path, card({ effectiveFrom: day(3), currency: 'USD' }))
  expect(later.body).toMatchObject({ coming: true, currency: 'USD', rates: card().rates })
  expect((await ann.call('GET', path)).body.items).toEqual([later.body, today.body])
  for (const [effectiveFrom, words] of [
    [day(-1), /must start today or later/],
    [day(3), /There are prices from this day on already/],
  ] as const) {
    const { status, body } = await ann.call('POST', path, card({ effectiveFrom }))
    expect([status, body.code, body.message]).toEqual([409, 'wrong_state', expect.stringMatching(words)])
  }
  expect((await ann.call('DELETE', `${path}/${today.body.id}`)).body.code).toBe('wrong_state')
  expect((await ann.call('DELETE', `${path}/${later.body.id}`)).status).toBe(204)
  expect((await ann.call('DELETE', `${path}/${later.body.id}`)).status).toBe(404)
  expect((await ann.call('GET', path)).body.items).toEqual([today.body])
  await expectIndexed(parley.database.connection, () => ann.call('GET', path))
})

test('two people who add prices for the same day: one is told', async () => {
  const ann = await newcomer()
  const bob = parley.signIn({ workspaceId: ann.workspaceId })
  const answers = await Promise.all([ann, bob].map((member) => member.call('POST', path, card())))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
})

test('of several who add prices at once no more are taken than there is room for', async () => {
  const ann = await newcomer()
  const cards = parley.database.connection.collection('rateCards')
  const stored = (at: number) => ({ ...card({ effectiveFrom: day(at) }), createdAt: new Date() })
  const workspaceId = new Types.ObjectId(ann.workspaceId)
  await cards.insertMany(Array.from({ length: maxRateCards - 1 }, (_, at) => ({ workspaceId, ...stored(at) })))
  const add = (at: number) => ann.call('POST', path, card({ effectiveFrom: day(maxRateCards + at) }))
  const answers = await Promise.all([add(0), add(1), add(2)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  expect((await ann.call('GET', path)).body.items).toHaveLength(maxRateCards)
})

test('another workspace neither sees nor removes them; who may not change settings may read them', async () => {
  const [ann, stranger] = await Promise.all([newcomer(), newcomer()])
  const { body } = await ann.call('POST', path, card({ effectiveFrom: day(5) }))
  expect((await stranger.call('GET', path)).body.items).toEqual([])
  expect((await stranger.call('DELETE', `${path}/${body.id}`)).status).toBe(404)
  const agent = parley.signIn({ workspaceId: ann.workspaceId, role: 'agent' })
  expect((await agent.call('GET', path)).body.items).toHaveLength(1)
  expect((await agent.call('POST', path, card())).status).toBe(403)
  expect((await agent.call('DELETE', `${path}/${body.id}`)).status).toBe(403)
})

test('a campaign is priced for exactly those whom its review counts, by country, with the prices of its day', async () => {
  const owner = parley.signIn()
  await keepUtc(owner)
  const templateId = await approvedTemplate(parley)
  const tag = `t${new Types.ObjectId().toHexString()}`
  const add = (firstPhone: number, count: number, over = {}) =>
    addContacts(parley.database.connection, parley.scope, { count, firstPhone, tags: [tag], over })
  await add(919_861_000_000, 5)
  await add(918_861_000_000, 4)
  await add(4_915_112_345_670, 3)
  // Canada and the United States have one calling code; to numbers of the latter WhatsApp delivers no marketing.
  await add(16_135_550_120, 2)
  await add(14_155_550_120, 1)
  await add(919_862_000_000, 6, { optIn: { marketing: 'out', source: 'manual', at: new Date() } })
  await add(919_863_000_000, 7, { blocked: true })
  await add(919_864_000_000, 2, { phone: undefined, waUserId: undefined })
  await add(919_865_000_000, 3, { lastMarketingAt: new Date() })
  const question = { audience: { kind: 'tags', tags: [tag] }, templateId, recentDays: 7 }
  const { body: preview } = await owner.call('POST', '/api/campaigns/preview', question)
  const draft = { ...question, name: 'Tea', numberId: parley.number.id, variables: firstName }
  const costOf = async (over: object = {}) => {
    const made = await owner.ask('POST', '/api/campaigns', { ...draft, ...over })
    return campaignReviewSchema.parse((await reviewDraft(owner, made)).body).cost
  }
  const unpriced = await costOf()
  expect(unpriced).toEqual({
    card: null,
    lines: [
      { country: 'IN', count: 9, priceMicros: null },
      { country: 'DE', count: 3, priceMicros: null },
      { country: 'CA', count: 2, priceMicros: null },
    ],
  })
  expect(preview).toMatchObject({ reachable: 14, excluded: { countryRestricted: 1 } })

  await owner.call('POST', path, card())
  const other = { country: 'other', category: 'marketing' as const, priceMicros: 3_000_000 }
  await owner.call('POST', path, card({ effectiveFrom: day(2), currency: 'USD', rates: [other] }))
  const now = await costOf()
  expect(now?.card).toEqual({ effectiveFrom: day(0), currency: 'INR' })
  // Germany has a price for another category alone.
  expect(now?.lines.map(({ priceMicros }) => priceMicros)).toEqual([882_500, null, null])
  const later = await costOf({ schedule: scheduledIn(3 * 1440, 'UTC') })
  expect(later?.card).toEqual({ effectiveFrom: day(2), currency: 'USD' })
  expect(later?.lines.map(({ priceMicros }) => priceMicros)).toEqual([3_000_000, 3_000_000, 3_000_000])
  await expectIndexed(parley.database.connection, costOf, { fewSorted: true })
})
