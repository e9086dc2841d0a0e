import { completeDraftSchema, draftFieldsSchema } from '@parley/contracts/campaigns/campaign-fields'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { expect, test } from 'vitest'
import { type Draft, type DraftContext, draftSchemaUpTo, emptyDraft, firstOpenStep, most } from './draft.ts'
import { fieldsOf, questionOf, valuesOf } from './draft-fields.ts'
import { contactFields, likelySource, valueFor } from './variables.ts'

const context: DraftContext = {
  placeholdersOf: (id) => (id === '' ? undefined : ['1', 'city']),
  fileKindOf: (id) => (id === 'invoice' ? 'document' : undefined),
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

test('a finished draft becomes what a review takes', () => {
  expect(problemsOf({})).toEqual([])
  expect(completeDraftSchema.parse(fieldsOf(finished, context))).toEqual({
    name: 'Spring tea',
    audience: { kind: 'segment', segmentId: 'vip' },
    numberId: 'number-1',
    templateId: 'template-1',
    variables: { 1: { kind: 'field', field: 'firstName', fallback: 'there' }, city: { kind: 'text', text: 'Pune' } },
  })
  const later = { ...finished, when: 'later', date: '2026-03-14', time: '10:00' } as const
  expect(fieldsOf(later, context).schedule).toEqual({ date: '2026-03-14', time: '10:00' })
})

test('a draft can be saved however little, or too much, is written in it', () => {
  const saved = (over: Partial<Draft>) => draftFieldsSchema.parse(fieldsOf({ ...emptyDraft, ...over }, context))
  expect(saved({})).toEqual({ name: '', variables: {} })
  expect(saved({ name: `${'x'.repeat(119)} and more` }).name).toBe('x'.repeat(119))
  const long = { source: 'text', text: 'x'.repeat(most.text + 1), fallback: '' }
  expect(saved({ templateId: 'template-1', variables: { 1: long, gone: long } }).variables).toEqual({
    1: { kind: 'text', text: 'x'.repeat(most.text) },
  })
  expect(saved({ when: 'later', date: '', time: '10:00' })).not.toHaveProperty('schedule')
  expect(saved({ kind: 'tags', tags: [] })).not.toHaveProperty('audience')
})

test('what was saved is in the steps again, with its names, and what it hides stays', () => {
  const stored = { ...finished, name: 'Spring tea', when: 'later', date: '2026-03-14', time: '10:30' } as const
  const fields = fieldsOf({ ...stored, skipsRecent: true, recentDays: 14, anyHour: true }, context)
  expect(fieldsOf(valuesOf(fields), context)).toEqual(fields)
  const chosen = { ...fields, audience: { kind: 'contacts' as const, contactIds: ['a', 'b'] } }
  const names = { contacts: [{ id: 'a', name: 'Asha Rao' }] }
  const before = { ...emptyDraft, contacts: [{ value: 'b', label: 'Ravi' }], tags: ['vip'] }
  expect(valuesOf(chosen, names, before)).toMatchObject({
    kind: 'contacts',
    contacts: [
      { value: 'a', label: 'Asha Rao' },
      { value: 'b', label: 'Ravi' },
    ],
    tags: ['vip'],
  })
  const after = { ...fields, audience: { kind: 'campaign' as const, campaignId: 'c', missed: 'failed' as const } }
  expect(valuesOf(after, { earlierName: 'Summer sale' })).toMatchObject({
    kind: 'campaign',
    earlierId: 'c',
    earlierName: 'Summer sale',
    missed: 'failed',
    classes: [],
  })
  const audience = { ...after.audience, classes: ['bad_value' as const, 'retry' as const] }
  const some = valuesOf({ ...fields, audience })
  expect(fieldsOf(some, context).audience).toEqual(audience)
  const once = valuesOf({ ...fields, retryHeldBack: true })
  expect([fieldsOf(once, context).retryHeldBack, fieldsOf(some, context).retryHeldBack]).toEqual([true, undefined])
  // The classes belong to the failed recipients alone.
  expect(fieldsOf({ ...some, missed: 'not_read' }, context).audience).not.toHaveProperty('classes')
  expect(fieldsOf(valuesOf(after, {}, some), context).audience).not.toHaveProperty('classes')
})

test('whom a draft goes without is saved as long as it is switched on, and several tags are meant as they were chosen', () => {
  const audienceWith = (over: Partial<Draft>) =>
    draftFieldsSchema.parse(fieldsOf({ ...finished, ...over }, context)).audience
  const left = { withoutTags: ['staff'], withoutSegments: ['vip'] }
  const exclude = { tags: ['staff'], segmentIds: ['vip'] }
  expect(audienceWith(left)).not.toHaveProperty('exclude')
  expect(audienceWith({ ...left, leavesOut: true })).toEqual({ kind: 'segment', segmentId: 'vip', exclude })
  expect(audienceWith({ kind: 'import', importId: 'i', ...left, leavesOut: true })).toEqual({
    kind: 'import',
    importId: 'i',
    exclude,
  })
  expect(audienceWith({ leavesOut: true })).not.toHaveProperty('exclude')
  expect(audienceWith({ kind: 'tags', tags: ['a'], match: 'all' })).toEqual({ kind: 'tags', tags: ['a'] })
  const fields = fieldsOf(
    { ...finished, kind: 'tags', tags: ['a', 'b'], match: 'all', ...left, leavesOut: true },
    context,
  )
  expect(fields.audience).toEqual({ kind: 'tags', tags: ['a', 'b'], match: 'all', exclude })
  expect(fieldsOf(valuesOf(fields), context)).toEqual(fields)
  const stored = { ...fields, audience: { kind: 'tags' as const, tags: ['a', 'b'] } }
  expect(valuesOf(stored, {}, { ...finished, ...left, match: 'all', leavesOut: true })).toMatchObject({
    match: 'any',
    leavesOut: false,
    withoutTags: ['staff'],
  })
})

test('each step says what it lacks', () => {
  expect(problemsOf({ kind: 'import' })).toEqual(['importId'])
  expect(problemsOf({ leavesOut: true })).toEqual(['withoutTags'])
  expect(problemsOf({ leavesOut: true, withoutSegments: ['vip'] })).toEqual([])

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

test('whom it leaves out as written to recently is asked about, sent, and has to be a number', () => {
  const rule = { ...finished, skipsRecent: true, recentDays: 14 }
  expect(completeDraftSchema.parse(fieldsOf(rule, context))).toMatchObject({ recentDays: 14 })
  expect(fieldsOf({ ...rule, skipsRecent: false }, context)).not.toHaveProperty('recentDays')
  const audience = { kind: 'segment', segmentId: 'vip' }
  expect(questionOf(rule, context.timeZone, 'template-1')).toEqual({
    audience,
    templateId: 'template-1',
    recentDays: 14,
  })
  const later = { when: 'later', date: '2026-03-14', time: '10:00' } as const
  // The days are counted back from the day on which it begins.
  expect(questionOf({ ...rule, ...later }, context.timeZone)).toEqual({
    audience,
    recentDays: 14,
    scheduledFor: '2026-03-14T04:30:00.000Z',
  })
  for (const recentDays of [0, 91, 2.5, null])
    expect([problemsOf({ skipsRecent: true, recentDays }), problemsOf({ recentDays })]).toEqual([['recentDays'], []])
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
  const fields = ['City', 'Order No.'].map((label, index) => ({
    id: String(index),
    name: label.toLowerCase().replace(' ', '_').replace('.', ''),
    label,
    type: 'text' as const,
    choices: [],
    version: 1,
  }))
  expect(['City', 'orderNo', 'order_no', '2'].map((key) => likelySource(key, fields).source)).toEqual([
    'attributes.city',
    'attributes.order_no',
    'attributes.order_no',
    'text',
  ])
})
