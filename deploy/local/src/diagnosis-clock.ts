import type { Source } from './problem.ts'

/** Seconds by which two clocks may differ: tokens are refused beyond. */
const maxSkewSeconds = 30

/** Compares the clock of a server with that of this machine. @returns `undefined` where they agree, or it has told no time. */
export function judgeClock(theirs: Date, now = new Date()): Source | undefined {
  const seconds = Math.round((theirs.getTime() - now.getTime()) / 1000)
  if (!(Math.abs(seconds) > maxSkewSeconds)) return undefined
  return {
    verdict: 'problem',
    finding: `has a clock that is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of this machine`,
    remedy: 'Set both by NTP: sign-ins and signed requests are refused where clocks differ.',
  }
}
