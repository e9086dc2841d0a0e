import { expect, test } from 'vitest'
import { countsOf, rowStateOf, sumOf, talliesOf } from './tallies.ts'

const dispatch = (state: 'queued' | 'accepted' | 'uncertain' | 'cancelled') => ({
  state,
  priority: 1,
  notBefore: new Date(),
  attempts: 0,
})

test('a row says what its message has come to', () => {
  expect(rowStateOf({ status: 'queued', dispatch: dispatch('queued') })).toEqual({ state: 'queued' })
  // The answer to the call is enough: a status may be late, or lost.
  expect(rowStateOf({ status: 'queued', dispatch: dispatch('accepted') })).toEqual({ state: 'sent' })
  expect(rowStateOf({ status: 'queued', dispatch: dispatch('uncertain') })).toEqual({ state: 'uncertain' })
  const error = { code: 131026, details: '' }
  expect(rowStateOf({ status: 'failed', error, dispatch: dispatch('accepted') })).toEqual({
    state: 'failed',
    reason: '131026',
  })
  expect(rowStateOf({ status: 'delivered', error, dispatch: dispatch('accepted') })).toEqual({ state: 'delivered' })
  expect(rowStateOf({ status: 'delivered', dispatch: dispatch('uncertain') })).toEqual({ state: 'delivered' })
  const skipped = { ...dispatch('cancelled'), reason: 'opted_out' as const }
  expect(rowStateOf({ status: 'failed', dispatch: skipped })).toEqual({ state: 'skipped', reason: 'opted_out' })
})

test('counts add up to the audience, whatever states the rows are in', () => {
  const block = talliesOf([
    { state: 'pending', count: 1 },
    { state: 'queued', count: 2 },
    { state: 'sent', count: 3 },
    { state: 'delivered', count: 4 },
    { state: 'read', clicked: true, count: 5 },
    { state: 'failed', count: 6 },
    { state: 'uncertain', count: 7 },
    { state: 'skipped', reason: 'opted_out', count: 8 },
    { state: 'skipped', reason: 'no_address', count: 9 },
    { state: 'skipped', reason: 'recently_messaged', count: 10 },
    { state: 'skipped', reason: 'excluded', count: 11 },
    { state: 'skipped', reason: 'country_restricted', count: 12 },
    { state: 'skipped', reason: 'unreachable', count: 13 },
  ])
  expect(countsOf(sumOf([block, block]))).toEqual({
    audience: 182,
    excluded: {
      byChoice: 22,
      optedOut: 16,
      noOptIn: 0,
      countryRestricted: 24,
      recentlyMessaged: 20,
      blocked: 0,
      unreachable: 44,
    },
    queued: 6,
    sent: 24,
    delivered: 18,
    read: 10,
    clicked: 10,
    replied: 0,
    failed: 12,
    uncertain: 14,
  })
})
