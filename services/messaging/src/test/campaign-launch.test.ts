import { type CampaignReview, campaignReviewSchema } from '@parley/contracts/campaigns/campaign-drafts'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  approvedTemplate,
  createPeople,
  eventually,
  firstName,
  launchCampaign,
  launchReviewed,
  reviewDraft,
  scheduledIn,
  sendAt,
  workOn,
} from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 150)
  templateId = await approvedTemplate(parley)
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const ann = () => parley.signIn()
const collection = (name: string) => parley.database.connection.collection(name)
const oid = (id: string) => new Types.ObjectId(id)
const tagged = (tag: string) => ({ kind: 'tags' as const, tags: [tag] })

const { addTo, people } = createPeople(() => parley, 919_831_000_000)
const fieldsFor = (tag: string, over: object = {}) => ({
  name: 'Spring tea',
  audience: tagged(tag),
  numberId: parley.number.id,
  templateId,
  variables: firstName,
  ...over,
})
async function draftFor(tag: string, over: object = {}): Promise<{ id: string; version: number }> {
  return ann().ask('POST', '/api/campaigns', fieldsFor(tag, over))
}
async function reviewed(draft: { id: string; version: number }): Promise<CampaignReview> {
  return campaignReviewSchema.parse((await reviewDraft(ann(), draft)).body)
}
const rowsOf = (id: string) =>
  collection('campaignRecipients')
    .find({ campaignId: oid(id) })
    .sort({ n: 1 })
    .toArray()
const read = (id: string) => ann().ask('GET', `/api/campaigns/${id}`)
const round = (id: string) => workOn(parley, id)

test('what is missing in a draft is told field by field, and nothing is written down', async () => {
  const { id, version } = await ann().ask('POST', '/api/campaigns', { name: ' ', variables: {} })
  const { status, body } = await reviewDraft(ann(), { id, version })
  expect([status, body.code]).toEqual([400, 'validation_failed'])
  expect(body.fields).toEqual({
    name: 'Enter a name',
    audience: 'Choose who it is for',
    numberId: 'Choose the number that it is sent from',
    templateId: 'Choose a template',
  })
  expect((await reviewDraft(ann(), { id, version: 7 })).body).toMatchObject({ code: 'stale_version', current: { id } })
  // A variable of a template that was chosen before does not matter.
  const other = { old: { kind: 'text', text: '' } }
  const draft = await draftFor(await people(1), { variables: { ...firstName, ...other } })
  expect((await reviewed(draft)).state).toBe('ready')
  const empty = await draftFor(await people(1), { variables: { 1: { kind: 'text', text: '' } } })
  expect((await reviewDraft(ann(), empty)).body.fields).toEqual({ 'variables.1.text': 'Enter a value' })
})

test('who would read more than WhatsApp takes is left out, and each fallback is counted', async () => {
  const tag = await people(3, { attributes: [{ k: 'city', v: 'Pune' }] })
  await addTo(tag, 4)
  await addTo(tag, 2, { name: ' ' })
  await addTo(tag, 1, { attributes: [{ k: 'city', v: 'x'.repeat(1000) }] })
  const two = await approvedTemplate(parley, {
    body: 'Hi {{1}}, our new tea has arrived in the shop in {{2}}, and it waits there for you.',
    examples: { 1: 'Asha', 2: 'Pune' },
  })
  const variables = { ...firstName, 2: { kind: 'field', field: 'attributes.city', fallback: 'your town' } }
  const draft = await draftFor(tag, { templateId: two, variables })
  const review = await reviewed(draft)
  expect(review.counts).toMatchObject({ audience: 10, recipients: 9, excluded: { unreachable: 1 } })
  expect(review.fallbacks).toEqual([
    { key: '1', count: 2 },
    { key: '2', count: 6 },
  ])
  const { body: campaign } = await launchReviewed(ann(), draft.id, review)
  const { items } = await ann().ask('GET', `/api/campaigns/${campaign.id}/recipients?outcome=unreachable`)
  expect(items).toMatchObject([{ reason: 'With these values the text is longer than WhatsApp sends.' }])
})

test('the same review is answered as long as it holds; one that is asked for again by two at once is one', async () => {
  const draft = await draftFor(await people(5))
  const answers = await Promise.all([1, 2, 3].map(() => reviewDraft(ann(), draft)))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  const first = await reviewed(draft)
  expect(first.id).toBe(answers[0]?.body.id)
  expect(first.validUntil && new Date(first.validUntil).getTime()).toBeGreaterThan(Date.now())
  // Sixteen minutes later it is another review, and the rows are its rows.
  await collection('campaigns').updateOne(
    { _id: oid(draft.id) },
    { $set: { 'review.readyAt': new Date(Date.now() - 16 * 60_000) } },
  )
  const late = await launchReviewed(ann(), draft.id, first)
  expect(late).toMatchObject({
    status: 409,
    body: { code: 'preflight_stale', message: expect.stringMatching(/15 minutes/) },
  })
  const second = await reviewed(draft)
  expect([second.id === first.id, (await rowsOf(draft.id)).length]).toEqual([false, 5])
  expect((await launchReviewed(ann(), draft.id, first)).body.code).toBe('preflight_stale')
  expect((await launchReviewed(ann(), draft.id, second)).body.status).toBe('active')
})

test('rows of a review that nobody can launch any more are deleted', async () => {
  const draft = await draftFor(await people(5))
  await reviewed(draft)
  const past = new Date(Date.now() - 17 * 60_000)
  await collection('campaigns').updateOne({ _id: oid(draft.id) }, { $set: { 'review.readyAt': past, nextAt: past } })
  await eventually(async () => expect(await rowsOf(draft.id)).toEqual([]))
  await eventually(async () =>
    expect(await collection('campaigns').findOne({ _id: oid(draft.id) })).not.toHaveProperty('watch'),
  )
  expect((await reviewed(draft)).counts.recipients).toBe(5)
})

test('workers that write a review down at once, and one of an older review, come to each contact once', async () => {
  const tag = await people(2500)
  const draft = await draftFor(tag)
  const started = await ann().ask('POST', `/api/campaigns/${draft.id}/preflight`, { version: draft.version })
  await Promise.allSettled([1, 2, 3, 4].map(() => round(draft.id)))
  const less = await people(1200)
  const again = await ann().ask('PATCH', `/api/campaigns/${draft.id}`, { ...fieldsFor(less), version: draft.version })
  // Some of the earlier rows are being deleted as the next review begins.
  const clearing = round(draft.id)
  const next = reviewDraft(ann(), again)
  await Promise.allSettled([clearing, ...[1, 2, 3].map(() => round(draft.id))])
  const { body: review } = await next
  expect(review.id).not.toBe(started.id)
  expect(review).toMatchObject({ state: 'ready', counts: { audience: 1200, recipients: 1200 } })
  const rows = await rowsOf(draft.id)
  expect(rows.map(({ n }) => n)).toEqual(rows.map((_, n) => n))
  const lessTagged = await collection('contacts').distinct('_id', { ...parley.inWorkspace, tags: less })
  expect(rows.map(({ contactId }) => String(contactId)).sort()).toEqual(lessTagged.map(String).sort())
  await ann().ask('DELETE', `/api/campaigns/${draft.id}`)
})

test('a segment that is deleted while its audience is written down: the review fails and says why', async () => {
  const segment = await ann().ask('POST', '/api/segments', {
    name: `S${new Types.ObjectId().toHexString()}`,
    filter: { match: 'all', conditions: [{ field: 'tags', comparison: 'contains', value: await people(3) }] },
  })
  const draft = await draftFor('none', { audience: { kind: 'segment', segmentId: segment.id } })
  const review = await reviewed(draft)
  await ann().ask('DELETE', `/api/segments/${segment.id}`)
  // No worker has come to it before.
  await collection('campaigns').updateOne(
    { _id: oid(draft.id) },
    {
      $set: { 'review.state': 'counting', frozen: { rows: 0, done: false, clearing: true }, nextAt: new Date() },
      $unset: { 'review.result': 1, 'review.readyAt': 1 },
    },
  )
  const failed = await eventually(async () => {
    const found = await ann().ask('GET', `/api/campaigns/${draft.id}/preflight`)
    expect(found.state).not.toBe('counting')
    return found
  })
  expect(failed).toMatchObject({ id: review.id, state: 'failed', failure: 'There is no such segment.' })
  expect((await launchReviewed(ann(), draft.id, review)).body.code).toBe('preflight_stale')
})

test('warnings have to be confirmed, and then a number of low quality sends', async () => {
  const numberId = oid(parley.number.id)
  await collection('numbers').updateOne({ _id: numberId }, { $set: { quality: 'low' } })
  try {
    const draft = await draftFor(await people(2))
    const review = await reviewed(draft)
    expect(review.warnings.map(({ code }) => code)).toEqual(['number_quality_low'])
    const refused = await launchReviewed(ann(), draft.id, review, { accepted: [] })
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['accepted']])
    expect((await launchReviewed(ann(), draft.id, review)).status).toBe(200)
    await eventually(async () =>
      expect(await read(draft.id)).toMatchObject({ status: 'completed', counts: { sent: 2 } }),
    )
  } finally {
    await collection('numbers').updateOne({ _id: numberId }, { $set: { quality: 'high' } })
  }
})

test('an audience that nobody is left of, and a time that has passed, are problems of the review and of the launch', async () => {
  const nobody = await draftFor(await people(2, { blocked: true }))
  const review = await reviewed(nobody)
  expect(review.problems).toMatchObject([{ code: 'audience_empty', message: expect.stringContaining('left out') }])
  expect((await launchReviewed(ann(), nobody.id, review)).body.code).toBe('audience_empty')
  const late = await draftFor(await people(1), { schedule: scheduledIn(-2) })
  const other = await reviewed(late)
  expect(other.problems.map(({ code }) => code)).toEqual(['schedule_past'])
  expect((await launchReviewed(ann(), late.id, other)).body.code).toBe('schedule_past')
})

test('launched again and again, with one key and with several, by two people: one campaign, and nobody gets it twice', async () => {
  const tag = await people(40)
  const draft = await draftFor(tag)
  const review = await reviewed(draft)
  const body = { preflightId: review.id, accepted: [] }
  const path = `/api/campaigns/${draft.id}/launch`
  const [one, two] = [ann(), ann()]
  const key = { 'idempotency-key': new Types.ObjectId().toHexString() }
  const answers = await Promise.all([
    one.call('POST', path, body, key),
    one.call('POST', path, body, { 'idempotency-key': new Types.ObjectId().toHexString() }),
    two.call('POST', path, body, { 'idempotency-key': new Types.ObjectId().toHexString() }),
  ])
  expect(answers.map(({ status, body: { id } }) => [status, id])).toEqual(answers.map(() => [200, draft.id]))
  expect((await one.call('POST', path, body, key)).body.id).toBe(draft.id)
  await eventually(async () =>
    expect(await read(draft.id)).toMatchObject({ status: 'completed', counts: { sent: 40 } }),
  )
  expect(await collection('messages').countDocuments({ 'cause.id': draft.id })).toBe(40)
  const other = await two.call('POST', path, { ...body, preflightId: draft.id })
  expect(other).toMatchObject({ status: 409, body: { code: 'wrong_state' } })
  const saved = await two.call('PATCH', `/api/campaigns/${draft.id}`, { ...fieldsFor(tag), version: 1 })
  expect(saved).toMatchObject({
    status: 409,
    body: { code: 'wrong_state', message: expect.stringContaining('launched') },
  })
  expect((await two.call('DELETE', `/api/campaigns/${draft.id}`)).status).toBe(409)
})

test('a launched draft stands among the campaigns where it was launched', async () => {
  const old = await draftFor(await people(1))
  await collection('campaigns').updateOne({ _id: oid(old.id) }, { $set: { createdAt: new Date('2026-01-01') } })
  const { body: other } = await launchCampaign(ann(), fieldsFor(await people(1)))
  await launchReviewed(ann(), old.id, await reviewed(old))
  const { items } = await ann().ask('GET', '/api/campaigns?limit=2')
  expect(items.map(({ id }: { id: string }) => id)).toEqual([old.id, other.id])
})
