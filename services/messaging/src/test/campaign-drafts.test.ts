import { campaignReviewSchema } from '@parley/contracts/campaign-drafts'
import { campaignDraftSchema, campaignSchema } from '@parley/contracts/campaigns'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  reviewDraft,
  sendAt,
  sentBy,
} from './campaign-fixtures.ts'
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
    ...{ state: 'ready', counts: { audience: 25, recipients: 25 }, problems: [], warnings: [] },
    ...{ fallbacks: [{ key: '1', count: 0 }], cost: { card: null, lines: [{ country: 'IN', count: 25 }] } },
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
