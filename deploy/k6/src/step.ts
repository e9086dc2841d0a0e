/** What a step of the steady path came to; written by k6 as a line of JSON, read by `npm run bench:faults`. */
export const stepNames = ['sign-in', 'session check', 'user', 'write', 'sign-out'] as const
export type StepName = (typeof stepNames)[number]

/**
 * `error`: no answer, or one that says that something is away. `signed out`: the app took the session for ended. `refused`: a 400
 * or 403 for what is right. `wrong`: a good status with somebody else's or no content.
 */
export const outcomes = ['begun', 'ok', 'error', 'signed out', 'refused', 'wrong'] as const
export type Outcome = (typeof outcomes)[number]

/** The address that a write leaves, and the number read back from one; 0 where nothing was written yet. */
export const addressOf = (number: number): string => `write ${number}`
export const numberIn = (address: string): number => Number(/^write (\d+)$/.exec(address)?.[1] ?? 0)

/** Accounts of those who stay, and of those who come and go. */
export const people = 12
export const visitors = 4

export interface Step {
  /** Epoch milliseconds when it began. */
  readonly at: number
  readonly ms: number
  readonly email: string
  readonly name: StepName
  readonly outcome: Outcome
  /** Of a failure. */
  readonly detail?: string
  /** Of a write: its number. Of a read: the number that was seen. */
  readonly number?: number
}
