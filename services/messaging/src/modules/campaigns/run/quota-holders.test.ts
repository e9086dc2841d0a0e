import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdsRows, quotaHoldOf } from './quota-holders.ts'

const now = new Date('2026-11-25T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const stateNames = ['pending', 'queued', 'sent', 'delivered', 'read', 'failed', 'uncertain', 'skipped'] as const
const tallies = fc.record(Object.fromEntries(stateNames.map((state) => [state, fc.nat({ max: 5 })])))

test('held, used and given back are together what it was launched for, whatever its rows come to', () => {
  const status = fc.constantFrom('active', 'paused', 'completed', 'cancelled')
  fc.assert(
    fc.property(tallies, fc.nat({ max: 3 }), status, fc.nat({ max: 14 }), (counted, early, status, days) => {
      const of = (state: (typeof stateNames)[number]) => counted[state] ?? 0
      const rows = stateNames.reduce((sum, state) => sum + of(state), 0) + early
      const n = rows - early
      const ended = status === 'completed' ? { completedAt: daysAgo(days) } : { stoppedAt: daysAgo(days) }
      const campaign = { status, frozen: { rows, done: true, pending: n }, hold: { period: 'months/0', n, before: 0 } }
      // Left out when the audience was written down: never a part of the hold.
      const all = { ...counted, skipped: of('skipped') + early }
      const share = quotaHoldOf({ ...campaign, ...ended }, all, now)
      const givesUp = (status === 'completed' || status === 'cancelled') && days >= 7
      const released =
        of('skipped') + of('failed') + (status === 'cancelled' ? of('pending') : 0) + (givesUp ? of('uncertain') : 0)
      expect((share?.held ?? 0) + (share?.used ?? 0) + released).toBe(n)
      expect(share?.used).toBe(of('sent') + of('delivered') + of('read'))
    }),
  )
})

test('nothing is given back before all rows are written and counted', () => {
  const hold = { period: 'months/0', n: 3, before: 0 }
  const frozen = { rows: 3, done: true, pending: 3 }
  const campaign = { status: 'active', hold, frozen } as const
  expect(quotaHoldOf(campaign, { pending: 2 }, now)).toBeUndefined()
  expect(quotaHoldOf({ ...campaign, frozen: { ...frozen, done: false } }, { pending: 3 }, now)).toBeUndefined()
  expect(quotaHoldOf(campaign, { pending: 3 }, now)).toEqual({ held: 3, used: 0 })
  // Cancelled before anyone was written down.
  const none = { ...campaign, status: 'cancelled' as const, frozen: { rows: 0, done: false } }
  expect(quotaHoldOf(none, {}, now)).toEqual({ held: 0, used: 0 })
})

test('whom it had sent to before it held anything is not counted, and what holds nothing takes nothing', () => {
  const frozen = { rows: 5, done: true }
  const counted = { sent: 3, pending: 2 }
  const resumed = { status: 'active', frozen, hold: { period: 'months/1', n: 4, before: 1 } } as const
  expect(quotaHoldOf(resumed, counted, now)).toEqual({ held: 2, used: 2 })
  expect(quotaHoldOf({ status: 'active', frozen }, counted, now)).toBeUndefined()
})

test('what was counted before the audience was written down is not what it came to', () => {
  const hold = { period: 'months/0', n: 5, before: 0 }
  const frozen = { rows: 7, done: true, pending: 6 }
  expect(holdsRows({ hold, frozen })).toBe(false)
  expect(holdsRows({ hold: { ...hold, n: 6 }, frozen })).toBe(true)
  expect(holdsRows({ hold, frozen: { ...frozen, done: false } })).toBe(true)
  expect(holdsRows({ hold, frozen: { rows: 7, done: true } })).toBe(true)
})
