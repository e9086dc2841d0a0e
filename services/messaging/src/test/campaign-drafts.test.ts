import { campaignReviewSchema } from '@parley/contracts/campaigns/campaign-drafts'
import { campaignDraftSchema } from '@parley/contracts/campaigns/campaign-fields'
import { campaignSchema } from '@parley/contracts/campaigns/campaigns'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchCampaign,
  reviewDraft,
  sendAt,
  sentBy,
} from './campaign-fixtures.ts'
import { listen } from './listen.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
let phones = 919_821_000_000
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 150)
  templateId = await approvedTemplate(parley)
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 120_000 })

/** Contacts with a tag of their own. */
async function audienceOf(count: number, over: object = {}) {
  const tag = `t${new Types.ObjectId().toHexString()}`
  phones += 10_000
  await addContacts(parley.database.connection, parley.scope, { count, firstPhone: phones, tags: [tag], over })
  return { kind: 'tags' as const, tags: [tag] }
}

test('a draft is written, reviewed and launched: those who get it are the ones that the review has written down', async () => {
  const ann = parley.signIn()
  const audience = await audienceOf(25)
  const made = await ann.call('POST', '/api/campaigns', { name: '', variables: {} })
  expect([made.status, campaignDraftSchema.parse(made.body).status]).toEqual([201, 'draft'])
  const { id } = made.body
  const fields = { name: 'Spring tea', audience, numberId: parley.number.id, templateId, variables: firstName }
  const saved = await ann.ask('PATCH', `/api/campaigns/${id}`, { ...fields, version: made.body.version })
  expect(saved).toMatchObject({ ...fields, version: 2, audienceName: `Tagged ${audience.tags[0]}` })

  const { body: review } = await reviewDraft(ann, saved)
  expect(campaignReviewSchema.parse(review)).toMatchObject({
    state: 'ready',
    counts: { audience: 25, recipients: 25 },
    problems: [],
    warnings: [],
    fallbacks: [{ key: '1', count: 0 }],
    cost: { card: null, lines: [{ country: 'IN', count: 25 }] },
  })
  expect(await ann.ask('GET', `/api/campaigns/${id}`)).toMatchObject({ status: 'draft', version: 2 })
  const launched = await ann.ask('POST', `/api/campaigns/${id}/launch`, { preflightId: review.id, accepted: [] })
  expect(campaignSchema.parse(launched)).toMatchObject({ id, status: 'active', counts: { audience: 25, queued: 25 } })
  await eventually(async () =>
    expect(await ann.ask('GET', `/api/campaigns/${id}`)).toMatchObject({ status: 'completed', counts: { read: 25 } }),
  )
  const calls = await sentBy(parley)
  const rows = await parley.database.connection
    .collection('campaignRecipients')
    .find({ campaignId: new Types.ObjectId(String(id)) })
    .toArray()
  expect(rows.map(({ _id }) => calls.get(String(_id)))).toEqual(rows.map(() => 1))
})

const fieldsOf = (audience: object, over: object = {}) => ({
  name: 'Spring tea',
  audience,
  numberId: parley.number.id,
  templateId,
  variables: firstName,
  ...over,
})
const elsewhere = (role: 'owner' | 'agent' | 'viewer' = 'owner') =>
  parley.signIn({ role, workspaceId: new Types.ObjectId().toHexString() })
const rowsOf = (id: string) =>
  parley.database.connection.collection('campaignRecipients').countDocuments({ campaignId: new Types.ObjectId(id) })
const campaigns = () => parley.database.connection.collection('campaigns')

test('a draft may lack anything, keeps what it has, and stands in the list and in the summary beside what was launched', async () => {
  const ann = elsewhere()
  const empty = await ann.ask('POST', '/api/campaigns', { name: '', variables: {} })
  expect(empty).toEqual({
    id: empty.id,
    status: 'draft',
    name: '',
    variables: {},
    version: 1,
    audienceName: '',
    templateName: '',
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  const segment = await ann.ask('POST', '/api/segments', {
    name: 'Tea lovers',
    filter: { match: 'all', conditions: [{ field: 'tags', comparison: 'contains', value: 'tea' }] },
  })
  const audience = { kind: 'segment', segmentId: segment.id }
  const partly = { audience, schedule: { date: '2030-01-05', time: '09:30' }, recentDays: 7, anyHour: true }
  const variables = { 1: { kind: 'field', field: 'firstName', fallback: '' } }
  const draft = await ann.ask('POST', '/api/campaigns', { name: 'Tea', variables, ...partly })
  expect(draft).toMatchObject({ ...partly, variables, audienceName: 'Segment Tea lovers' })
  const { version, filter } = segment
  await ann.ask('PATCH', `/api/segments/${segment.id}`, { version, name: 'Drinkers of tea', filter })
  await expectIndexed(parley.database.connection, async () => {
    const { items, total } = await ann.ask('GET', '/api/campaigns?status=draft')
    expect([items[0].audienceName, items[1].id, total]).toEqual(['Segment Drinkers of tea', empty.id, 2])
  })
  expect((await ann.ask('GET', '/api/campaigns?q=tea')).items).toHaveLength(1)
  expect(await ann.ask('GET', '/api/campaigns/summary')).toMatchObject({ total: 0, draft: 2, active: 0 })
  // An audience that the draft already names may be gone; a newly named one may not.
  await ann.ask('DELETE', `/api/segments/${segment.id}`)
  expect(await ann.ask('GET', `/api/campaigns/${draft.id}`)).toMatchObject({
    audience,
    audienceName: 'Segment Tea lovers',
  })
  const saved = await ann.ask('PATCH', `/api/campaigns/${draft.id}`, { version: 1, name: 'Chai', audience, variables })
  expect(saved).not.toHaveProperty('schedule')
  expect(saved).toMatchObject({ name: 'Chai', version: 2 })
  const gone = { version: 2, name: 'Chai', audience: { kind: 'segment', segmentId: 'gone' }, variables }
  expect((await ann.call('PATCH', `/api/campaigns/${draft.id}`, gone)).status).toBe(404)
  for (const foreign of [{ templateId }, { numberId: parley.number.id }])
    expect((await ann.call('POST', '/api/campaigns', { name: '', variables: {}, ...foreign })).status).toBe(404)
})

test('of two who write the same draft the second one is told what the first has written', async () => {
  const [ann, bob] = [parley.signIn(), parley.signIn()]
  const [stream, audience] = [await listen(bob), await audienceOf(1)]
  const draft = await ann.ask('POST', '/api/campaigns', fieldsOf(audience))
  const save = (by: typeof ann, name: string) =>
    by.call('PATCH', `/api/campaigns/${draft.id}`, { ...fieldsOf(audience), name, version: 1 })
  const answers = await Promise.all([save(ann, 'By Ann'), save(bob, 'By Bob')])
  const kept = answers.find(({ status }) => status === 200)
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({ code: 'stale_version', current: { name: kept?.body.name, version: 2 } })
  expect(campaignDraftSchema.parse(refused?.body.current)).toEqual(kept?.body)
  await eventually(() => {
    const received = stream
      .records()
      .filter(({ type, data }) => type === 'campaign.changed' && JSON.stringify(data).includes(draft.id))
    expect(received).toHaveLength(2)
  })
  // A review does not change the draft that a member has written.
  await reviewDraft(ann, kept?.body)
  expect((await bob.call('PATCH', `/api/campaigns/${draft.id}`, { ...fieldsOf(audience), version: 2 })).status).toBe(
    200,
  )
})

test('a draft names whom it is for: contacts that were chosen, and the campaign that it follows', async () => {
  const ann = parley.signIn()
  phones += 10_000
  const contactIds = await addContacts(parley.database.connection, parley.scope, {
    count: 2,
    firstPhone: phones,
    tags: [],
  })
  const chosen = await ann.ask('POST', '/api/campaigns', fieldsOf({ kind: 'contacts', contactIds }))
  expect(chosen).toMatchObject({ audienceName: '2 contacts', templateName: expect.stringMatching(/^offer_/) })
  const contacts = contactIds.map((id, index) => ({ id, name: `Asha ${index}` }))
  expect((await ann.ask('GET', `/api/campaigns/${chosen.id}`)).contacts).toEqual(contacts)
  const { body: first } = await launchCampaign(ann, fieldsOf(await audienceOf(1), { name: 'First' }))
  const audience = { kind: 'campaign', campaignId: first.id, missed: 'not_read' }
  const next = await ann.ask('POST', '/api/campaigns', fieldsOf(audience, { name: 'Next' }))
  expect(next).toMatchObject({ audienceName: 'First: delivered, not read', earlierName: 'First' })
  const { items } = await ann.ask('GET', '/api/campaigns?status=draft')
  for (const item of items) expect(item).not.toHaveProperty('contacts')
})

test('a draft is its workspace’s alone, is no campaign, and is written by those who may', async () => {
  const ann = parley.signIn()
  const draft = await ann.ask('POST', '/api/campaigns', fieldsOf(await audienceOf(1)))
  const path = `/api/campaigns/${draft.id}`
  const body = { version: 1, name: '', variables: {} }
  const launch = { preflightId: draft.id, accepted: [] }
  const stranger = elsewhere()
  for (const [method, url, json] of [
    ['GET', path, undefined],
    ['PATCH', path, body],
    ['DELETE', path, undefined],
    ['POST', `${path}/preflight`, { version: 1 }],
    ['GET', `${path}/preflight`, undefined],
    ['POST', `${path}/launch`, launch],
  ] as const)
    expect([method, url, (await stranger.call(method, url, json)).status]).toEqual([method, url, 404])
  const viewer = parley.signIn({ role: 'viewer' })
  expect((await viewer.call('GET', path)).status).toBe(200)
  for (const [method, url, json] of [
    ['POST', '/api/campaigns', { name: '', variables: {} }],
    ['PATCH', path, body],
    ['DELETE', path, undefined],
    ['POST', `${path}/preflight`, { version: 1 }],
    ['POST', `${path}/launch`, launch],
  ] as const)
    expect((await viewer.call(method, url, json)).status).toBe(403)
  // No endpoint of campaigns knows a draft.
  for (const url of ['recipients', 'recipients.csv', 'cost', 'preflight'])
    expect((await ann.call('GET', `${path}/${url}`)).status).toBe(404)
  expect((await ann.call('POST', `${path}/status`, { action: 'cancel' })).status).toBe(404)
  const follows = { kind: 'campaign', campaignId: draft.id, missed: 'failed' }
  expect((await ann.call('POST', '/api/campaigns', fieldsOf(follows))).status).toBe(404)
  expect((await ann.call('DELETE', path)).status).toBe(204)
  expect((await ann.call('GET', path)).status).toBe(404)
})

test('an agent writes, counts and reviews a draft, and an admin launches it', async () => {
  const [agent, admin] = [parley.signIn({ role: 'agent' }), parley.signIn({ role: 'admin' })]
  const audience = await audienceOf(2)
  const draft = await agent.ask('POST', '/api/campaigns', fieldsOf(audience))
  const path = `/api/campaigns/${draft.id}`
  const saved = await agent.ask('PATCH', path, {
    ...fieldsOf(audience, { name: 'By an agent' }),
    version: draft.version,
  })
  expect((await agent.ask('POST', '/api/campaigns/preview', { audience, templateId })).reachable).toBe(2)
  const review = await agent.ask('POST', `${path}/preflight`, { version: saved.version })
  await eventually(async () => expect((await agent.ask('GET', `${path}/preflight`)).state).toBe('ready'))
  const launch = { preflightId: review.id, accepted: [] }
  expect((await agent.call('POST', `${path}/launch`, launch)).status).toBe(403)
  expect((await agent.ask('GET', path)).status).toBe('draft')
  expect((await admin.call('POST', `${path}/launch`, launch)).status).toBe(200)
  for (const action of ['pause', 'cancel'])
    expect((await agent.call('POST', `${path}/status`, { action })).status).toBe(403)
  const other = await agent.ask('POST', '/api/campaigns', fieldsOf(audience))
  expect((await agent.call('DELETE', `/api/campaigns/${other.id}`)).status).toBe(204)
})

test('a draft that is deleted, or written again, takes its rows with it', async () => {
  const ann = parley.signIn()
  const [audience, other] = [await audienceOf(30), await audienceOf(4)]
  const draft = await ann.ask('POST', '/api/campaigns', fieldsOf(audience))
  await reviewDraft(ann, draft)
  expect(await rowsOf(draft.id)).toBe(30)
  const path = `/api/campaigns/${draft.id}`
  const again = await ann.ask('PATCH', path, { ...fieldsOf(other), version: 1 })
  expect((await ann.call('GET', `${path}/preflight`)).status).toBe(404)
  await eventually(async () => expect(await rowsOf(draft.id)).toBe(0))
  expect((await reviewDraft(ann, again)).body).toMatchObject({ counts: { audience: 4, recipients: 4 } })
  expect(await rowsOf(draft.id)).toBe(4)
  expect((await ann.call('DELETE', path)).status).toBe(204)
  expect((await ann.call('GET', path)).status).toBe(404)
  expect((await ann.ask('GET', '/api/campaigns')).items.map(({ id }: { id: string }) => id)).not.toContain(draft.id)
  await eventually(async () => {
    expect(await rowsOf(draft.id)).toBe(0)
    expect(await campaigns().countDocuments({ _id: new Types.ObjectId(String(draft.id)) })).toBe(0)
  })
})

test('a tag that is renamed is renamed in drafts, and a workspace keeps so many drafts', async () => {
  const ann = elsewhere()
  await parley.services.contactChanges.create(ann, {
    name: 'A',
    phone: '+919820099001',
    tags: ['gold'],
    attributes: {},
  })
  const draft = await ann.ask('POST', '/api/campaigns', {
    name: '',
    variables: {},
    audience: { kind: 'tags', tags: ['gold', 'silver'] },
  })
  await ann.ask('POST', '/api/tags/rename', { tag: 'gold', to: 'premium' })
  await eventually(async () =>
    expect(await ann.ask('GET', `/api/campaigns/${draft.id}`)).toMatchObject({
      audience: { tags: ['premium', 'silver'] },
      audienceName: 'Tagged premium, silver',
      version: 2,
    }),
  )
  const workspaceId = new Types.ObjectId(ann.workspaceId)
  await campaigns().insertMany(
    Array.from({ length: 499 }, () => ({
      workspaceId,
      status: 'draft',
      edition: 1,
      version: 1,
      createdAt: new Date(),
    })),
  )
  const refused = await ann.call('POST', '/api/campaigns', { name: '', variables: {} })
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'wrong_state', message: expect.stringContaining('500 drafts') },
  })
  await ann.ask('DELETE', `/api/campaigns/${draft.id}`)
  const add = () => ann.call('POST', '/api/campaigns', { name: '', variables: {} })
  const atOnce = await Promise.all([add(), add(), add()])
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
})
