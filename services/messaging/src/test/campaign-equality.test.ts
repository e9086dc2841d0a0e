import { campaignCostApi } from '@parley/contracts/campaigns/campaign-cost'
import { campaignReviewSchema } from '@parley/contracts/campaigns/campaign-drafts'
import { sumOf } from '@parley/contracts/usage/rate-cards'
import { newId } from '@parley/service-kit/data/plain'
import fc from 'fast-check'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ContactRecord } from '../modules/contacts/contacts.model.ts'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchReviewed,
  reviewDraft,
  sendAt,
} from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

/** The long form is `AUDIENCES=300`. */
const audiences = Number(process.env['AUDIENCES'] ?? 40)

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
/** Segment of the people who live in Berlin. */
let berlin: string
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 400)
  templateId = await approvedTemplate(parley, {
    header: 'News for {{1}}',
    body: 'Hi {{1}}, our new tea has arrived in the shop in {{2}}, and it waits there for you.',
    examples: { 1: 'Asha', 2: 'Pune' },
  })
  const conditions = [{ field: 'attributes.city', comparison: 'equals', value: 'Berlin' }]
  const segment = { name: 'Berlin', filter: { match: 'all', conditions } }
  berlin = (await parley.signIn().ask('POST', '/api/segments', segment)).id
  const price = (country: string, priceMicros: number) => ({ country, category: 'marketing', priceMicros })
  await parley.signIn().ask('POST', '/api/workspace/rate-cards', {
    effectiveFrom: await today(),
    currency: 'INR',
    rates: [price('IN', 882_503), price('DE', 9_000_001)],
  })
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 900_000 })

async function today(): Promise<string> {
  const { zone } = await parley.signIn().ask('GET', '/api/workspace/sending-hours')
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(new Date())
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const person = fc.record({
  marketing: fc.constantFrom('in', 'in', 'in', 'in', 'out', 'unknown'),
  utility: fc.constantFrom('in', 'out', undefined),
  blocked: fc.constantFrom(false, false, false, true),
  phone: fc.option(
    fc.tuple(fc.constantFrom('9198410', '9198410', '4915112', '336123', '1415555'), fc.integer({ min: 0, max: 40 })),
    {
      freq: 6,
    },
  ),
  lastMarketing: fc.constantFrom(undefined, undefined, 2, 20),
  name: fc.constantFrom('Asha Rao', 'Ravi', 'Lena', ' ', 'x'.repeat(70)),
  isMember: fc.boolean(),
  undelivered: fc.constantFrom(0, 0, 0, 0, 0, 0, 2, 3),
  city: fc.constantFrom(undefined, 'Pune', 'Berlin', 'x'.repeat(990)),
})
const rarely = fc.constantFrom(false, false, true)
const audience = fc.record({
  people: fc.array(person, { maxLength: 40, size: 'max' }),
  needsOptIn: fc.boolean(),
  recentDays: fc.constantFrom(undefined, 7),
  match: fc.constantFrom(undefined, 'any', 'any', 'all'),
  leavesOut: fc.record({ members: rarely, berlin: rarely }),
})
let audienceNo = 0

type Person = typeof person extends fc.Arbitrary<infer P> ? P : never
async function addAll(people: readonly Person[], tag: string) {
  audienceNo += 1
  for (const { marketing, utility, blocked, phone, lastMarketing, name, city, isMember, undelivered } of people) {
    const at = new Date('2026-01-05T10:00:00Z')
    const over: Partial<ContactRecord> = {
      name,
      blocked,
      attributes: city === undefined ? [] : [{ k: 'city', v: city }],
      optIn: { marketing, source: 'manual', ...(marketing !== 'unknown' && { at }) },
      ...(utility && { utilityConsent: { value: utility, at, entryId: newId() } }),
      ...(lastMarketing !== undefined && { lastMarketingAt: daysAgo(lastMarketing) }),
      ...(undelivered > 0 && { undeliveredIn: Array.from({ length: undelivered }, () => newId()) }),
      // The number of digits is that of the country; each audience has its own numbers.
      phone: phone
        ? `+${phone[0]}${String(audienceNo % 100).padStart(2, '0')}${String(phone[1]).padStart(phone[0] === '1415555' ? 2 : 3, '0')}`
        : undefined,
    }
    const tags = isMember ? [tag, memberOf(tag)] : [tag]
    await addContacts(parley.database.connection, parley.scope, { count: 1, firstPhone: 0, tags, over })
  }
}

const memberOf = (tag: string) => `${tag} member`

test('what a review says of random audiences is what comes out: counts, cost and quota, to the unit', async () => {
  const ann = parley.signIn()
  const usage = async () => (await ann.ask('GET', '/api/usage')).credits.used
  const { consentSettings } = parley.services
  const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
  process.stdout.write(`audiences of seed ${seed}\n`)
  let sent = 0
  for (const { people, needsOptIn, recentDays, match, leavesOut } of fc.sample(audience, {
    numRuns: audiences,
    seed,
  })) {
    const tag = `t${new Types.ObjectId().toHexString()}`
    await addAll(people, tag)
    await consentSettings.update(parley.scope, { ...(await consentSettings.read(parley.scope)), needsOptIn })
    const variables = { ...firstName, 2: { kind: 'field', field: 'attributes.city', fallback: 'your town' } }
    const members = people.some((person) => person.isMember) ? [memberOf(tag)] : []
    const exclude = { tags: leavesOut.members ? members : [], segmentIds: leavesOut.berlin ? [berlin] : [] }
    const chosen = { kind: 'tags', tags: [tag, memberOf(tag)], match, exclude }
    const draft = await ann.ask('POST', '/api/campaigns', {
      name: 'Equal',
      audience: chosen,
      numberId: parley.number.id,
      templateId,
      variables,
      recentDays,
    })
    const review = campaignReviewSchema.parse((await reviewDraft(ann, draft)).body)
    const { counts, cost, fallbacks, problems } = review
    const stored = await parley.database.connection
      .collection('contacts')
      .find({ ...parley.inWorkspace, tags: tag })
      .toArray()
    const isMember = ({ tags }: (typeof stored)[number]) => tags.includes(memberOf(tag))
    const isOfBerlin = ({ attributes }: (typeof stored)[number]) =>
      attributes.some(({ v }: { v: string }) => v === 'Berlin')
    const inAudience = stored.filter((contact) => match !== 'all' || isMember(contact))
    const isLeftOut = (contact: (typeof stored)[number]) =>
      (leavesOut.members && isMember(contact)) || (leavesOut.berlin && isOfBerlin(contact))
    expect(counts).toMatchObject({
      audience: inAudience.length,
      excluded: { byChoice: inAudience.filter(isLeftOut).length },
    })
    const before = await usage()
    const launched = await launchReviewed(parley.signIn(), draft.id, review)
    if (counts.recipients === 0) {
      expect([problems[0]?.code, launched.body.code]).toEqual(['audience_empty', 'audience_empty'])
      continue
    }
    const done = await eventually(async () => {
      const campaign = await ann.ask('GET', `/api/campaigns/${draft.id}`)
      expect(campaign).toMatchObject({ status: 'completed', counts: { delivered: counts.recipients } })
      return campaign
    })
    const { audience: all, excluded, recipients } = counts
    expect(done.counts).toMatchObject({ audience: all, excluded, sent: recipients, queued: 0, failed: 0, uncertain: 0 })
    await eventually(async () => expect(await usage()).toBe(before + recipients))
    const rows = await parley.database.connection
      .collection('campaignRecipients')
      .find({ campaignId: new Types.ObjectId(String(draft.id)), to: { $exists: true } })
      .toArray()
    expect(new Set(rows.map(({ to }) => to)).size).toBe(rows.length)
    expect(rows.filter(({ to }) => to.startsWith('+1'))).toEqual([])
    const filledWith = (key: string, value: string) => rows.filter(({ values }) => values[key] === value).length
    expect(fallbacks).toEqual([
      { key: '1', count: filledWith('1', 'there') },
      { key: '2', count: filledWith('2', 'your town') },
    ])
    await eventually(async () => {
      const charged = campaignCostApi.read.response.parse(await ann.ask('GET', `/api/campaigns/${draft.id}/cost`))
      const planned = sumOf(cost?.lines ?? [])
      expect(charged.planned).toEqual({ currency: 'INR', ...planned })
      expect([charged.charged[0]?.micros ?? 0, charged.unpriced]).toEqual([planned.micros, planned.unpriced])
    })
    sent += recipients
  }
  expect(sent).toBeGreaterThan(audiences)
})
