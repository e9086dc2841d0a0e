import { type CampaignReview, campaignReviewSchema } from '@parley/contracts/campaigns/campaign-drafts'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { approvedTemplate, createPeople, firstName, launchReviewed, reviewDraft, sendAt } from './campaign-fixtures.ts'
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

const { people } = createPeople(() => parley, 919_833_000_000)
const fieldsFor = (tag: string, over: object = {}) => ({
  name: 'Spring tea',
  audience: tagged(tag),
  numberId: parley.number.id,
  templateId,
  variables: firstName,
  ...over,
})
async function reviewed(draft: { id: string; version: number }): Promise<CampaignReview> {
  return campaignReviewSchema.parse((await reviewDraft(ann(), draft)).body)
}
const read = (id: string) => ann().ask('GET', `/api/campaigns/${id}`)
const numbers = () => collection('numbers')
const template = (id: string, $set: object) => collection('templates').updateOne({ _id: oid(id) }, { $set })
const number = ($set: object) => numbers().updateOne({ _id: oid(parley.number.id) }, { $set })
const cases: readonly [string, RegExp, (subject: ReviewedDraft) => Promise<unknown>][] = [
  ['the draft', /changed after its review/, ({ draft, save }) => save(draft)],
  [
    'the text of its template',
    /template was changed/,
    ({ ownTemplateId }) => template(ownTemplateId, { body: 'Something else.' }),
  ],
  [
    'the category of its template',
    /from marketing to utility/,
    ({ ownTemplateId }) => template(ownTemplateId, { category: 'utility' }),
  ],
  [
    'the state of its template',
    /stopped approving/,
    ({ ownTemplateId }) => template(ownTemplateId, { status: 'paused' }),
  ],
  [
    'its number, which is stopped',
    /number was stopped/,
    () => number({ stopped: { code: 131_031, reason: 'Locked.', at: new Date() } }),
  ],
  ['the quality of its number', /quality of its number as low/, () => number({ quality: 'low' })],
  ['who has to agree', /marketing consent rules/, () => needsOptIn(false)],
  ['the conditions of its segment', /conditions of its segment/, ({ changeSegment }) => changeSegment()],
]
interface ReviewedDraft {
  readonly draft: { id: string; version: number }
  readonly ownTemplateId: string
  readonly save: (draft: { id: string; version: number }) => Promise<unknown>
  readonly changeSegment: () => Promise<unknown>
}
async function needsOptIn(value: boolean) {
  const { consentSettings } = parley.services
  await consentSettings.update(parley.scope, { ...(await consentSettings.read(parley.scope)), needsOptIn: value })
}

test.each(cases)(
  '%s has changed since the review: the launch says so, and sends nothing',
  async (_what, words, change) => {
    const ownTemplateId = await approvedTemplate(parley)
    const conditions = async () => ({
      match: 'all',
      conditions: [{ field: 'tags', comparison: 'contains', value: await people(2) }],
    })
    const segment = await ann().ask('POST', '/api/segments', {
      name: `S${new Types.ObjectId().toHexString()}`,
      filter: await conditions(),
    })
    const fields = fieldsFor('none', {
      templateId: ownTemplateId,
      audience: { kind: 'segment', segmentId: segment.id },
    })
    const draft = await ann().ask('POST', '/api/campaigns', fields)
    const review = await reviewed(draft)
    const before = await numbers().findOne({ _id: oid(parley.number.id) })
    await change({
      draft,
      ownTemplateId,
      save: ({ id, version }) => ann().ask('PATCH', `/api/campaigns/${id}`, { ...fields, name: 'Chai', version }),
      changeSegment: async () =>
        ann().ask('PATCH', `/api/segments/${segment.id}`, { version: segment.version, filter: await conditions() }),
    })
    const { status, body } = await launchReviewed(ann(), draft.id, review)
    expect([status, body.code]).toEqual([409, 'preflight_stale'])
    expect(body.message).toMatch(words)
    await numbers().updateOne(
      { _id: oid(parley.number.id) },
      { $set: { quality: before?.['quality'] }, $unset: { stopped: 1 } },
    )
    await needsOptIn(true)
    expect(await collection('messages').countDocuments({ 'cause.id': draft.id })).toBe(0)
    expect((await read(draft.id)).status).toBe('draft')
  },
)
