import type { Failing } from './webhooks.model.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Pauses after each failed attempt: a day and some hours in all. */
const pausesMs = [5 * secondMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 10 * hourMs]
export const maxTries = pausesMs.length + 1

/**
 * Returns the time at which an event is attempted again; undefined where that was the last time.
 * @param tries attempts so far, this one included.
 * @param random between 0 and 1: receivers that come back are not met by all at once.
 */
export function nextAttemptAt(
  {
    tries,
    at,
    retryAfterMs = 0,
  }: { readonly tries: number; readonly at: Date; readonly retryAfterMs?: number | undefined },
  random: number,
): Date | undefined {
  const pauseMs = pausesMs[tries - 1]
  if (pauseMs === undefined) return undefined
  return new Date(at.getTime() + Math.max(pauseMs * (0.9 + random * 0.2), retryAfterMs))
}

const failedFrom = { count: 10, ms: minuteMs }
export const probeEveryMs = 5 * minuteMs
const noticeAfterMs = 4 * dayMs
const disabledAfterMs = 5 * dayMs
/** A receiver that was not called for days did not fail for days. */
const minSpanMs = 12 * hourMs

/** One more failed attempt in a row. */
export const failedAgain = (
  before: Failing | undefined,
  { at, status }: { at: Date; status?: number | undefined },
): Failing => ({
  since: before?.since ?? at,
  lastAt: at,
  count: (before?.count ?? 0) + 1,
  ...(status !== undefined && { status }),
  ...(before?.probeAt && { probeAt: before.probeAt }),
})

/** Returns whether so many attempts have failed for so long that the others wait. */
export const hasFailed = ({ count, since, lastAt }: Failing): boolean =>
  count >= failedFrom.count && lastAt.getTime() - since.getTime() >= failedFrom.ms

/** Returns what a failed webhook has come to: nothing new, a day before its end, or its end. */
export function stageOf({ since, lastAt }: Failing, now: Date): 'failing' | 'ending' | 'ended' {
  const failedMs = now.getTime() - since.getTime()
  if (lastAt.getTime() - since.getTime() < minSpanMs) return 'failing'
  if (failedMs >= disabledAfterMs) return 'ended'
  return failedMs >= noticeAfterMs ? 'ending' : 'failing'
}
