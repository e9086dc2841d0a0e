import { campaignsApi } from '@parley/contracts/campaigns/campaigns'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ContactRecord } from '../modules/contacts/contacts.model.ts'
import { addContacts, approvedTemplate, eventually, firstName, launchCampaign, sendAt } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let firstPhone = 919_841_000_000
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 150)
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const at = new Date('2026-01-05T10:00:00Z')
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

/** One contact of every kind that there is: consent to both categories, blocked or not, with an address or without, written to or not. */
async function everyKind(): Promise<string> {
  const tag = `t${new Types.ObjectId().toHexString()}`
  const kinds: Partial<ContactRecord>[] = []
  for (const marketing of ['in', 'out', 'unknown'] as const)
    for (const utility of ['in', 'out', undefined] as const)
      for (const blocked of [false, true])
        for (const hasAddress of [true, false])
          for (const lastMarketingAt of [undefined, daysAgo(3), daysAgo(30)])
            kinds.push({
              ...(lastMarketingAt && { lastMarketingAt }),
              optIn: { marketing, source: 'manual', ...(marketing !== 'unknown' && { at }) },
              ...(utility && { utilityConsent: { value: utility, at, entryId: new Types.ObjectId().toHexString() } }),
              blocked,
              ...(!hasAddress && { phone: undefined }),
            })
  for (const over of kinds) {
    firstPhone += 1
    await addContacts(parley.database.connection, parley.scope, { count: 1, firstPhone, tags: [tag], over })
  }
  return tag
}

/** A template about an order, which needs no consent to marketing. */
async function utilityTemplate(): Promise<string> {
  const owner = parley.signIn()
  const { body } = await owner.call('POST', '/api/templates', {
    name: `order_${new Types.ObjectId().toHexString()}`,
    language: 'en',
    category: 'utility',
    buttons: [],
    body: 'Hi {{1}}, your order has left our shop and reaches you on Friday.',
    examples: { 1: 'Asha' },
    accepted: ['same_text'],
  })
  await eventually(async () =>
    expect((await owner.call('GET', `/api/templates/${body.id}`)).body).toMatchObject({
      status: 'approved',
      category: 'utility',
    }),
  )
  return body.id
}

async function needsOptIn(value: boolean): Promise<void> {
  const { consentSettings } = parley.services
  await consentSettings.update(parley.scope, { ...(await consentSettings.read(parley.scope)), needsOptIn: value })
}

test.each([
  ['marketing to those who have agreed', approvedTemplate, true, undefined, { reachable: 9, recentlyMessaged: 0 }],
  [
    'marketing to all who have not opted out',
    approvedTemplate,
    false,
    undefined,
    { reachable: 18, recentlyMessaged: 0 },
  ],
  [
    'marketing once in 7 days to those who have agreed',
    approvedTemplate,
    true,
    7,
    { reachable: 6, recentlyMessaged: 3 },
  ],
  ['marketing once in 7 days to all others', approvedTemplate, false, 7, { reachable: 12, recentlyMessaged: 6 }],
  ['marketing once in 90 days', approvedTemplate, true, 90, { reachable: 3, recentlyMessaged: 6 }],
  ['utility', utilityTemplate, true, 7, { reachable: 18, recentlyMessaged: 0 }],
] as const)(
  '%s: what the review says is what comes out, to the contact',
  async (_what, makeTemplate, optIn, recentDays, expected) => {
    const [templateId, tag] = await Promise.all([makeTemplate(parley), everyKind(), needsOptIn(optIn)])
    const owner = parley.signIn()
    const audience = { kind: 'tags', tags: [tag] }
    const { body } = await owner.call('POST', '/api/campaigns/preview', { audience, templateId, recentDays })
    const review = campaignsApi.preview.response.parse(body)
    const { reachable, excluded } = review
    expect(review.audience).toBe(108)
    expect({ reachable, recentlyMessaged: excluded.recentlyMessaged }).toEqual(expected)
    const launched = await launchCampaign(owner, {
      name: 'Review',
      audience,
      numberId: parley.number.id,
      templateId,
      variables: firstName,
      recentDays,
    })
    expect(launched.body).toMatchObject({
      status: 'active',
      counts: { audience: review.audience, excluded: review.excluded, queued: review.reachable },
    })
    const done = await eventually(async () => {
      const { body: campaign } = await owner.call('GET', `/api/campaigns/${launched.body.id}`)
      expect(campaign.status).toBe('completed')
      return campaign
    })
    expect(done.counts).toMatchObject({
      audience: review.audience,
      excluded: review.excluded,
      sent: review.reachable,
      queued: 0,
      failed: 0,
      uncertain: 0,
    })
  },
)
