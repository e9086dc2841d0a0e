import { percentile } from '../report.ts'

/**
 * `error`: no answer, or one that reports a component as away. `signed out`: the app took the session as ended. `refused`: a 4xx
 * for a correct request. `wrong`: a success status with another user's or no content.
 */
export type Outcome = 'begun' | 'ok' | 'error' | 'signed out' | 'refused' | 'wrong'

/** Action of a person, and its outcome. */
export interface Step {
  /** Start in epoch milliseconds. */
  readonly at: number
  readonly ms: number
  readonly email: string
  readonly name: 'sign-in' | 'session check' | 'user' | 'write' | 'sign-out'
  readonly outcome: Outcome
  /** Set for a failure. */
  readonly detail?: string
  /** Number of a write; for a read, the number that was seen. */
  readonly number?: number
}

/** The address that a write leaves, and the number read back from one; 0 where nothing was written yet. */
export const addressOf = (number: number): string => `write ${number}`
export const numberIn = (address: string): number => Number(/^write (\d+)$/.exec(address)?.[1] ?? 0)

/** Time of a fault, in epoch milliseconds. */
export interface Window {
  readonly name: string
  readonly from: number
  /** Time at which everything was repaired. */
  readonly lifted: number
  /** End of the time in which its after-effects are looked for. */
  readonly until: number
  /** Times at which something was broken within it. */
  readonly injectedAt: readonly number[]
}

const failed = ({ outcome }: Step) => outcome !== 'ok' && outcome !== 'begun'
const endOf = ({ at, ms }: Step) => at + ms

/**
 * Measures a fault's effect on people. A step belongs to the window in which it ended.
 * @returns shares of errors, in all and by what people did, and in milliseconds how long errors continued: from an injection to the
 * last one after it, and from the moment when everything had recovered. 0 without errors.
 */
export function resultOf(window: Window, steps: readonly Step[]) {
  const within = steps.filter(
    (step) => step.outcome !== 'begun' && endOf(step) >= window.from && endOf(step) < window.until,
  )
  const errors = within.filter(failed)
  const recoveries = window.injectedAt.map((at, index) => {
    const next = window.injectedAt[index + 1] ?? window.until
    const after = errors.map(endOf).filter((end) => end >= at && end < next)
    return Math.max(0, ...after.map((end) => end - at))
  })
  const byStep: Record<string, number> = {}
  for (const name of new Set(within.map((step) => step.name))) {
    const stepsOfName = within.filter((step) => step.name === name)
    byStep[name] = stepsOfName.filter(failed).length / stepsOfName.length
  }
  return {
    steps: within.length,
    errorRate: within.length > 0 ? errors.length / within.length : 0,
    byStep,
    recoveryMs: {
      median: recoveries.length > 0 ? percentile(recoveries, 0.5) : 0,
      longest: Math.max(0, ...recoveries),
    },
    afterLiftedMs: Math.max(0, ...errors.map((step) => endOf(step) - window.lifted)),
  }
}

/** A stored profile as the database has it. */
export interface Stored {
  readonly email: string
  /** Number of the write that it shows; 0 for none. */
  readonly number: number
  /** Raised by every write. */
  readonly version: number
}

/**
 * Compares what was acknowledged with what is stored. A person's writes follow each other, each with the next number: the store must
 * show the last acknowledged one or a later one whose answer got lost, and must have counted one change for each.
 * @param before the stored profiles when nothing was written yet.
 */
export function compareWrites(steps: readonly Step[], before: readonly Stored[], after: readonly Stored[]) {
  const writes = steps.filter(({ name }) => name === 'write')
  // `unknown` were neither acknowledged nor surely refused: they may have been stored.
  const ledger = { begun: 0, acknowledged: 0, unknown: 0, lost: [] as string[], doubled: [] as string[] }
  for (const { email, version: base } of before) {
    const writesOfPerson = writes.filter((step) => step.email === email)
    const begun = writesOfPerson.filter(({ outcome }) => outcome === 'begun').length
    const good = writesOfPerson.filter(({ outcome }) => outcome === 'ok').map(({ number = 0 }) => number)
    const unknown = begun - good.length
    ledger.begun += begun
    ledger.acknowledged += good.length
    ledger.unknown += unknown
    const stored = after.find((record) => record.email === email)
    const applied = (stored?.version ?? 0) - base
    const last = Math.max(0, ...good)
    if (!stored || stored.number < last || applied < good.length)
      ledger.lost.push(
        `${email}: write ${last} was acknowledged (${good.length} in all), ${stored?.number} is stored (${applied} in all)`,
      )
    if (applied > begun) ledger.doubled.push(`${email}: ${begun} writes were sent, ${applied} are stored`)
  }
  return ledger
}

/** Reads that showed less than the same person's last acknowledged write. */
export function staleReads(steps: readonly Step[]): number {
  const last = new Map<string, number>()
  let stale = 0
  for (const { name, outcome, email, number = 0 } of steps) {
    if (outcome !== 'ok') continue
    if (name === 'write') last.set(email, number)
    if (name === 'user' && number < (last.get(email) ?? 0)) stale++
  }
  return stale
}
