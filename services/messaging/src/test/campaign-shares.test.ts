import { Types } from 'mongoose'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { addContacts, approvedTemplate, eventually, firstName, launchCampaign, sendAt } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
let phones = 919_871_000_000
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 60)
  templateId = await approvedTemplate(parley)
})
afterAll(() => parley.stop())
const created: string[] = []
afterEach(async () => {
  for (const id of created.splice(0)) await owner().call('POST', `/api/campaigns/${id}/status`, { action: 'cancel' })
})
vi.setConfig({ testTimeout: 240_000 })

const owner = () => parley.signIn()
async function createCampaign(contactIds: readonly string[]): Promise<string> {
  const audience = { kind: 'contacts', contactIds }
  const input = { name: 'Spring tea', audience, numberId: parley.number.id, templateId, variables: firstName }
  const { status, body } = await launchCampaign(owner(), input)
  expect(status).toBe(200)
  created.push(body.id)
  return body.id
}
async function addPeople(count: number) {
  phones += 10_000
  return addContacts(parley.database.connection, parley.scope, { count, firstPhone: phones, tags: [] })
}
const read = (id: string) => owner().ask('GET', `/api/campaigns/${id}`)
const change = (id: string, action: string) => owner().ask('POST', `/api/campaigns/${id}/status`, { action })
/** The campaign of each message in the order in which WhatsApp was asked to send them. */
async function sequence(): Promise<string[]> {
  const { items } = await parley.simulator.call(`/messages?phone_number_id=${parley.number.phoneNumberId}`)
  const sent: { direction: string; callbackData: string; at: number | string }[] = items
  const ours = sent.filter(({ direction }) => direction === 'outbound')
  ours.sort((left, right) => new Date(left.at).getTime() - new Date(right.at).getTime())
  const rows = parley.database.connection.collection('campaignRecipients')
  const found = await rows
    .find({ _id: { $in: ours.map((message) => new Types.ObjectId(message.callbackData)) } })
    .toArray()
  const campaignOf = new Map(found.map(({ _id, campaignId }) => [String(_id), String(campaignId)]))
  return ours.flatMap(({ callbackData }) => campaignOf.get(callbackData) ?? [])
}
const sent = async (id: string) => (await sequence()).filter((campaignId) => campaignId === id).length
/** Returns the share of other campaigns in the messages sent between the first and the last of this one. */
function othersBeside(id: string, all: readonly string[]): number {
  const during = all.slice(all.indexOf(id), all.lastIndexOf(id))
  return during.filter((campaignId) => campaignId !== id).length / during.length
}

test('a small campaign that begins later has half of the number until it ends, long before the large one', async () => {
  const large = await createCampaign(await addPeople(240))
  await eventually(async () => expect(await sent(large)).toBeGreaterThan(10))
  const small = await createCampaign(await addPeople(60))
  await eventually(async () => expect((await read(small)).status).toBe('completed'))
  expect((await read(large)).status).toBe('active')
  const all = await sequence()
  expect(othersBeside(small, all)).toBeGreaterThan(0.35)
  expect(othersBeside(small, all)).toBeLessThan(0.65)
})

test('one that was paused neither makes up for that nor stands behind; the same customer in both gets both', async () => {
  // At this rate fifty messages of a campaign are queued ahead.
  await sendAt(parley, 20)
  const people = await addPeople(160)
  const first = await createCampaign(people)
  await eventually(async () => expect(await sent(first)).toBeGreaterThan(5))
  await change(first, 'pause')
  const second = await createCampaign([...people].reverse())
  await eventually(async () => expect(await sent(second)).toBeGreaterThan(10))
  await change(first, 'resume')
  const before = (await sequence()).length
  await sendAt(parley, 60)
  await eventually(async () => {
    for (const id of [first, second])
      expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent: 160, failed: 0 } })
  })
  const shared = (await sequence()).slice(before + 60, before + 140)
  const share = shared.filter((campaignId) => campaignId === first).length / shared.length
  // A half, give or take what a delayed worker leaves to the other. A campaign that stands behind has none.
  expect(share).toBeGreaterThan(0.15)
  expect(share).toBeLessThan(0.85)
})

test('the forecast goes by the number, the campaigns on it, the sending hours and its limit', async () => {
  const numbers = parley.database.connection.collection('numbers')
  await numbers.updateOne(parley.inWorkspace, { $set: { throughputPerSecond: 100, messagingLimit: null } })
  const at = new Date('2030-03-14T10:00:00Z')
  const to = (recipients: number) => ({ groups: [{ recipients, zones: [] }] })
  const question = { numberId: parley.number.id, ...to(7200), at, keepsHours: true }
  const plan = (over: object = {}) => parley.services.deliveryOf(parley.scope, { ...question, ...over })
  // 10 % are never used, and 20 % of the rest are kept for answers.
  const alone = { finishAt: '2030-03-14T10:01:40.000Z', beyond: 0 }
  expect(await plan()).toEqual({ ...alone, days: [{ date: '2030-03-14', count: 7200, limitedBy: 'number' }] })

  const hours = { limited: true, zone: 'UTC', opens: '12:00', closes: '20:00', version: 0 }
  await owner().ask('PUT', '/api/workspace/sending-hours', hours)
  expect(await plan()).toMatchObject({ finishAt: '2030-03-14T12:01:40.000Z', days: [{ limitedBy: 'hours' }] })
  expect(await plan({ keepsHours: false })).toMatchObject(alone)

  const other = await createCampaign(await addPeople(1))
  await parley.database.connection
    .collection('campaigns')
    .updateOne({ _id: new Types.ObjectId(other) }, { $set: { status: 'active' }, $unset: { watch: 1, nextAt: 1 } })
  expect(await plan({ keepsHours: false })).toMatchObject({ finishAt: '2030-03-14T10:03:20.000Z' })

  const messages = parley.database.connection.collection('messages')
  const some = await messages.find(parley.inWorkspace).sort({ contactId: 1 }).limit(500).toArray()
  const contacts = new Set(some.map(({ contactId }) => String(contactId))).size
  const limit = { portfolioId: parley.simulatedNumber.accountId, at: new Date('2030-03-13T16:00:00Z') }
  await messages.updateMany({ _id: { $in: some.map(({ _id }) => _id) } }, { $set: { limit } })
  await numbers.updateOne(parley.inWorkspace, { $set: { messagingLimit: 1000 } })
  expect((await plan({ ...to(1000), keepsHours: false })).days).toEqual([
    { date: '2030-03-14', count: 1000, limitedBy: 'portfolio' },
  ])
  const { finishAt } = await plan({ ...to(1001 - contacts), keepsHours: false })
  expect(finishAt?.slice(0, 16)).toBe('2030-03-14T16:00')
  const stranger = { workspaceId: new Types.ObjectId().toHexString() }
  await expect(parley.services.deliveryOf(stranger, question)).rejects.toMatchObject({ code: 'not_found' })
})
