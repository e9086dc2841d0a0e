import { campaignResultsApi, type Explanation } from '@parley/contracts/campaigns/campaign-results'
import { campaignTimelineApi } from '@parley/contracts/campaigns/campaign-timeline'
import { newId } from '@parley/service-kit/data/plain'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchCampaign,
  launchReviewed,
  makeDue,
  reviewDraft,
  scheduledIn,
} from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
beforeAll(async () => {
  parley = await joinMessaging()
  templateId = await approvedTemplate(parley)
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const owner = () => parley.signIn()
const collection = (name: string) => parley.database.connection.collection(name)
const fields = (over: object = {}) => ({
  name: 'Spring tea',
  numberId: parley.number.id,
  templateId,
  variables: firstName,
  ...over,
})
const read = async (id: string) => (await owner().call('GET', `/api/campaigns/${id}`)).body
const completed = (id: string) => eventually(async () => expect((await read(id)).status).toBe('completed'))
const act = async (id: string, action: string, over: object = {}) => {
  const answer = await owner().call('POST', `/api/campaigns/${id}/status`, { action, ...over })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}

let phones = 919_851_000_000
const people = (count: number, over: Parameters<typeof addContacts>[2]['over'] & object = {}) => {
  phones += 1000
  return addContacts(parley.database.connection, parley.scope, { count, firstPhone: phones, tags: [], over })
}
const explain = (id: string, contactId: string | undefined, as = owner()) =>
  as.call('POST', `/api/campaigns/${id}/explain`, { contactId })
async function explained(id: string, contactId: string | undefined): Promise<Explanation> {
  const { status, body } = await explain(id, contactId)
  expect(status, JSON.stringify(body)).toBe(200)
  return campaignResultsApi.explain.response.parse(body)
}

test('of everybody it is told what became of them in a campaign, or why they are not in it', async () => {
  const tag = `t${newId()}`
  const [reached = ''] = await people(1, { tags: [tag] })
  const [out = ''] = await people(1, { tags: [tag], optIn: { marketing: 'out', source: 'manual', at: new Date() } })
  const [other = '', tagged = ''] = await people(2)
  const { body } = await launchCampaign(owner(), fields({ audience: { kind: 'tags', tags: [tag, 'vip'] } }))
  await completed(body.id)
  const [added = ''] = await people(1, { tags: [tag] })
  await collection('contacts').updateOne(
    { _id: new Types.ObjectId(added) },
    { $set: { createdAt: new Date(Date.now() + 5000) } },
  )
  await collection('contacts').updateOne({ _id: new Types.ObjectId(tagged) }, { $set: { tags: [tag] } })

  await eventually(async () =>
    expect(await explained(body.id, reached)).toMatchObject({
      kind: 'row',
      recipient: { contactId: reached, state: 'read' },
    }),
  )
  const row = { contactId: out, state: 'left_out', reason: 'Opted out.' }
  expect(await explained(body.id, out)).toMatchObject({ kind: 'row', recipient: row })
  const no = { holds: false }
  expect(await explained(body.id, other)).toMatchObject({
    kind: 'no_row',
    why: 'not_in_audience',
    writtenAt: expect.any(String),
    conditions: {
      match: 'any',
      holds: false,
      conditions: [
        { text: `Tag is ${tag}`, ...no },
        { text: 'Tag is vip', ...no },
      ],
    },
  })
  expect(await explained(body.id, tagged)).toMatchObject({ why: 'matches_now', conditions: { holds: true } })
  expect(await explained(body.id, added)).toMatchObject({ why: 'added_later', conditions: { holds: true } })
  expect((await explain(body.id, reached, parley.signIn({ role: 'viewer' }))).status).toBe(200)
  // The contact is there for others as well: what is not is the campaign.
  const elsewhere = { workspaceId: newId() }
  expect((await explain(body.id, reached, parley.signIn(elsewhere))).status).toBe(404)
  const [foreign] = await addContacts(parley.database.connection, elsewhere, { count: 1, firstPhone: 1, tags: [tag] })
  for (const unknown of [foreign, newId(), 'nobody']) expect((await explain(body.id, unknown)).status).toBe(404)
  expect((await explain(newId(), reached)).status).toBe(404)
  await expectIndexed(parley.database.connection, () => parley.services.explainRecipient(parley.scope, body.id, other))
})

test('each condition of a segment, of chosen contacts and of an earlier campaign is answered', async () => {
  const [inside = '', outside = ''] = await people(2)
  const conditions = [
    { field: 'name', comparison: 'contains', value: 'Asha' },
    { match: 'any', conditions: [{ field: 'attributes.city', comparison: 'equals', value: inside }] },
  ]
  const filter = { match: 'all', conditions }
  const segment = await owner().call('POST', '/api/segments', { name: `S ${inside}`, filter })
  const city = { $set: { attributes: [{ k: 'city', v: inside }] } }
  await collection('contacts').updateOne({ _id: new Types.ObjectId(inside) }, city)
  const first = await launchCampaign(owner(), fields({ audience: { kind: 'segment', segmentId: segment.body.id } }))
  await completed(first.body.id)
  expect(await explained(first.body.id, inside)).toMatchObject({ kind: 'row' })
  const answered = { text: expect.stringMatching(/ is /), holds: false }
  expect(await explained(first.body.id, outside)).toMatchObject({
    why: 'not_in_audience',
    conditions: {
      match: 'all',
      holds: false,
      conditions: [
        { text: 'Name contains Asha', holds: true },
        { match: 'any', holds: false, conditions: [answered] },
      ],
    },
  })
  expect((await owner().call('DELETE', `/api/segments/${segment.body.id}`)).status).toBe(204)
  expect(await explained(first.body.id, outside)).toMatchObject({ why: 'not_in_audience', conditions: null })

  const schedule = scheduledIn(1440)
  const chosen = await launchCampaign(
    owner(),
    fields({ audience: { kind: 'contacts', contactIds: [inside] }, schedule }),
  )
  expect(await explained(chosen.body.id, outside)).toMatchObject({
    why: 'not_begun',
    conditions: { text: 'Is the contact that was chosen', holds: false },
  })
  await eventually(async () => expect((await read(first.body.id)).counts.read).toBe(1))
  const audience = { kind: 'campaign', campaignId: first.body.id, missed: 'not_replied' }
  const follows = await launchCampaign(owner(), fields({ audience }))
  await completed(follows.body.id)
  expect(await explained(follows.body.id, outside)).toMatchObject({
    conditions: { text: 'Is among those of Spring tea: delivered, no reply', holds: false },
  })
})

const timeline = async (id: string, query = '', as = owner()) => {
  const { status, body } = await as.call('GET', `/api/campaigns/${id}/timeline${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return campaignTimelineApi.read.response.parse(body)
}
const kinds = async (id: string) => (await timeline(id)).items.map(({ kind }) => kind)

test('a timeline tells who has done what, from the draft to the campaign that follows, and what happened by itself', async () => {
  const contactIds = await people(2)
  const audience = { kind: 'contacts', contactIds }
  const schedule = scheduledIn(1440)
  const draft = await owner().call('POST', '/api/campaigns', fields({ audience, schedule }))
  const { id } = draft.body
  const review = await reviewDraft(owner(), draft.body)
  expect(await kinds(id)).toEqual(['reviewed', 'created'])
  expect((await launchReviewed(owner(), id, review.body)).status).toBe(200)
  await act(id, 'reschedule', { schedule: scheduledIn(2880) })
  await makeDue(parley, id, 60)
  await eventually(async () => expect(await read(id)).toMatchObject({ pausedFor: 'missed_start' }))
  await act(id, 'start_now')
  // The same again changes nothing, and is not told.
  await act(id, 'start_now')
  await completed(id)
  const retried = await owner().call('POST', `/api/campaigns/${id}/retry`, { scope: 'not_replied' })
  const by = { memberId: expect.stringMatching(/./) }
  const { items, nextCursor } = await timeline(id)
  expect(nextCursor).toBeNull()
  expect(items).toMatchObject([
    { kind: 'followed', ...by, campaignId: retried.body.id, name: 'Spring tea again', missed: 'not_replied' },
    { kind: 'completed' },
    { kind: 'counted', audience: 0, recipients: 0 },
    { kind: 'started', ...by },
    { kind: 'paused', reason: 'missed_start' },
    { kind: 'rescheduled', ...by, scheduledFor: expect.any(String) },
    { kind: 'launched', ...by, recipients: 2, accepted: [], scheduledFor: expect.any(String) },
    { kind: 'reviewed', ...by, audience: 2, recipients: 2 },
    { kind: 'created', ...by },
  ])
  for (const item of items)
    if (['completed', 'counted', 'paused'].includes(item.kind)) expect(item).not.toHaveProperty('memberId')
  expect((await timeline(retried.body.id)).items).toMatchObject([
    { kind: 'created', ...by, follows: { campaignId: id, name: 'Spring tea' } },
  ])
  const page = await timeline(id, '?limit=2')
  const rest = await timeline(id, `?limit=100&cursor=${page.nextCursor}`)
  expect([...page.items, ...rest.items]).toEqual(items)

  expect((await owner().call('DELETE', `/api/campaigns/${retried.body.id}`)).status).toBe(204)
  const campaignId = new Types.ObjectId(String(retried.body.id))
  expect(await collection('campaignEvents').countDocuments({ campaignId })).toBe(0)
  const stranger = parley.signIn({ workspaceId: newId() })
  expect((await stranger.call('GET', `/api/campaigns/${id}/timeline`)).status).toBe(404)
  expect((await timeline(id, '', parley.signIn({ role: 'viewer' }))).items).toHaveLength(9)
  await expectIndexed(parley.database.connection, () => parley.services.campaignTimeline(parley.scope, id, {}))
})

test('pauses, resumes and the end by hand are told, and which warnings were confirmed at the start', async () => {
  const low = (quality: string) =>
    collection('numbers').updateOne({ _id: new Types.ObjectId(parley.number.id) }, { $set: { quality } })
  await low('low')
  const contactIds = await people(1)
  const schedule = scheduledIn(1440)
  const { body } = await launchCampaign(owner(), fields({ audience: { kind: 'contacts', contactIds }, schedule }))
  await low('high')
  const { id } = body
  // State of a campaign that has begun, and waits for a worker.
  const begun = { status: 'active', startedAt: new Date(), nextAt: new Date(Date.now() + 600_000) }
  await collection('campaigns').updateOne({ _id: new Types.ObjectId(String(id)) }, { $set: begun })
  await act(id, 'pause')
  await act(id, 'pause')
  await act(id, 'cancel')
  expect((await timeline(id)).items.slice(0, 3)).toMatchObject([
    { kind: 'cancelled', memberId: expect.any(String) },
    { kind: 'paused', memberId: expect.any(String) },
    { kind: 'launched', accepted: ['number_quality_low'] },
  ])
})
