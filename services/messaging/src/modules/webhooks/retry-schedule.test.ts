import { expect, test } from 'vitest'
import { failedAgain, hasFailed, maxTries, nextAttemptAt, stageOf } from './retry-schedule.ts'

const at = new Date('2026-04-02T10:00:00Z')
const later = (ms: number) => new Date(at.getTime() + ms)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

test('pauses grow, are spread by a tenth, and end after the eighth attempt', () => {
  const pauses = (random: number) =>
    Array.from({ length: maxTries }, (_, index) => nextAttemptAt({ tries: index + 1, at }, random)?.getTime())
  const [early, late] = [pauses(0), pauses(1)]
  expect(early.at(-1)).toBeUndefined()
  for (const [index, time] of early.slice(0, -1).entries()) {
    const shortest = (time ?? 0) - at.getTime()
    expect(((late[index] ?? 0) - at.getTime()) / shortest).toBeCloseTo(11 / 9, 5)
  }
  expect(early.slice(0, -1).every((time, index) => index === 0 || (time ?? 0) > 0)).toBe(true)
})

test('a receiver that asks for time gets it, and no less than the usual', () => {
  expect(nextAttemptAt({ tries: 1, at, retryAfterMs: hourMs }, 0.5)).toEqual(later(hourMs))
  expect(nextAttemptAt({ tries: 4, at, retryAfterMs: 1000 }, 0.5)).toEqual(later(2 * hourMs))
})

test('ten failures in a row over a minute make a webhook fail; as many in a second do not', () => {
  const failures = (count: number, everyMs: number) => {
    let failing: ReturnType<typeof failedAgain> | undefined
    for (let index = 0; index < count; index += 1)
      failing = failedAgain(failing, { at: later(index * everyMs), status: 500 })
    return failing
  }
  const states = [failures(9, minuteMs), failures(10, 10), failures(10, minuteMs)].map(
    (each) => each && hasFailed(each),
  )
  expect(states).toEqual([false, false, true])
})

test.each([
  ['for an hour', hourMs, hourMs, 'failing'],
  ['for four days', 97 * hourMs, 96 * hourMs, 'ending'],
  ['for five days', 121 * hourMs, 120 * hourMs, 'ended'],
  ['twice within an hour, and not called since', 121 * hourMs, hourMs, 'failing'],
])('a webhook that failed %s', (_how, sinceMs, spanMs, stage) => {
  expect(stageOf({ since: at, lastAt: later(spanMs), count: 12 }, later(sinceMs))).toBe(stage)
})
