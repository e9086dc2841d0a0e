import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../core/logger.ts'
import { createRepeatLog } from './queue-tools.ts'

export const defaultSweepMs = 3000
/** Factor by which the pause after a sweep that found nothing is longer than the one before. */
const growth = 1.5

/** Finds work that is due. Resolves to its amount, where it can tell: after 0 the next pause is longer. */
export type Sweep = () => Promise<unknown>

export interface SweepOptions {
  /** Longest pause in milliseconds while nothing is found; as short as the others where absent. */
  readonly idleMs?: number | undefined
  /** Returns whether it is this process's turn; asked before each sweep but the first, which finds what a restart has left. */
  readonly isItsTurn?: () => Promise<boolean>
  /** Called after a sweep that failed. */
  readonly onFailure?: () => Promise<void>
  /** Takes a function that ends the pause under way: where work may have been missed. */
  readonly onStart?: (hurry: () => void) => void
}

/**
 * Runs `sweep` at once and then again and again, one at a time; failures are logged, and the next run follows.
 * @returns what stops it, once the run under way has ended.
 */
export function sweepEvery(
  sweepMs: number,
  sweep: Sweep,
  logger: Logger,
  { idleMs = sweepMs, isItsTurn = async () => true, onFailure, onStart }: SweepOptions = {},
): () => Promise<void> {
  const stopping = new AbortController()
  const failures = createRepeatLog(logger, {}, 'a sweep of pending work failed')
  let pauseMs = sweepMs
  let pause = new AbortController()
  onStart?.(() => pause.abort())
  const sweepOnce = async () => {
    try {
      const found = await sweep()
      pauseMs = found === 0 ? Math.min(pauseMs * growth, idleMs) : sweepMs
    } catch (error) {
      failures.note(error)
      pauseMs = sweepMs
      await onFailure?.()
    }
  }
  const sweeps = (async () => {
    for (let isFirst = true; !stopping.signal.aborted; isFirst = false) {
      if (isFirst || (await isItsTurn())) await sweepOnce()
      else pauseMs = sweepMs
      pause = new AbortController()
      const signal = AbortSignal.any([stopping.signal, pause.signal])
      await wait(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  })()
  return () => {
    stopping.abort()
    failures.close()
    return sweeps
  }
}
