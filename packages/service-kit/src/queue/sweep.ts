import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../core/logger.ts'
import { createRepeatLog } from './queue-tools.ts'
import type { SweepTurn } from './sweep-turn.ts'

export const defaultSweepMs = 3000

/** Pauses of sweeps while nothing is done, in milliseconds, unless they are longer anyway. */
const defaultIdleMs = 15_000
/** The same for what begins at a time that people have set. */
export const clockIdleMs = 3000
/** The same for what only tidies up. */
export const upkeepIdleMs = 60_000
/** Milliseconds after which a process looks again whether it sweeps, and whether there is work by now. */
const lookMs = 1000

export interface SweepOptions {
  /** Shared by the processes of one name, of which one sweeps, and seldom while none of them has work. */
  readonly turn?: SweepTurn | undefined
  /** Pause while no process of the name has work, in milliseconds; by default 15 s. */
  readonly idleMs?: number | undefined
}

/**
 * Runs `sweep` at once and then again and again, one at a time; failures are logged, and the next run follows.
 * @returns what stops it, once the run under way has ended.
 */
export function sweepEvery(
  sweepMs: number,
  sweep: () => Promise<void>,
  logger: Logger,
  { turn, idleMs = defaultIdleMs }: SweepOptions = {},
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const failures = createRepeatLog(logger, {}, 'a sweep of pending work failed')
  const pause = (ms: number) => wait(ms, undefined, { signal }).catch(() => undefined)
  const pauseMs = () => {
    if (!turn) return sweepMs
    if (!turn.isOurs()) return Number.POSITIVE_INFINITY
    return turn.isBusy() ? sweepMs : Math.max(sweepMs, idleMs)
  }
  const sweeps = (async () => {
    await turn?.isKnown
    if (turn && !turn.isOurs()) await rest()
    while (!signal.aborted) {
      await sweep().catch(failures.note)
      await rest()
    }
  })()
  async function rest(): Promise<void> {
    const startedAt = performance.now()
    const leftMs = () => pauseMs() - (performance.now() - startedAt)
    for (let ms = leftMs(); ms > 0 && !signal.aborted; ms = leftMs()) await pause(turn ? Math.min(lookMs, ms) : ms)
  }
  return () => {
    stopping.abort()
    failures.close()
    return sweeps
  }
}
