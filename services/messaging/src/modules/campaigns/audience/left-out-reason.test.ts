import { expect, test } from 'vitest'
import { type Judged, leftOutReason } from './left-out-reason.ts'

const now = new Date('2026-03-14T10:00:00Z')
const reachable: Judged = {
  to: '+919876543210',
  isExcluded: false,
  isTaken: false,
  isTooLong: false,
  consent: { marketing: 'in', utility: 'in' },
  category: 'marketing',
  needsOptIn: true,
  recentSince: new Date(now.getTime() - 86_400_000),
}
const open = { blocked: false }
const unreached = ['a', 'b', 'c']

test('whom nothing keeps from being written to is not left out', () =>
  expect(leftOutReason(open, reachable)).toBeUndefined())

/** Reasons from the last reported to the first. */
const reasons = [
  ['value_too_long', {}, { isTooLong: true }],
  ['bad_file_address', {}, { file: 'invalid' }],
  ['no_file', {}, { file: 'missing' }],
  ['recently_messaged', { lastMarketingAt: now }, {}],
  ['unreachable', { undeliveredIn: unreached }, {}],
  ['country_restricted', {}, { to: '+12125550123' }],
  ['no_opt_in', {}, { consent: { marketing: 'unknown', utility: 'in' } }],
  ['opted_out', {}, { consent: { marketing: 'out', utility: 'in' } }],
  ['no_address', {}, { to: undefined }],
  ['blocked', { blocked: true }, {}],
  ['duplicate_address', {}, { isTaken: true }],
  ['excluded', {}, { isExcluded: true }],
] as const

test.each(reasons.map(([reason], index) => [reason, index] as const))(
  '%s is told before the %i that come after it',
  (reason, index) => {
    const holding = reasons.slice(0, index + 1)
    const person = Object.assign({ ...open }, ...holding.map(([, ofPerson]) => ofPerson))
    const judged = Object.assign({ ...reachable }, ...holding.map(([, , ofJudged]) => ofJudged))
    expect(leftOutReason(person, judged)).toBe(reason)
  },
)

test.each(['utility', 'authentication'] as const)('a %s template goes to numbers of the United States', (category) =>
  expect(leftOutReason(open, { ...reachable, category, to: '+12125550123' })).toBeUndefined(),
)

test.each(['marketing', 'utility', 'authentication', undefined] as const)(
  'whom three campaigns in a row have not reached gets no %s, whom two have does',
  (category) => {
    const judge = (undeliveredIn: string[]) => leftOutReason({ ...open, undeliveredIn }, { ...reachable, category })
    expect([judge(unreached), judge(['a', 'b'])]).toEqual(['unreachable', undefined])
  },
)
