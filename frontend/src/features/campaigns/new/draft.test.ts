import { newCampaignSchema } from '@parley/contracts/campaigns'
import type { Contact } from '@parley/contracts/contacts'
import { createStory } from '@parley/sample/story'
import { expect, test } from 'vitest'
import {
  campaignOf,
  type Draft,
  type DraftContext,
  draftFields,
  draftSchemaUpTo,
  emptyDraft,
  firstOpenStep,
  followUp,
  questionOf,
} from './draft.ts'
import { contactFields, likelySource, valueFor } from './variables.ts'

const context: DraftContext = {
  placeholdersOf: (id) => (id === '' ? undefined : ['1', 'city']),
  now: new Date('2026-03-09T22:15:00.000Z'),
  timeZone: 'Asia/Kolkata',
}
const finished: Draft = {
  ...emptyDraft,
  name: ' Spring tea ',
  segmentId: 'vip',
  templateId: 'template-1',
  variables: {
    1: { source: 'firstName', text: '', fallback: ' there ' },
    city: { source: 'text', text: 'Pune', fallback: '' },
  },
  numberId: 'number-1',
}
const problemsOf = (over: Partial<Draft>, over2: Partial<DraftContext> = {}) =>
  (draftSchemaUpTo('review', { ...context, ...over2 }).safeParse({ ...finished, ...over }).error?.issues ?? []).map(
    ({ path }) => path.join('.'),
  )

test('a finished draft becomes what the contract takes', () => {
  expect(problemsOf({})).toEqual([])
  expect(newCampaignSchema.parse(campaignOf(finished, context))).toEqual({
    name: 'Spring tea',
    audience: { kind: 'segment', segmentId: 'vip' },
    numberId: 'number-1',
    templateId: 'template-1',
    variables: { 1: { kind: 'field', field: 'firstName', fallback: 'there' }, city: { kind: 'text', text: 'Pune' } },
  })
  const later = campaignOf({ ...finished, when: 'later', date: '2026-03-14', time: '10:00' }, context)
  expect(later.scheduledFor).toBe('2026-03-14T04:30:00.000Z')
})

test('each step says what it lacks', () => {
  expect(problemsOf({ name: '  ' })).toEqual(['name'])
  expect(problemsOf({ name: 'x'.repeat(121) })).toEqual(['name'])
  expect(problemsOf({ segmentId: '' })).toEqual(['segmentId'])
  expect(problemsOf({ kind: 'tags' })).toEqual(['tags'])
  expect(problemsOf({ kind: 'contacts' })).toEqual(['contacts'])
  expect(problemsOf({}, { placeholdersOf: () => undefined })).toEqual(['templateId'])
  expect(problemsOf({ variables: {} })).toEqual(['variables.1.text', 'variables.city.text'])
  const blank = { source: 'name', text: 'kept', fallback: '' }
  expect(problemsOf({ variables: { ...finished.variables, 1: blank } })).toEqual(['variables.1.fallback'])
  const spaced = { source: 'text', text: 'a     b', fallback: '' }
  expect(problemsOf({ variables: { ...finished.variables, 1: spaced } })).toEqual(['variables.1.text'])
  expect(problemsOf({ numberId: '' })).toEqual(['numberId'])
})

test('a schedule must lie ahead, in the time zone that is shown', () => {
  // 03:45 in Kolkata.
  const later = { when: 'later', date: '2026-03-10' } as const
  expect(problemsOf({ ...later, time: '03:45' })).toEqual(['time'])
  expect(problemsOf({ ...later, time: '03:46' })).toEqual([])
  expect(problemsOf({ ...later, time: '' })).toEqual(['time'])
  expect(problemsOf({ when: 'later', date: '', time: '10:00' })).toEqual(['date'])
})

test('whom it leaves out as written to recently is asked about, sent, kept by what follows it, and has to be a number', () => {
  const rule = { ...finished, skipsRecent: true, recentDays: 14 }
  expect(newCampaignSchema.parse(campaignOf(rule, context))).toMatchObject({ recentDays: 14 })
  expect(campaignOf({ ...rule, skipsRecent: false }, context)).not.toHaveProperty('recentDays')
  const audience = { kind: 'segment', segmentId: 'vip' }
  expect(questionOf(rule, context.timeZone, 'template-1')).toEqual({
    audience,
    templateId: 'template-1',
    recentDays: 14,
  })
  const later = { when: 'later', date: '2026-03-14', time: '10:00' } as const
  // It is counted back from the day on which it begins.
  expect(questionOf({ ...rule, ...later }, context.timeZone)).toEqual({
    ...{ audience, recentDays: 14, scheduledFor: '2026-03-14T04:30:00.000Z' },
  })
  for (const recentDays of [0, 91, 2.5, null])
    expect([problemsOf({ skipsRecent: true, recentDays }), problemsOf({ recentDays })]).toEqual([['recentDays'], []])
  const { campaigns } = createStory({ now: context.now })
  const earlier = campaigns.get('campaign-1')
  if (!earlier) throw new Error('the sample has no such campaign')
  expect(followUp({ ...earlier, recentDays: 14 }, 'failed')).toMatchObject({ skipsRecent: true, recentDays: 14 })
  expect(followUp(earlier, 'failed')).toMatchObject({ skipsRecent: false, recentDays: 7 })
  const { skipsRecent: _, recentDays: __, ...old } = emptyDraft
  expect(draftFields.parse(old)).toEqual(emptyDraft)
})

test('a step that lies ahead does not complain, and none can be skipped', () => {
  const empty = draftSchemaUpTo('audience', { ...context, placeholdersOf: () => undefined }).safeParse(emptyDraft)
  expect(empty.error?.issues.map(({ path }) => path.join('.'))).toEqual(['name', 'segmentId'])
  expect(firstOpenStep(emptyDraft, context)).toBe('audience')
  expect(firstOpenStep({ ...finished, variables: {} }, context)).toBe('template')
  expect(firstOpenStep({ ...finished, numberId: '' }, context)).toBe('schedule')
  expect(firstOpenStep(finished, context)).toBe('review')
})

const contact: Contact = {
  id: 'contact-1',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  version: 1,
  name: 'Priya Sharma',
  phone: '+919820012345',
  tags: [],
  attributes: { city: 'Pune', last_order: ' ' },
  optIn: { marketing: 'in', source: 'checkout', at: null },
  lastContactAt: null,
  source: 'manual',
  blocked: false,
}

test('a placeholder takes the contact’s own value, or the fallback', () => {
  const from = (field: string) => valueFor({ kind: 'field', field, fallback: 'friend' }, contact)
  expect([from('firstName'), from('name'), from('phone')]).toEqual(['Priya', 'Priya Sharma', '+91 98200 12345'])
  expect([
    from('attributes.city'),
    from('attributes.last_order'),
    from('username'),
    from('attributes.toString'),
  ]).toEqual(['Pune', 'friend', 'friend', 'friend'])
  expect(valueFor({ kind: 'text', text: '20%' }, contact)).toBe('20%')
})

test('the attributes of the contacts can be chosen, and likely fields are', () => {
  expect(contactFields([contact], []).map(({ label }) => label)).toEqual([
    'First name',
    'Full name',
    'Phone number',
    'WhatsApp username',
    'City',
    'Last order',
  ])
  expect([likelySource('first_name').source, likelySource('name').source, likelySource('discount').source]).toEqual([
    'firstName',
    'name',
    'text',
  ])
})
