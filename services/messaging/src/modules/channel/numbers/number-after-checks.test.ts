import { expect, test } from 'vitest'
import { stoppedAfter } from './number-after-checks.ts'

const at = new Date('2026-05-04T10:00:00Z')
const stoppedFor = (code: number) => ({ stopped: { code, reason: 'stopped', at } })
const reached = { atWhatsApp: {}, tokenEndsAt: null }

test('a check that may not read the number stops it; one that may lets it go on', () => {
  expect(stoppedAfter({}, { noAccess: true })).toMatchObject({ code: 33 })
  expect(stoppedAfter(stoppedFor(33), reached)).toBeUndefined()
  expect(stoppedAfter(stoppedFor(33), { tokenEndsAt: null })).toMatchObject({ code: 33 })
})

test('a check of token and number ends no stop that has another reason', () => {
  expect(stoppedAfter(stoppedFor(131_031), reached)).toMatchObject({ code: 131_031 })
  expect(stoppedAfter(stoppedFor(131_042), reached)).toMatchObject({ code: 131_042 })
  expect(stoppedAfter(stoppedFor(190), { atWhatsApp: {} })).toMatchObject({ code: 190 })
  expect(stoppedAfter(stoppedFor(190), reached)).toBeUndefined()
  // The wider stop counts.
  expect(stoppedAfter(stoppedFor(131_042), { noAccess: true })).toMatchObject({ code: 33 })
})
