import { type CampaignCost, campaignCostApi } from '@parley/contracts/campaigns/campaign-cost'
import { recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import type { NewRateCard } from '@parley/contracts/usage/rate-cards'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addContacts, approvedTemplate, eventually, firstName, launchCampaign, sendAt } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

const dayMs = 86_400_000
let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 150)
  const hours = (await owner().call('GET', '/api/workspace/sending-hours')).body
  await owner().call('PUT', '/api/workspace/sending-hours', { ...hours, limited: false, zone: 'UTC' })
  templateId = await approvedTemplate(parley)
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const owner = () => parley.signIn()
const price = (country: string, priceMicros: number) => ({ country, category: 'marketing' as const, priceMicros })
async function addPrices(fromToday: number, { currency, rates }: Pick<NewRateCard, 'currency' | 'rates'>) {
  const effectiveFrom = new Date(Date.now() + fromToday * dayMs).toISOString().slice(0, 10)
  const { status } = await owner().call('POST', '/api/workspace/rate-cards', { effectiveFrom, currency, rates })
  expect(status).toBe(201)
}

const firstPhones = { IN: 919_861_000_000, DE: 4_915_112_345_670 }
/** Adds this number of people in each country. @returns their tag. */
async function people(counts: Record<keyof typeof firstPhones, number>): Promise<string> {
  const tag = `t${new Types.ObjectId().toHexString()}`
  for (const country of ['IN', 'DE'] as const) {
    if (counts[country] === 0) continue
    firstPhones[country] += 10
    const { connection } = parley.database
    const who = { count: counts[country], firstPhone: firstPhones[country], tags: [tag] }
    await addContacts(connection, parley.scope, who)
  }
  return tag
}
const audienceOf = (tag: string) => ({ kind: 'tags', tags: [tag] })
async function campaignTo(tag: string): Promise<string> {
  const input = { numberId: parley.number.id, templateId, variables: firstName }
  const made = await launchCampaign(owner(), { ...input, name: 'Tea', audience: audienceOf(tag) })
  expect(made.status).toBe(200)
  return made.body.id
}
const countsOf = async (id: string) => (await owner().call('GET', `/api/campaigns/${id}`)).body.counts
const costOf = async (id: string): Promise<CampaignCost> =>
  campaignCostApi.read.response.parse((await owner().call('GET', `/api/campaigns/${id}/cost`)).body)

test('without prices it says so and still counts; with some, what was charged is what was planned for the same people', async () => {
  const before = await campaignTo(await people({ IN: 2, DE: 0 }))
  await eventually(async () => expect(await countsOf(before)).toMatchObject({ delivered: 2 }))
  expect(await costOf(before)).toEqual({
    planned: null,
    charged: [],
    lines: [{ country: 'IN', category: 'marketing', count: 2, charge: null }],
    unpriced: 2,
    free: 0,
    unrecorded: 0,
    hasPrices: false,
  })

  await addPrices(0, { currency: 'INR', rates: [price('IN', 882_503), price('DE', 9_000_001)] })
  const tag = await people({ IN: 3, DE: 2 })
  const id = await campaignTo(tag)
  const planned = { currency: 'INR', micros: 3 * 882_503 + 2 * 9_000_001, unpriced: 0 }
  expect((await costOf(id)).planned).toEqual(planned)
  await eventually(async () => expect(await countsOf(id)).toMatchObject({ delivered: 5 }))
  const cost = await costOf(id)
  expect(cost).toMatchObject({ planned, charged: [{ currency: 'INR', micros: planned.micros }], hasPrices: true })
  expect(
    cost.lines.map(({ country, count, charge }) => ({ country, count, priceMicros: charge?.priceMicros })),
  ).toEqual([
    { country: 'IN', count: 3, priceMicros: 882_503 },
    { country: 'DE', count: 2, priceMicros: 9_000_001 },
  ])

  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('GET', `/api/campaigns/${id}/cost`)).body.code).toBe('not_found')
  expect((await owner().call('GET', '/api/campaigns/none/cost')).status).toBe(404)
  await expectIndexed(parley.database.connection, () => costOf(id))
})

test('each message is charged once, at the price of the day of its delivery; free and untold ones are counted', async () => {
  await addPrices(1, { currency: 'USD', rates: [price('IN', 10_700)] })
  // The statuses of the messages are sent by this test, not by the simulator.
  await parley.simulator.call('/ladder', { sentMs: 600_000, deliveredMs: 600_000, readMs: 600_000, jitterMs: 0 })
  const id = await campaignTo(await people({ IN: 5, DE: 2 }))
  await eventually(async () => expect(await countsOf(id)).toMatchObject({ sent: 7, delivered: 0 }))
  const [plain, readFirst, tomorrows, free, untold] = await messagesOf(id, '+91')
  const [german, unpriced] = await messagesOf(id, '+49')
  const none = { charged: [], lines: [], unpriced: 0, free: 0, unrecorded: 0 }
  expect(await costOf(id)).toMatchObject(none)

  const [today, tomorrow] = [new Date(), new Date(Date.now() + dayMs)]
  const billed = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' }
  await sendStatus(plain, 'delivered', today, billed)
  await sendStatus(plain, 'delivered', today, billed)
  await sendStatus(readFirst, 'read', tomorrow, billed)
  await sendStatus(tomorrows, 'delivered', tomorrow, billed)
  await sendStatus(free, 'delivered', today, { ...billed, billable: false, type: 'free_entry_point' })
  await sendStatus(german, 'delivered', today, billed)
  await sendStatus(unpriced, 'delivered', tomorrow, billed)
  await eventually(async () => expect(await costOf(id)).toMatchObject({ free: 1, unpriced: 1 }))
  expect((await costOf(id)).charged).toContainEqual({ currency: 'USD', micros: 2 * 10_700 })
  await sendStatus(readFirst, 'delivered', today, billed)
  await sendStatus(readFirst, 'read', tomorrow, billed)

  const inr = (priceMicros: number, count: number) => ({ currency: 'INR', priceMicros, micros: count * priceMicros })
  const line = (country: string, count: number, charge: object | null) =>
    expect.objectContaining({ country, category: 'marketing', count, charge })
  const expected = {
    charged: expect.arrayContaining([
      { currency: 'INR', micros: 2 * 882_503 + 9_000_001 },
      { currency: 'USD', micros: 10_700 },
    ]),
    lines: expect.arrayContaining([
      line('IN', 2, inr(882_503, 2)),
      line('DE', 1, inr(9_000_001, 1)),
      line('IN', 1, { currency: 'USD', priceMicros: 10_700, micros: 10_700 }),
      line('DE', 1, null),
    ]),
    unpriced: 1,
    free: 1,
  }
  await eventually(async () => expect(await costOf(id)).toMatchObject(expected))
  expect((await costOf(id)).lines).toHaveLength(4)

  // A message of an older version has no row that names its campaign.
  await sendStatus(untold, 'delivered', today, billed)
  const rows = parley.database.connection.collection('usage')
  const messageId = new Types.ObjectId(untold?.id)
  await eventually(async () => expect(await rows.findOne({ messageId })).not.toBeNull())
  await rows.updateOne({ messageId }, { $unset: { campaignId: 1, country: 1 } })
  await eventually(async () => expect(await costOf(id)).toMatchObject({ ...expected, unrecorded: 1 }))

  // A count that missed a change is repeated when a member reads the cost.
  const { connection } = parley.database
  const campaignId = new Types.ObjectId(id)
  const missed = { $set: { tallies: {}, countedAt: new Date(Date.now() - 60_000) } }
  await connection.collection('campaignBlocks').updateMany({ campaignId }, missed)
  await connection.collection('campaignTotals').updateMany({ campaignId }, missed)
  await eventually(async () => expect(await costOf(id)).toMatchObject({ unrecorded: 1 }))
})

interface Sent {
  readonly id: string
  readonly wamid: string
  readonly to: string
}

/** A campaign's messages to numbers that begin like this, as the platform knows them. */
async function messagesOf(campaignId: string, beginning: string): Promise<Sent[]> {
  const { body } = await owner().call('GET', `/api/campaigns/${campaignId}/recipients`)
  const { items } = await parley.simulator.call(`/messages?phone_number_id=${parley.number.phoneNumberId}`)
  const sent: { id: string; callbackData: string }[] = items
  return recipientsApi.list.response.parse(body).items.flatMap(({ id, phone }) => {
    const wamid = sent.find(({ callbackData }) => callbackData === id)?.id
    return wamid !== undefined && phone?.startsWith(beginning) ? [{ id, wamid, to: phone.slice(1) }] : []
  })
}

/** Sends a status as the platform would. */
async function sendStatus(message: Sent | undefined, status: string, at: Date, pricing: object): Promise<void> {
  if (!message) throw new Error('there are fewer messages than this test needs')
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const update = { id: message.wamid, status, timestamp, recipient_id: message.to, pricing }
  const metadata = { display_phone_number: '1', phone_number_id: parley.simulatedNumber.phoneNumberId }
  const value = {
    messaging_product: 'whatsapp',
    metadata,
    statuses: [{ ...update, biz_opaque_callback_data: message.id }],
  }
  const entry = [{ id: parley.simulatedNumber.accountId, time: 1_767_225_600, changes: [{ field: 'messages', value }] }]
  const body = { object: 'whatsapp_business_account', entry }
  await parley.simulator.call('/webhook/raw', { account_id: parley.simulatedNumber.accountId, body })
}
