import { recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import { campaignTimelineApi } from '@parley/contracts/campaigns/campaign-timeline'
import { newId } from '@parley/service-kit/data/plain'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { approvedTemplate, eventually, makeDue, reviewDraft, scheduledIn, sendAt } from './campaign-fixtures.ts'
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

const ended = createEndedCampaigns(() => ({ parley, templateId }), 919_856_000_000)
const { owner, collection, create, preview, read, rowsOf } = ended
type Ended = Awaited<ReturnType<typeof over>>

const states = [
  ...[{ state: 'read', clicked: true, replied: true }, { state: 'read' }, { state: 'delivered' }],
  ...[{ state: 'failed', reason: '131026' }, { state: 'uncertain' }, { state: 'skipped', reason: 'opted_out' }],
  { state: 'sent' },
]

/** A campaign that is over, whose rows are counted, with a visit of each row's link. */
async function over() {
  const campaign = await ended.over(states)
  const { id, campaignId } = campaign
  await collection('campaigns').updateOne({ _id: campaignId }, { $set: { 'frozen.rows': states.length } })
  await count(campaign)
  const visit = { ...parley.inWorkspace, campaignId, index: 0, count: 1, firstAt: new Date(), lastAt: new Date() }
  await collection('linkClicks').insertMany((await rowsOf(id)).map(({ _id: messageId }) => ({ ...visit, messageId })))
  return campaign
}
const count = ({ id }: { id: string }) =>
  parley.services.recount.countAll({ id, ...parley.scope, frozen: { rows: states.length, done: true } })
const clicksOf = ({ campaignId }: Ended) =>
  collection('linkClicks').countDocuments({ ...parley.inWorkspace, campaignId })

/** Sets the campaign's end this number of months ago, after its counting has ended. */
async function endedAgo({ campaignId }: Ended, months: number): Promise<void> {
  const completedAt = new Date(Date.now() - (months * 31 + 1) * 86_400_000)
  const set = { completedAt, watch: 'campaign-rows', nextAt: completedAt }
  await collection('campaigns').updateOne({ _id: campaignId }, { $set: set })
}
const stored = ({ campaignId }: Ended) => collection('campaigns').findOne({ _id: campaignId })
const timelineOf = async (id: string) =>
  campaignTimelineApi.read.response.parse(await owner().ask('GET', `/api/campaigns/${id}/timeline`)).items

test('rows of a campaign that ended 13 months ago go, and its numbers stay as they were', async () => {
  const [old, recent] = [await over(), await over()]
  const { id, campaignId, contactIds } = old
  const follower = await create(missedBy(id, 'failed'), { schedule: scheduledIn(1440) })
  expect(follower.status).toBe(200)
  // Another workspace has rows that name the same campaign.
  const elsewhere = { workspaceId: new Types.ObjectId(), campaignId, n: 0, state: 'read' }
  await collection('campaignRecipients').insertOne({ ...elsewhere, contactId: new Types.ObjectId() })
  const strangers = () => collection('campaignRecipients').countDocuments(elsewhere)
  const before = await read(id)
  expect(before.counts).toMatchObject({
    audience: 7,
    sent: 4,
    delivered: 3,
    read: 2,
    clicked: 1,
    failed: 1,
    uncertain: 1,
  })
  const cost = await owner().ask('GET', `/api/campaigns/${id}/cost`)
  await endedAgo(recent, 12)
  await endedAgo(old, 13)

  await eventually(async () => expect(await stored(old)).not.toHaveProperty('watch'))
  expect(
    await rowsOf(id).then((rows) => rows.filter(({ workspaceId }) => workspaceId.equals(parley.scope.workspaceId))),
  ).toEqual([])
  expect([await clicksOf(old), await strangers()]).toEqual([0, 1])
  expect([(await rowsOf(recent.id)).length, await clicksOf(recent)]).toEqual([states.length, states.length])

  const removed = { at: expect.any(String), months: 13 }
  const numbersStay = async () => {
    const now = await read(id)
    expect(now).toMatchObject({ counts: before.counts, recipientsRemoved: removed, status: 'completed' })
    expect(await owner().ask('GET', `/api/campaigns/${id}/cost`)).toEqual(cost)
  }
  await numbersStay()
  for (const query of ['', '?outcome=failed', '?q=Asha', '?code=131026']) {
    const page = recipientsApi.list.response.parse(await owner().ask('GET', `/api/campaigns/${id}/recipients${query}`))
    expect(page).toMatchObject({
      items: [],
      total: 0,
      nextCursor: null,
      removed,
      failures: [{ code: 131026, count: 1 }],
    })
  }
  const gone = {
    status: 409,
    body: { code: 'recipients_removed', message: expect.stringContaining('kept for 13 months') },
  }
  expect(await owner().call('GET', `/api/campaigns/${id}/recipients.csv`)).toMatchObject(gone)
  expect(await owner().call('POST', `/api/campaigns/${id}/explain`, { contactId: contactIds[0] })).toMatchObject(gone)
  for (const scope of ['failed', 'not_confirmed', 'not_read'])
    expect(await owner().call('POST', `/api/campaigns/${id}/retry`, { scope })).toMatchObject(gone)
  expect(await preview(missedBy(id, 'failed'))).toMatchObject(gone)
  const draft = await owner().ask('POST', '/api/campaigns', {
    name: 'Later',
    audience: missedBy(id, 'not_read'),
    numberId: parley.number.id,
    templateId,
    variables: { 1: { kind: 'text', text: 'you' } },
  })
  expect(await reviewDraft(owner(), draft)).toMatchObject({
    body: {
      code: 'validation_failed',
      fields: { 'audience.campaignId': expect.stringMatching(/Choose another audience\.$/) },
    },
  })
  // The draft that was begun just now comes after it.
  expect((await timelineOf(id)).slice(0, 2)).toMatchObject([
    { kind: 'followed' },
    { kind: 'recipients_removed', months: 13 },
  ])
  // A campaign that waited to follow it does not start with an empty audience.
  await makeDue(parley, follower.body.id)
  await eventually(async () =>
    expect(await read(follower.body.id)).toMatchObject({ status: 'paused', pausedFor: 'audience_gone' }),
  )
  const stranger = parley.signIn({ workspaceId: newId() })
  expect((await stranger.call('GET', `/api/campaigns/${id}/recipients`)).status).toBe(404)

  // A status that comes as late as that changes the message, and neither rows nor numbers.
  const [message] = await collection('messages')
    .find({ ...parley.inWorkspace, 'cause.id': id })
    .toArray()
  const conversationId = String(message?.['conversationId'])
  const change = {
    id: String(message?._id),
    version: message?.['version'],
    conversationId,
    from: message?.['status'],
    set: { status: 'failed' },
  }
  await inTransaction(parley.database.connection, (tx) => parley.services.messages.change(parley.scope, [change], tx))
  await parley.services.recount.perform({ id: `${id}-0`, ...parley.scope })
  await count(old)
  await parley.services.recount.check({ id, ...parley.scope, frozen: { rows: states.length, done: true } } as never)
  await numbersStay()
  expect(await strangers()).toBe(1)
})

test('whoever is killed in between is followed by another, and nothing is counted meanwhile', async () => {
  const campaign = await over()
  const { id } = campaign
  // Only in this test: the worker keeps them for longer.
  const removal = parley.services.createOldRowRemoval(1, { rows: 3, batches: 1 })
  const job = { id, ...parley.scope }
  const isDue = async () => (await removal.due()).some((due) => due.id === id)
  const before = (await read(id)).counts
  await removal.perform(job, () => undefined)
  expect([(await rowsOf(id)).length, await isDue()]).toEqual([states.length, false])
  await endedAgo(campaign, 0)
  expect(await isDue()).toBe(false)
  await endedAgo(campaign, 2)
  expect(await isDue()).toBe(true)
  await expectIndexed(parley.database.connection, () => removal.due())

  await removal.perform(job, () => undefined)
  const marked = (await stored(campaign))?.['rowsRemoved']
  expect(marked).toMatchObject({ months: 1 })
  expect([(await rowsOf(id)).length, await clicksOf(campaign), await isDue()]).toEqual([4, 4, true])
  await count(campaign)
  expect((await read(id)).counts).toEqual(before)
  // Two workers at once.
  await Promise.all([removal.perform(job, () => undefined), removal.perform(job, () => undefined)])
  await removal.perform(job, () => undefined)
  await removal.perform(job, () => undefined)
  expect([(await rowsOf(id)).length, await clicksOf(campaign), await isDue()]).toEqual([0, 0, false])
  await count(campaign)
  expect(await read(id)).toMatchObject({ counts: before, recipientsRemoved: { months: 1 } })
  expect((await stored(campaign))?.['rowsRemoved']).toEqual(marked)
  expect((await timelineOf(id)).filter(({ kind }) => kind === 'recipients_removed')).toHaveLength(1)
})
