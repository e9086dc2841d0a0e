import { expect, test } from 'vitest'
import type { Group } from '../recipients/tallies.ts'
import { doubtOf, failuresIn, filesIn, inARow, type Means, obstacleOf, refusedIn } from './auto-pause.ts'

test.each([
  [9, 9, undefined],
  [10, 1, undefined],
  [50, 9, undefined],
  [10, 2, 'files_failed'],
  [50, 10, 'files_failed'],
])('of %i files %i failed: %s', (ended, failed, reason) => {
  expect(filesIn({ ended, failed, code: 9_100_001 })?.reason).toBe(reason)
})

test('a pause for files says how many, and what was wrong with the last one', () => {
  expect(filesIn({ ended: 10, failed: 2, code: 9_100_001 })?.detail).toBe(
    '2 of 10 files, the last one with: There is no file at the recipient’s address.',
  )
})

const text = { body: 'Hi', buttons: [] }
const means = (over: Partial<Means> = {}): Means => ({
  template: { ...text, status: 'approved', category: 'marketing' },
  number: { quality: 'high' },
  ...over,
})
const stopped = { code: 131042, reason: 'WhatsApp has a problem with the payment method.', at: new Date() }

test.each<[string, Partial<Means>, string | undefined]>([
  ['all is well', {}, undefined],
  ['the number is stopped', { number: { quality: 'high', stopped } }, 'number_stopped'],
  [
    'templates of the number are stopped',
    { number: { quality: 'high', stopped: { ...stopped, code: 131042 } } },
    'number_stopped',
  ],
  [
    'its marketing is stopped',
    { number: { quality: 'high', stopped: { ...stopped, code: 131048 } } },
    'number_stopped',
  ],
  [
    'its marketing is stopped and it sends none',
    {
      template: { ...text, status: 'approved', category: 'utility' },
      number: { quality: 'high', stopped: { ...stopped, code: 131048 } },
    },
    undefined,
  ],
  ['the number is gone', { number: null }, 'number_stopped'],
  ['the template is gone', { template: undefined }, 'template_not_approved'],
  [
    'the template is in review',
    { template: { ...text, status: 'pending', category: 'marketing' } },
    'template_not_approved',
  ],
])('what stands in the way where %s', (_what, over, reason) => expect(obstacleOf(means(over))?.reason).toBe(reason))

const frozen = { ...text, name: 'offer', language: 'en', category: 'marketing' as const }
test.each<[string, Parameters<typeof doubtOf>[0], Partial<Means>, string | undefined]>([
  ['nothing changed', { template: frozen }, {}, undefined],
  ['another category', { template: { ...frozen, category: 'utility' } }, {}, 'template_recategorised'],
  [
    'another text',
    { template: frozen },
    { template: { ...text, status: 'approved', category: 'marketing', footer: 'Bye' } },
    'template_changed',
  ],
  ['low quality', { template: frozen }, { number: { quality: 'low' } }, 'number_quality'],
  ['medium quality', { template: frozen }, { number: { quality: 'medium' } }, undefined],
  ['accepted quality', { template: frozen, lowQualityAccepted: true }, { number: { quality: 'low' } }, undefined],
])('what somebody has to look at where there is %s', (_what, campaign, over, reason) =>
  expect(doubtOf(campaign, means(over))?.reason).toBe(reason),
)

const failed = (code: number, count: number): Group => ({ state: 'failed', reason: String(code), count })
test.each<[string, Group[], string | undefined]>([
  ['too few to tell', [failed(131008, 49)], undefined],
  ['a quarter', [failed(131008, 25), { state: 'sent', count: 75 }], undefined],
  ['more than a quarter', [failed(131008, 26), { state: 'read', count: 74 }], 'too_many_failures'],
  ['codes that add up', [failed(131008, 13), failed(1, 13), { state: 'delivered', count: 74 }], 'too_many_failures'],
  ['reasons of the recipients', [failed(131049, 60), failed(131050, 40)], undefined],
  ['a fifth without their file', [failed(9_100_003, 20), { state: 'sent', count: 80 }], undefined],
  ['more without their file', [failed(9_100_003, 21), { state: 'sent', count: 79 }], 'files_failed'],
  ['an experiment of WhatsApp', [failed(130472, 100)], undefined],
  ['four tenths unreachable', [failed(131026, 40), { state: 'sent', count: 60 }], undefined],
  ['more unreachable', [failed(131026, 41), { state: 'sent', count: 59 }], 'too_many_unreachable'],
  [
    'what has not ended',
    [failed(131008, 40), { state: 'queued', count: 900 }, { state: 'uncertain', count: 9 }],
    undefined,
  ],
])('how many may fail: %s', (_what, groups, reason) => expect(failuresIn(groups)?.reason).toBe(reason))

test('the most frequent failure is named', () => {
  expect(failuresIn([failed(131008, 20), failed(132000, 30), { state: 'sent', count: 50 }])?.detail).toBe(
    '50 of the last 100 failed, most with: The values do not fit the template.',
  )
})

const row = (code?: number) =>
  code === undefined ? { state: 'sent' as const } : { state: 'failed' as const, reason: String(code) }
test.each([
  ['two', [row(132018), row(132018), row()], undefined],
  ['three', [row(), row(132018), row(132018), row(132005)], 'The text is too long with its values.'],
  ['three with others between', [row(132018), row(), row(132018), row(131026), row(132018)], undefined],
  ['of two kinds', [row(132018), row(131009), row(132018), row(131009)], undefined],
  ['three wrong requests', [row(131009), row(131008), row(100)], 'WhatsApp did not accept the message.'],
  ['three whom nobody can reach', [row(131026), row(131026), row(131026)], undefined],
])('failures one after the other: %s', (_what, rows, title) =>
  expect(inARow(rows)?.detail).toBe(title && `3 in a row failed, the last one with: ${title}`),
)

test('one message that failed for its template is enough', () => {
  expect(refusedIn([{ state: 'sent', count: 900 }, failed(132016, 1)])).toEqual({
    reason: 'template_refused',
    detail: 'The template is disabled.',
  })
  expect(refusedIn([failed(132018, 40)])).toBeUndefined()
})
