import fc from 'fast-check'
import { expect, test } from 'vitest'
import { messageStatuses, statusAfter } from './message-status.ts'
import { freeEntryAfter, isWindowOpen, windowAfter } from './service-window.ts'

test('steps in any order, doubled or not, come to the same status', () => {
  const steps = fc.constantFrom(...messageStatuses)
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 8 }), fc.nat(), (all, turn) => {
      const end = (list: typeof all) => list.reduce(statusAfter, 'queued' as const)
      const rotated = [...all.slice(turn % (all.length || 1)), ...all, ...all]
      expect(end(rotated)).toBe(end(all))
      expect(end(all.toReversed())).toBe(end(all))
    }),
  )
})

test.each([
  ['sent', 'failed', 'failed'],
  ['failed', 'delivered', 'delivered'],
  ['failed', 'sent', 'failed'],
  ['read', 'delivered', 'read'],
  ['queued', 'read', 'read'],
] as const)('%s, then %s: %s', (current, step, after) => {
  expect(statusAfter(current, step)).toBe(after)
})

test('the window is open for a day after a message', () => {
  const at = new Date('2026-01-01T00:00:00Z')
  const expires = windowAfter(at)
  expect(expires).toEqual(new Date('2026-01-02T00:00:00Z'))
  expect(isWindowOpen(expires, new Date('2026-01-01T23:59:59Z'))).toBe(true)
  expect(isWindowOpen(expires, new Date('2026-01-02T00:00:00Z'))).toBe(false)
  expect(isWindowOpen(undefined, at)).toBe(false)
})

test('an answer within a day of an ad opens three', () => {
  expect(freeEntryAfter(new Date('2026-01-02T12:00:00Z'))).toEqual({
    at: new Date('2026-01-05T12:00:00Z'),
    referredAfter: new Date('2026-01-01T12:00:00Z'),
  })
})
