import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../core/logger.ts'
import { createRepeatLog } from './queue-tools.ts'

export const defaultSweepMs = 3000

/**
 * Runs `sweep` at once and then again and again, one at a time; failures are logged, and the next run follows.
 * @returns what stops it, once the run under way has ended.
 */
export function sweepEvery(sweepMs: number, sweep: () => Promise<void>, logger: Logger): () => Promise<void> {
  const stopping = new AbortController()
  const failures = createRepeatLog(logger, {}, 'a sweep of pending work failed')
  const sweeps = (async () => {
    while (!stopping.signal.aborted) {
      await sweep().catch(failures.note)
      await wait(sweepMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return () => {
    stopping.abort()
    failures.close()
    return sweeps
  }
}
