import type { AttemptResult } from './attempt.ts'
import { type DeliveryRecord, maxAttemptsKept } from './deliveries.model.ts'
import { deliveredKeptMs, type Settlement } from './deliveries.repository.ts'
import { nextAttemptAt } from './retry-schedule.ts'

const done = { claim: 1, leaseUntil: 1, nextAttemptAt: 1 } as const
const open = { claim: 1, leaseUntil: 1 } as const

/**
 * Returns what an attempt makes of its delivery.
 * @param result absent where there is nothing to send any more.
 * @param how.isProbe it was attempted to find out whether the receiver is back: that takes nothing from its attempts.
 */
export function settlementOf(
  row: DeliveryRecord,
  result: AttemptResult | undefined,
  { random, at, isProbe = false }: { readonly random: number; readonly at: Date; readonly isProbe?: boolean },
): Settlement & { readonly isGivenUp?: boolean } {
  if (!result) return { row, update: { $set: { state: 'skipped' }, $unset: done } }
  const { kind, sha256, retryAfterMs, isOverloaded: _isOverloaded, ...attempted } = result
  const logged = {
    $push: { log: { $each: [attempted], $slice: -maxAttemptsKept } },
    $inc: { attempts: 1, ...(!isProbe && { tries: 1 }) },
  }
  if (kind === 'delivered') {
    const expiresAt = new Date(at.getTime() + deliveredKeptMs)
    return { row, update: { ...logged, $set: { state: 'delivered', sha256, expiresAt }, $unset: done } }
  }
  if (kind === 'aborted') return { row, update: { ...logged, $set: { state: 'aborted', sha256 }, $unset: done } }
  const tries = row.tries + (isProbe ? 0 : 1)
  const next = isProbe || kind === 'gone' ? at : nextAttemptAt({ tries, at: result.at, retryAfterMs }, random)
  if (!next) {
    return { row, update: { ...logged, $set: { state: 'exhausted', sha256 }, $unset: done }, isGivenUp: true }
  }
  return { row, update: { ...logged, $set: { state: 'due', sha256, nextAttemptAt: next }, $unset: open } }
}
