import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ContactRecord } from '../modules/contacts/contacts.model.ts'
import {
  addContacts,
  approvedTemplate,
  createPeople,
  eventually,
  firstName,
  launchReviewed,
  makeDue,
  reviewDraft,
  scheduledIn,
  sendAt,
} from './campaign-fixtures.ts'
import { withImports } from './import-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 200)
  templateId = await approvedTemplate(parley)
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const { people } = createPeople(() => parley, 919_846_000_000)
const owner = () => parley.signIn()
const collection = (name: string) => parley.database.connection.collection(name)
const newTag = () => `t${new Types.ObjectId().toHexString()}`

const preview = (audience: object, over: object = {}) =>
  owner().ask('POST', '/api/campaigns/preview', { audience, templateId, ...over })
const create = (audience: object, over: object = {}) =>
  owner().call('POST', '/api/campaigns', {
    name: 'Tea',
    audience,
    numberId: parley.number.id,
    templateId,
    variables: firstName,
    ...over,
  })
const read = (id: string) => owner().ask('GET', `/api/campaigns/${id}`)
const rowsOf = (id: string) =>
  collection('campaignRecipients')
    .find({ campaignId: new Types.ObjectId(id) })
    .toArray()
const completed = (id: string) =>
  eventually(async () => {
    const campaign = await read(id)
    expect(campaign.status).toBe('completed')
    return campaign
  })
async function segmentOf(city: string): Promise<string> {
  const conditions = [{ field: 'attributes.city', comparison: 'equals', value: city }]
  return (await owner().ask('POST', '/api/segments', { name: city, filter: { match: 'all', conditions } })).id
}

test('whom an audience goes without is counted, listed and exported by a reason of its own; so is who cannot get marketing', async () => {
  const [tea, club, staff] = [newTag(), newTag(), newTag()]
  const segmentId = await segmentOf(`City ${newTag()}`)
  const city = (await owner().ask('GET', '/api/segments')).items.find(({ id }: { id: string }) => id === segmentId).name
  let firstPhone = 919_847_000_000
  const add = async (tags: string[], over: Partial<ContactRecord> = {}, count = 1) => {
    firstPhone += 10
    return addContacts(parley.database.connection, parley.scope, { count, firstPhone, tags, over })
  }
  await add([tea, club], {}, 3)
  await add([tea], {}, 2)
  const leftOut = [
    ...(await add([tea, club, staff], {}, 2)),
    ...(await add([tea, club], { attributes: [{ k: 'city', v: city }] })),
    // They are left out of the audience itself, not by consent or the like.
    ...(await add([tea, club, staff], { blocked: true })),
  ]
  await add([tea, club], { phone: '+12125550123' })
  await add([tea, club], { phone: undefined, waUserId: `US.${newTag()}` })
  await add([tea, club], { phone: '+16135550123' })
  await add([tea, club], { blocked: true })
  await add([tea, club], { undeliveredIn: ['a', 'b', 'c'] })

  const exclude = { tags: [staff], segmentIds: [segmentId] }
  const audience = { kind: 'tags', tags: [tea, club], match: 'all', exclude }
  const excluded = { byChoice: 4, countryRestricted: 2, blocked: 1, unreachable: 1, optedOut: 0 }
  const expected = await preview(audience)
  expect(expected).toMatchObject({ audience: 12, excluded, reachable: 4 })
  expect(await preview({ ...audience, match: 'any' })).toMatchObject({ audience: 14, reachable: 6 })
  expect(await preview({ ...audience, match: undefined })).toMatchObject({ audience: 14, reachable: 6 })
  const utility = await approvedTemplate(parley, { category: 'utility', body: 'Hi {{1}}, your tea is on its way.' })
  const ofUtility = await preview(audience, { templateId: utility })
  expect(ofUtility).toMatchObject({ audience: 12, excluded: { countryRestricted: 0 }, reachable: 6 })

  const { body: draft } = await create(audience)
  expect(draft).toMatchObject({
    audience,
    audienceName: `Tagged with all of ${tea}, ${club}, without ${staff}, ${city}`,
  })
  const { body: review } = await reviewDraft(owner(), draft)
  expect(review).toMatchObject({ problems: [], counts: { audience: 12, excluded: expected.excluded, recipients: 4 } })
  await launchReviewed(owner(), draft.id, review)
  const done = await completed(draft.id)
  expect(done.counts).toMatchObject({ audience: 12, excluded: expected.excluded, sent: 4, queued: 0, failed: 0 })
  const list = await owner().ask('GET', `/api/campaigns/${draft.id}/recipients?outcome=excluded`)
  expect(list.total).toBe(4)
  expect(list.items.map(({ contactId }: { contactId: string }) => contactId).sort()).toEqual(leftOut.sort())
  expect(list.items[0].reason).toBe('Has a tag, or is in a segment, that the campaign leaves out.')
  const restricted = await owner().ask('GET', `/api/campaigns/${draft.id}/recipients?outcome=country_restricted`)
  expect([restricted.total, restricted.items[0].reason]).toEqual([
    2,
    'WhatsApp delivers no marketing to numbers in the United States.',
  ])
  const csv = await fetch(`${parley.server.url}/api/campaigns/${draft.id}/recipients.csv?outcome=excluded`, {
    headers: { authorization: `Bearer ${await owner().token()}` },
  })
  expect((await csv.text()).trim().split('\n')).toHaveLength(1 + 4)
})

test('a tag or segment that is gone is never passed over: the review, the launch and the start say so', async () => {
  const [tag, gone] = [await people(3), newTag()]
  const without = (exclude: object) => ({
    kind: 'tags',
    tags: [tag],
    exclude: { tags: [], segmentIds: [], ...exclude },
  })
  const refused = async ({ id, version }: { id: string; version: number }) => {
    const { status, body } = await owner().call('POST', `/api/campaigns/${id}/preflight`, { version })
    return [status, Object.keys(body.fields ?? {})]
  }
  const ofTag = await create(without({ tags: [gone] }))
  expect(await refused(ofTag.body)).toEqual([400, ['audience.exclude.tags']])

  const segmentId = await segmentOf(newTag())
  const drafts = [
    await create(without({ segmentIds: [segmentId] })),
    await create(without({ segmentIds: [segmentId] })),
  ]
  const later = await create(without({ segmentIds: [segmentId] }), { schedule: scheduledIn(1440) })
  const { body: ofLater } = await reviewDraft(owner(), later.body)
  expect((await launchReviewed(owner(), later.body.id, ofLater)).body.status).toBe('scheduled')
  const [ready, open] = drafts.map(({ body }) => body)
  const { body: review } = await reviewDraft(owner(), ready)
  const segment = (await owner().ask('GET', '/api/segments')).items.find(({ id }: { id: string }) => id === segmentId)
  const conditions = [{ field: 'name', comparison: 'contains', value: 'Asha' }]
  await owner().ask('PATCH', `/api/segments/${segmentId}`, {
    version: segment.version,
    filter: { match: 'all', conditions },
  })
  const stale = await launchReviewed(owner(), ready.id, review)
  expect([stale.status, stale.body.code, stale.body.message]).toEqual([
    ...[409, 'preflight_stale'],
    'The conditions of a segment that it leaves out were changed after the review. Review it again.',
  ])
  expect((await reviewDraft(owner(), ready)).body.counts).toMatchObject({ recipients: 0, excluded: { byChoice: 3 } })

  await owner().call('DELETE', `/api/segments/${segmentId}`)
  expect(await refused(open)).toEqual([400, ['audience.exclude.segmentIds']])
  expect((await owner().call('POST', '/api/campaigns/preview', { audience: open.audience })).status).toBe(404)
  expect((await read(open.id)).audienceName).toBe(`Tagged ${tag}, without a deleted segment`)
  // A tag or segment that the draft already names may be gone; everything else can be changed.
  const exclude = { tags: [tag], segmentIds: [segmentId] }
  const saved = await owner().call('PATCH', `/api/campaigns/${open.id}`, {
    name: 'Tea',
    variables: {},
    audience: { ...open.audience, exclude },
    version: open.version,
  })
  expect(saved.status).toBe(200)
  await makeDue(parley, later.body.id)
  await eventually(async () =>
    expect(await read(later.body.id)).toMatchObject({
      status: 'paused',
      pausedFor: 'audience_gone',
      pauseDetail: 'A segment or import of its audience was deleted.',
      counts: { sent: 0 },
    }),
  )
})

test('what another workspace has is in no audience', async () => {
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const conditions = [{ field: 'name', comparison: 'contains', value: 'Asha' }]
  const { id } = await stranger.ask('POST', '/api/segments', { name: 'Theirs', filter: { match: 'all', conditions } })
  const { upload } = withImports(parley, stranger)
  const { body: imported } = await upload('Name,Phone\nAsha,+919811112222\n')
  const tag = await people(1)
  const audiences = [
    { kind: 'tags', tags: [tag], exclude: { tags: [], segmentIds: [id] } },
    { kind: 'import', importId: imported.id },
    { kind: 'import', importId: 'nothing' },
  ]
  for (const audience of audiences) {
    expect((await create(audience)).status).toBe(404)
    expect((await owner().call('POST', '/api/campaigns/preview', { audience })).status).toBe(404)
  }
})

test('a campaign goes to whom an import has added or changed, to each once, as long as that is known', async () => {
  const ann = owner()
  const { upload, carryOut, until } = withImports(parley, ann)
  const [known = ''] = await addContacts(parley.database.connection, parley.scope, {
    count: 1,
    firstPhone: 919_848_000_000,
    tags: [],
  })
  await addContacts(parley.database.connection, parley.scope, { count: 1, firstPhone: 919_848_000_001, tags: [] })
  const lines = [
    'Name,Phone',
    'Asha Rao,+919848000000',
    'Ravi,+919848000002',
    'Lena,+919848000003',
    // Its counts do not change.
    'Asha 0,+919848000001',
    'Nobody,12',
  ]
  const { body: notYet } = await upload('Name,Phone\nAsha,+919811112222\n')
  const { id, done } = await carryOut(`${lines.join('\n')}\n`, {
    targets: ['name', 'phone'],
    allAgreed: true,
    evidence: 'At the counter',
  })
  const audience = { kind: 'import', importId: id }
  expect(done.counts).toMatchObject({ created: 2, updated: 1 })
  const added = (await ann.ask('GET', `/api/imports/${id}/rows?outcome=created`)).items
  const ids = [known, ...added.map(({ contactId }: { contactId: string }) => contactId)].sort()
  // One row may tell a contact by its phone number, and one of a later batch the same by its user id.
  const [batch] = await collection('importRows')
    .find({ importId: new Types.ObjectId(id), phase: 'run' })
    .toArray()
  await collection('importRows').insertOne({ ...batch, _id: new Types.ObjectId(), batch: 1 })
  await expectIndexed(parley.database.connection, async () =>
    expect(await preview(audience)).toMatchObject({ audience: 3, reachable: 3 }),
  )
  const { body: draft } = await create(audience)
  expect(draft.audienceName).toBe('Import of people.csv')
  const { body: review } = await reviewDraft(ann, draft)
  expect(review.counts).toMatchObject({ audience: 3, recipients: 3 })
  await launchReviewed(ann, draft.id, review)
  expect((await completed(draft.id)).counts).toMatchObject({ audience: 3, sent: 3 })
  expect((await rowsOf(draft.id)).map(({ contactId }) => String(contactId)).sort()).toEqual(ids)

  const problemOf = async (importId: string, over: object = {}) => {
    const { body } = await create({ kind: 'import', importId }, over)
    const asked = await ann.call('POST', `/api/campaigns/${body.id}/preflight`, { version: body.version })
    return asked.body.fields?.['audience.importId']
  }
  expect(await problemOf(notYet.id)).toBe('The import of people.csv has not ended yet. Choose another audience.')
  expect(await problemOf(id, { schedule: scheduledIn(31 * 1440) })).toMatch(
    /you can send to the people of an import for 30 days/,
  )
  const { body: waiting } = await create(audience)
  const { body: reviewed } = await reviewDraft(ann, waiting)
  await ann.call('POST', `/api/imports/${id}/undo`)
  await until(id, 'undone')
  const stale = await launchReviewed(ann, waiting.id, reviewed)
  expect([stale.body.code, stale.body.message]).toEqual([
    'preflight_stale',
    'The import of people.csv was undone. Review it again.',
  ])
  expect(await problemOf(id)).toBe('The import of people.csv was undone. Choose another audience.')
})
