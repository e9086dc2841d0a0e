import { type Campaign, nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchCampaign,
  scheduledIn,
  sendAt,
  sentBy,
} from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
let marketing: string
let utility: string
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  await sendAt(parley, 150)
  const body = 'Hi {{1}}, your order has left our shop and reaches you on Friday.'
  marketing = await approvedTemplate(parley)
  utility = await approvedTemplate(parley, { category: 'utility', body })
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const collection = (name: string) => parley.database.connection.collection(name)
const dayMs = 86_400_000
const rule = { recentDays: 7 }

let phones = 919_847_000_000
async function people(count: number, { firstPhone = 0, tag = `t${new Types.ObjectId().toHexString()}` } = {}) {
  phones += 10_000
  const first = firstPhone || phones
  const ids = await addContacts(parley.database.connection, parley.scope, { count, firstPhone: first, tags: [tag] })
  return { ids, firstPhone: first, tag, audience: { kind: 'tags', tags: [tag] } }
}
async function create(audience: object, over: object = {}): Promise<Campaign> {
  const fields = { audience, numberId: parley.number.id, templateId: marketing, variables: firstName }
  const { status, body } = await launchCampaign(ann, { name: 'Spring tea', ...fields, ...over })
  expect(status).toBe(200)
  return body
}
const preview = (audience: object, over: object = {}) =>
  ann.ask('POST', '/api/campaigns/preview', { audience, templateId: marketing, ...over })
const read = (id: string): Promise<Campaign> => ann.ask('GET', `/api/campaigns/${id}`)
const completed = ({ id }: Pick<Campaign, 'id'>): Promise<Campaign> =>
  eventually(async () => {
    const campaign = await read(id)
    expect(campaign.status).toBe('completed')
    return campaign
  })
const lastMarketing = async (id: string): Promise<unknown> =>
  (await collection('contacts').findOne({ _id: new Types.ObjectId(id) }))?.['lastMarketingAt']
const excludedBut = (recentlyMessaged: number) => ({
  ...nobodyExcluded,
  recentlyMessaged,
})
/** Returns the conversation of a person who has written, and their contact, who agrees to marketing. */
async function writer(from: string) {
  await parley.simulator.call('/inbound', { from, name: 'Asha', type: 'text', text: { body: 'Hi' } })
  const conversation = await eventually(async () => {
    const [found] = (await ann.ask('GET', `/api/conversations?q=${from}`)).items
    expect(found).toBeDefined()
    return found
  })
  const contactId = String(conversation.contact.id)
  const optIn = { marketing: 'in', source: 'test', at: new Date() }
  await collection('contacts').updateOne({ _id: new Types.ObjectId(contactId) }, { $set: { optIn } })
  return { id: String(conversation.id), contactId }
}
const thread = async (id: string) => (await ann.ask('GET', `/api/conversations/${id}/messages`)).items

test('who had marketing by one campaign is left out of another one that asks for it, as the review says; no notice is', async () => {
  const { ids, tag, audience } = await people(3)
  const first = await completed(await create(audience))
  expect(first).not.toHaveProperty('recentDays')
  const [fourth = ''] = (await people(1, { tag })).ids
  expect(await lastMarketing(fourth)).toBeUndefined()

  const review = await preview(audience, rule)
  expect(review).toEqual({ audience: 4, excluded: excludedBut(3), reachable: 1 })
  const second = await completed(await create(audience, rule))
  expect(second).toMatchObject({
    ...rule,
    counts: { audience: 4, excluded: excludedBut(3), sent: 1, queued: 0, failed: 0 },
  })
  const left = await ann.ask('GET', `/api/campaigns/${second.id}/recipients?outcome=recently_messaged`)
  expect(left.items.map(({ contactId }: { contactId: string }) => contactId).toSorted()).toEqual(ids.toSorted())
  expect(left).toMatchObject({
    total: 3,
    items: [{ state: 'left_out', reason: 'Got marketing recently.' }, {}, {}],
  })
  const csv = await ann.ask('GET', `/api/campaigns/${second.id}/recipients.csv?outcome=recently_messaged`)
  expect(csv.match(/left out,,Got marketing recently\./g)).toHaveLength(3)
  expect((await ann.ask('GET', `/api/contacts/${ids[0]}/campaigns`)).items).toMatchObject([
    { campaignId: second.id, reason: 'Got marketing recently.' },
    { campaignId: first.id },
  ])

  // Ten days later it no longer counts as recent.
  const scheduledFor = new Date(Date.now() + 10 * dayMs).toISOString()
  expect(await preview(audience, { ...rule, scheduledFor })).toMatchObject({ reachable: 4 })
  expect(await create(audience, { ...rule, schedule: scheduledIn(14_400) })).toMatchObject({ counts: { queued: 4 } })
  expect(await preview(audience)).toMatchObject({ excluded: excludedBut(0), reachable: 4 })
  expect(await preview(audience, { ...rule, templateId: utility })).toMatchObject({ reachable: 4 })
  const notice = await completed(await create(audience, { ...rule, templateId: utility }))
  expect(notice.counts).toMatchObject({ excluded: excludedBut(0), sent: 4 })
  expect(notice).not.toHaveProperty('recentDays')
  const third = await completed(await create(audience))
  expect(third.counts).toMatchObject({ excluded: excludedBut(0), sent: 4 })
  await expectIndexed(parley.database.connection, () =>
    parley.services.campaigns.preview(parley.scope, { audience: { kind: 'tags', tags: [tag] }, ...rule }),
  )
})

test('a number of days that is none is refused wherever it is told', async () => {
  const { audience } = await people(1)
  for (const recentDays of [0, 91, 1.5, '7'])
    for (const path of ['/api/campaigns', '/api/campaigns/preview']) {
      const campaign = {
        name: 'Tea',
        audience,
        numberId: parley.number.id,
        templateId: marketing,
        variables: firstName,
      }
      const { status, body } = await ann.call('POST', path, { ...campaign, recentDays })
      expect([status, Object.keys(body.fields)]).toEqual([400, ['recentDays']])
    }
})

test('a template that somebody sends by hand counts if it is marketing, and only then', async () => {
  const { id, contactId } = await writer('919847900001')
  const send = async (templateId: string) => {
    const { message } = await ann.ask('POST', `/api/conversations/${id}/templates`, {
      templateId,
      values: { 1: 'Asha' },
    })
    await eventually(async () =>
      expect((await thread(id)).find((one: { id: string }) => one.id === message.id)).toMatchObject({ status: 'read' }),
    )
  }
  const audience = { kind: 'contacts', contactIds: [contactId] }
  await send(utility)
  expect(await lastMarketing(contactId)).toBeUndefined()
  const before = new Date()
  await send(marketing)
  const at = await lastMarketing(contactId)
  expect(at instanceof Date && at >= before).toBe(true)
  expect(await preview(audience, rule)).toEqual({ audience: 1, excluded: excludedBut(1), reachable: 0 })
})

test('what was accepted counts although the answer to the call was lost', async () => {
  const { ids, audience } = await people(1, { firstPhone: 919_847_500_003 })
  const { id } = await create(audience)
  await eventually(async () => expect((await read(id)).counts.read).toBe(1))
  expect(await lastMarketing(ids[0] ?? '')).toBeInstanceOf(Date)
})

test('of two campaigns that wait for the same people one reaches them; a person may send the other one all the same', async () => {
  const path = '/api/workspace/sending-hours'
  const hours = await ann.ask('GET', path)
  const clock = (hoursAhead: number) => new Date(Date.now() + hoursAhead * 3_600_000).toISOString().slice(11, 16)
  const closed = { ...hours, limited: true, zone: 'UTC', opens: clock(6), closes: clock(8) }
  const { version } = await ann.ask('PUT', path, closed)
  const { ids, audience, firstPhone } = await people(2)
  const waits = await create(audience, rule)
  await eventually(async () => expect(await read(waits.id)).toMatchObject({ waitsUntil: expect.any(String) }))
  expect(await read(waits.id)).toMatchObject({ counts: { excluded: excludedBut(0), queued: 2 } })
  await completed(await create(audience, { ...rule, anyHour: true }))
  await ann.ask('PUT', path, { ...hours, zone: 'UTC', limited: false, version })
  const over = await completed(waits)
  expect(over.counts).toMatchObject({ audience: 2, excluded: excludedBut(2), sent: 0, failed: 0, queued: 0 })

  const { id, contactId } = await writer(String(firstPhone))
  expect(contactId).toBe(ids[0])
  const kept = await eventually(async () => {
    const found = (await thread(id)).find((one: { dispatch?: string }) => one.dispatch === 'cancelled')
    expect(found).toMatchObject({ status: 'failed', error: { title: 'The customer got marketing recently' } })
    return found
  })
  await ann.ask('POST', `/api/conversations/${id}/messages/${kept.id}/retry`)
  await eventually(async () =>
    expect((await thread(id)).find((one: { id: string }) => one.id === kept.id)).toMatchObject({ status: 'read' }),
  )
})

test('a message that has failed after it was accepted is not in the way of its own retry', async () => {
  const from = '919847131000'
  const { id, contactId } = await writer(from)
  const campaign = await create({ kind: 'contacts', contactIds: [contactId] }, rule)
  await eventually(async () => expect((await read(campaign.id)).counts.failed).toBe(1))
  expect(await lastMarketing(contactId)).toBeInstanceOf(Date)
  const failed = (await thread(id)).find((one: { status?: string }) => one.status === 'failed')
  await ann.ask('POST', `/api/conversations/${id}/messages/${failed.id}/retry`)
  await eventually(async () => expect((await read(campaign.id)).counts.read).toBe(1))
  expect((await sentBy(parley)).get(failed.id)).toBe(2)
})

test.each([
  ['the other one’s', undefined, 2, 2],
  ['the later one', 9, 2, 2],
  ['its own', 2, 9, 2],
  ['none', undefined, undefined, undefined],
])('a merged contact has had marketing when both had it last: %s', async (_what, kept, other, expected) => {
  const { ids } = await people(2)
  const daysAgo = (days: number) => new Date(Date.UTC(2026, 0, 31) - days * dayMs)
  for (const [index, days] of [kept, other].entries())
    if (days !== undefined)
      await collection('contacts').updateOne(
        { _id: new Types.ObjectId(ids[index]) },
        { $set: { lastMarketingAt: daysAgo(days) } },
      )
  const [keptId = '', otherId] = ids
  const taken = { name: false, account: false, attributes: [] }
  await ann.ask('POST', `/api/contacts/${keptId}/merge`, { otherId, taken, version: 1, otherVersion: 1 })
  expect(await lastMarketing(keptId)).toEqual(expected === undefined ? undefined : daysAgo(expected))
})
