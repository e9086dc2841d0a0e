import { expect, test } from 'vitest'
import { compareWrites, resultOf, type Step, staleReads } from './verdict.ts'

const email = 'ann@load.parley.test'
const step = (rest: Partial<Step>): Step => ({ at: 0, ms: 10, email, name: 'user', outcome: 'ok', ...rest })
const write = (number: number, outcome: Step['outcome'] = 'ok') => [
  step({ name: 'write', outcome: 'begun', number }),
  step({ name: 'write', outcome, number }),
]
const before = [{ email, number: 0, version: 2 }]
const compare = (steps: Step[], number: number, version: number) =>
  compareWrites(steps, before, [{ email, number, version }])

test('what was acknowledged and stored once is neither lost nor doubled', () => {
  const ledger = compare([...write(1), ...write(2)], 2, 4)
  expect(ledger).toMatchObject({ begun: 2, acknowledged: 2, unknown: 0, lost: [], doubled: [] })
})

test('an acknowledged write that the store does not show is lost', () => {
  expect(compare([...write(1), ...write(2)], 1, 3).lost).toHaveLength(1)
})

test('an earlier write that vanished under a later one is lost too', () => {
  expect(compare([...write(1), ...write(2)], 2, 3).lost).toHaveLength(1)
})

test('a vanished person has lost everything', () => {
  expect(compareWrites(write(1), before, []).lost).toHaveLength(1)
})

test('a write that was stored twice is doubled', () => {
  expect(compare([...write(1), ...write(2)], 2, 5).doubled).toHaveLength(1)
})

test.each([
  [1, 3],
  [2, 4],
])('a write without an answer may be stored or not: %d', (number, version) => {
  const ledger = compare([...write(1), ...write(2, 'error')], number, version)
  expect(ledger).toMatchObject({ unknown: 1, lost: [], doubled: [] })
})

test('a read that shows less than the last acknowledged write is stale', () => {
  expect(staleReads([...write(1), ...write(2), step({ number: 1 }), step({ number: 2 })])).toBe(1)
})

test('recovery counts from each injection, the rate from the whole window', () => {
  const window = { name: 'kills', from: 1000, lifted: 3000, until: 5000, injectedAt: [1000, 2000] }
  const steps = [
    step({ at: 500, outcome: 'error' }),
    step({ at: 1100 }),
    step({ at: 1290, outcome: 'error' }),
    step({ at: 2090, outcome: 'error', name: 'write' }),
    step({ at: 3190 }),
  ]
  expect(resultOf(window, steps)).toMatchObject({
    steps: 4,
    errorRate: 0.5,
    byStep: { user: 1 / 3, write: 1 },
    recoveryMs: { median: 100, longest: 300 },
    afterLiftedMs: 0,
  })
})
