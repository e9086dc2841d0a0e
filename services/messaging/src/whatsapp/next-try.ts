import { classifyRefusal } from './error-classes.ts'
import { codeOf } from './error-codes.ts'
import type { GraphRefusal } from './graph-answer.ts'

/** Maximum retries where WhatsApp is at fault. */
const maxRetries = 5
/** A number or customer that is at its limit is no fault of the message. */
const maxSlowRetries = 20
const firstPauseMs = 5000
const maxPauseMs = 5 * 60_000
/** Maximum n in the pause of 4^n seconds for a customer who gets too many. */
const maxContactPower = 4

export type NextTry =
  /** Asks the same again. `isLate`: WhatsApp is at fault, and neither number nor customer is at a limit. */
  | { readonly kind: 'again'; readonly pauseMs: number; readonly isLate: boolean }
  /** A member has to act, for the number or for its account. */
  | { readonly kind: 'stop_number'; readonly code: number }
  /** `spent`: retried often enough; `refused`: would be refused again. */
  | { readonly kind: 'spent' | 'refused' }

/**
 * Decides whether a call that failed is made again. The one place where retries are decided, for messages and for files in both
 * directions. @param refusal absent where nothing came back: that is no fault of what was sent, and is never spent.
 * @param tried how often it has been retried. @param isEndless true where age ends the retries, and not their number.
 */
export function nextTry(refusal: GraphRefusal | undefined, tried: number, { isEndless = !refusal } = {}): NextTry {
  const known = refusal && classifyRefusal(refusal)
  const errorClass = known?.class ?? 'retry'
  if (refusal && errorClass === 'stop_number') return { kind: 'stop_number', code: codeOf(refusal) }
  const isLate = errorClass === 'retry'
  if (!isLate && errorClass !== 'slow_number' && errorClass !== 'slow_contact') return { kind: 'refused' }
  const { firstMs = firstPauseMs, most = isLate ? maxRetries : maxSlowRetries } = known?.retries ?? {}
  if (!isEndless && tried >= most) return { kind: 'spent' }
  const usualMs =
    errorClass === 'slow_contact' ? 1000 * 4 ** Math.min(tried, maxContactPower) : usualPauseMs(tried, firstMs)
  const askedMs = (refusal?.retryAfterSeconds ?? 0) * 1000
  return { kind: 'again', pauseMs: Math.max(usualMs * (0.8 + Math.random() * 0.4), askedMs), isLate }
}

/** Returns the pause before another try, in milliseconds: it doubles up to a few minutes. */
export const usualPauseMs = (tried: number, firstMs = firstPauseMs): number =>
  Math.max(firstMs, Math.min(firstMs * 2 ** tried, maxPauseMs))
