import type { Recipient } from '@parley/contracts/campaigns/campaign-recipients'
import { newId } from '@parley/service-kit/data/plain'
import { queryPlans } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  approvedTemplate,
  firstName,
  launchReviewed,
  reviewDraft,
  scheduledIn,
  sendAt,
  workOn,
} from './campaign-fixtures.ts'
import { createEndedCampaigns, missedBy } from './ended-campaigns.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 500)
  templateId = await approvedTemplate(parley)
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const ended = createEndedCampaigns(() => ({ parley, templateId }), 919_852_000_000)
const { owner, collection, create, preview, read, rowsOf, contactsIn, completed, over } = ended

/** Sets the campaign's end this number of hours ago. */
const endedAgo = (campaignId: Types.ObjectId, hours: number) =>
  collection('campaigns').updateOne(
    { _id: campaignId },
    { $set: { completedAt: new Date(Date.now() - hours * 3_600_000) } },
  )
const retry = (id: string, body: object, as = owner()) => as.call('POST', `/api/campaigns/${id}/retry`, body)
const launch = async (draft: { id: string; version: number }) => {
  const { body } = await reviewDraft(owner(), draft)
  const launched = await launchReviewed(owner(), draft.id, body)
  expect(launched.status, JSON.stringify(launched.body)).toBe(200)
  await completed(draft.id)
}

test('of those that failed the ones of some reasons get another one: a draft with everything filled in', async () => {
  const { id, contactIds, campaignId } = await over([
    { state: 'failed', reason: '131026' },
    { state: 'failed', reason: '132012' },
    { state: 'failed', reason: '999999' },
    { state: 'failed' },
    { state: 'failed', reason: '131049' },
    { state: 'failed', reason: '131049' },
    { state: 'read' },
  ])
  const at = (...places: number[]) => places.map((index) => contactIds[index])
  const made = await retry(id, { scope: 'failed', classes: ['bad_contact', 'bad_value'] })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    name: 'Spring tea again',
    status: 'draft',
    templateId,
    numberId: parley.number.id,
    variables: firstName,
    audience: { kind: 'campaign', campaignId: id, missed: 'failed', classes: ['bad_contact', 'bad_value'] },
    audienceName: 'Spring tea: failed, some reasons',
    earlierName: 'Spring tea',
  })
  await launch(made.body)
  expect(await contactsIn(made.body.id)).toEqual(at(0, 1))
  // A failure for which WhatsApp gave no reason, or no known one, counts as refused.
  expect((await preview({ ...missedBy(id, 'failed'), classes: ['bad_request'] })).body).toMatchObject({ audience: 2 })

  await collection('campaigns').updateOne({ _id: campaignId }, { $set: { recentDays: 14 } })
  const other = await approvedTemplate(parley)
  expect((await retry(id, { scope: 'failed', templateId: other })).body).toMatchObject({
    templateId: other,
    variables: {},
    audience: missedBy(id, 'failed'),
  })
  expect((await retry(id, { scope: 'failed' })).body).not.toHaveProperty('recentDays')
  expect((await retry(id, { scope: 'not_read' })).body).toMatchObject({ recentDays: 14 })
  await collection('campaigns').updateOne({ _id: campaignId }, { $unset: { recentDays: 1 } })

  const early = await retry(id, { scope: 'failed', classes: ['wait_24h', 'bad_contact'] })
  expect(early).toMatchObject({ status: 409, body: { code: 'too_early' } })
  expect(early.body.message).toMatch(/Send again from .*\d:\d\d [AP]M .* on\.$/)
  await endedAgo(campaignId, 26)
  // One failure was reported later than the others: it waits for its own day to pass.
  const workspaceId = new Types.ObjectId(parley.scope.workspaceId)
  const held = (await rowsOf(id)).filter(({ reason }) => reason === '131049')
  await collection('messages').insertMany(
    held.map(({ _id }, index) => ({
      _id,
      workspaceId,
      statusAt: { failed: new Date(Date.now() - (25 - 2 * index) * 3_600_000) },
    })),
  )
  const later = await retry(id, { scope: 'failed', classes: ['wait_24h'] })
  expect(later.status).toBe(201)
  await launch(later.body)
  expect(await contactsIn(later.body.id)).toEqual(at(4))
})

test('those whom WhatsApp held back get it once more a day later by themselves, once, where the campaign is to do so', async () => {
  const states = [{ state: 'failed', reason: '131049' }, { state: 'failed', reason: '131026' }, { state: 'read' }]
  const [asked, other] = [await over(states), await over(states)]
  for (const { id, campaignId } of [asked, other]) {
    const completedAt = new Date(Date.now() - 24 * 3_600_000)
    const set = { completedAt, watch: 'campaigns', nextAt: new Date(), 'frozen.rows': 3 }
    const option = id === asked.id ? { retryHeldBack: true, recentDays: 7 } : {}
    await collection('campaigns').updateOne({ _id: campaignId }, { $set: { ...set, ...option } })
  }
  // WhatsApp had accepted the message before it held it back.
  const ids = asked.contactIds.map((id) => new Types.ObjectId(id))
  await collection('contacts').updateMany({ _id: { $in: ids } }, { $set: { lastMarketingAt: new Date() } })
  const lookAt = async ({ id, campaignId }: typeof asked, hours: number) => {
    const completedAt = new Date(Date.now() - hours * 3_600_000)
    await collection('campaigns').updateOne({ _id: campaignId }, { $set: { completedAt, nextAt: new Date(0) } })
    await workOn(parley, id)
  }
  const after = ({ id }: typeof asked) => collection('campaigns').find({ 'audience.campaignId': id }).toArray()
  await lookAt(asked, 24)
  await lookAt(other, 25.5)
  expect([await after(asked), await after(other)]).toEqual([[], []])
  await lookAt(asked, 25.5)
  const [next] = await after(asked)
  const id = String(next?._id)
  await completed(id)
  expect(await contactsIn(id)).toEqual([asked.contactIds[0]])
  expect(await read(id)).toMatchObject({
    name: 'Spring tea again',
    audienceName: 'Spring tea: failed, held back by WhatsApp',
    templateId,
    audience: { kind: 'campaign', campaignId: asked.id, missed: 'failed', classes: ['wait_24h'] },
  })
  // It has used as much of the plan as it needed.
  expect((await after(asked))[0]).toMatchObject({ hold: { n: 1 } })
  await workOn(parley, asked.id)
  await lookAt(asked, 25.5)
  expect(await after(asked)).toHaveLength(1)
  const timelineOf = async (of: string) => (await owner().call('GET', `/api/campaigns/${of}/timeline`)).body.items
  const [followed] = await timelineOf(asked.id)
  expect(followed).toMatchObject({ kind: 'followed', campaignId: id, missed: 'failed' })
  expect(followed).not.toHaveProperty('memberId')
  expect((await timelineOf(id)).at(-1)).toMatchObject({ kind: 'created', follows: { campaignId: asked.id } })
})

test('those who are not confirmed get it again only by a person, and no earlier than an hour after it has ended', async () => {
  const { id, contactIds, campaignId } = await over([{ state: 'uncertain' }, { state: 'read' }, { state: 'uncertain' }])
  const early = await retry(id, { scope: 'not_confirmed' })
  expect(early).toMatchObject({
    status: 409,
    body: { code: 'too_early', message: expect.stringContaining('may still') },
  })
  expect((await preview(missedBy(id, 'not_confirmed'))).body).toMatchObject({ code: 'too_early' })
  await endedAgo(campaignId, 2)
  const made = await retry(id, { scope: 'not_confirmed' })
  expect(made.body).toMatchObject({ audienceName: 'Spring tea: not confirmed' })
  const second = await retry(id, { scope: 'not_confirmed' })
  const { body: review } = await reviewDraft(owner(), second.body)
  await launch(made.body)
  expect(await contactsIn(made.body.id)).toEqual([contactIds[0], contactIds[2]])

  const again = { status: 409, body: { code: 'wrong_state', message: expect.stringContaining('again already') } }
  expect(await launchReviewed(owner(), second.body.id, review)).toMatchObject(again)
  expect(await retry(id, { scope: 'not_confirmed' })).toMatchObject(again)
  const other = new Types.ObjectId(made.body.id)
  await collection('campaigns').updateOne({ _id: other }, { $set: { status: 'cancelled' } })
  expect((await launchReviewed(owner(), second.body.id, review)).status).toBe(200)
})

test('of each that is not confirmed the list says whether WhatsApp answered for others that left with it', async () => {
  const { id, campaignId } = await over(Array.from({ length: 4 }, () => ({ state: 'uncertain' })))
  const numberId = new Types.ObjectId(parley.number.id)
  const minute = Math.floor(Date.now() / 60_000) - 600
  const at = (minutes: number, seconds = 0) => new Date((minute + minutes) * 60_000 + seconds * 1000)
  const message = (sentAt: Date, over: object = {}, dispatch: object = {}) => ({
    _id: new Types.ObjectId(),
    ...parley.inWorkspace,
    numberId,
    direction: 'outbound',
    status: 'queued',
    sentAt,
    statusAt: {},
    cause: { kind: 'campaign', id },
    dispatch: { state: 'uncertain', notBefore: sentAt, ...dispatch },
    conversationId: new Types.ObjectId(),
    contactId: new Types.ObjectId(),
    version: 1,
    ...over,
  })
  const storedMessages = (await rowsOf(id)).map(({ _id }, index) => message(at(index * 10, 20), { _id }))
  const accepted = { state: 'accepted' }
  await collection('messages').insertMany([
    ...storedMessages,
    message(at(0, 55), {}, accepted),
    // A minute later; at the same time from another number, and in another workspace; and after it had waited.
    message(at(11), {}, accepted),
    message(at(10, 20), { numberId: new Types.ObjectId() }, accepted),
    message(at(10, 20), { workspaceId: new Types.ObjectId() }, accepted),
    message(at(10, 20), {}, { ...accepted, notBefore: at(200) }),
    // The call got no answer, but WhatsApp has reported a status since.
    message(at(20, 1), { status: 'delivered' }),
    message(at(30, 1), {}, { state: 'failed' }),
  ])
  const beside = async () =>
    (await owner().ask('GET', `/api/campaigns/${id}/recipients?outcome=uncertain`)).items.map(
      (row: Recipient) => row.beside,
    )
  expect(await beside()).toEqual(['answered', 'nothing', 'answered', 'nothing'])
  const list = () => parley.services.recipientLists.list(parley.scope, id, { outcome: 'uncertain' })
  const plans = await queryPlans(parley.database.connection, list)
  // One for all rows; the worker's own queries are among the plans.
  const ofMinutes = plans.filter(({ plan }) => plan.includes('numberId: 1, sentAt: 1'))
  expect(ofMinutes).toEqual([expect.objectContaining({ collection: 'messages' })])
  // Confirmed recipients, and those whose message is gone, have no such field.
  await collection('messages').deleteMany({ _id: { $in: storedMessages.slice(0, 2).map(({ _id }) => _id) } })
  await collection('campaignRecipients').updateOne({ campaignId, n: 2 }, { $set: { state: 'read' } })
  expect(await beside()).toEqual([undefined, undefined, 'nothing'])
})

test('a campaign that runs, or is of another workspace, is not sent again; nor by who may not write campaigns', async () => {
  const { id, contactIds } = await over([{ state: 'failed', reason: '131026' }])
  const waiting = await create({ kind: 'contacts', contactIds }, { schedule: scheduledIn(1440) })
  expect(await retry(waiting.body.id, { scope: 'failed' })).toMatchObject({
    status: 409,
    body: { code: 'wrong_state' },
  })
  for (const unknown of [newId(), 'nothing'])
    expect(await retry(unknown, { scope: 'failed' })).toMatchObject({ status: 404 })
  expect((await retry(id, { scope: 'failed' }, parley.signIn({ workspaceId: newId() }))).status).toBe(404)
  expect((await retry(id, { scope: 'failed' }, parley.signIn({ role: 'viewer' }))).status).toBe(403)
  expect((await retry(id, { scope: 'failed', classes: ['other'] })).status).toBe(400)
})
