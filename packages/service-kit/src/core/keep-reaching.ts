import pRetry from 'p-retry'
import type { Logger } from './logger.ts'

/** Retry state of a part that does not answer yet. */
export interface Retry {
  readonly failedAttempts: number
  /** Milliseconds since 1970; in the past while an attempt is under way. */
  readonly nextAttemptAt: number
}

/** The wire form of a {@link Retry}, as `/readyz` shows it. */
export const describeRetry = ({ failedAttempts, nextAttemptAt }: Retry) => ({
  failedAttempts,
  nextAttemptInSeconds: Math.max(0, Math.round((nextAttemptAt - Date.now()) / 100) / 10),
})

/** Pauses between attempts at start: they double up to the longest; random jitter makes each up to twice as long. */
const firstPauseMs = 500
const maxPauseMs = 15_000

/** Returns the pause before the next attempt after `failedAttempts` failed ones, for a library with its own retries. */
export const pauseAfter = (failedAttempts: number): number =>
  Math.min(Math.round((1 + Math.random()) * firstPauseMs * 2 ** (failedAttempts - 1)), maxPauseMs)

/** Logs a failed attempt in one line. */
export function logFailedAttempt(logger: Logger, part: string, error: unknown, { failedAttempts, pauseMs }: Failure) {
  const reason = reasonOf(error)
  const seconds = Math.max(1, Math.round(pauseMs / 1000))
  logger.warn({ part, failedAttempts, reason }, `${part} does not answer yet; it is tried again in ${seconds} s`)
}
interface Failure {
  readonly failedAttempts: number
  readonly pauseMs: number
}

export interface Reaching {
  /** Resolves once the part was reached or the attempts were stopped. Never rejects. */
  readonly done: Promise<void>
  /** Returns the state of the retries, from the first failure until the part was reached. */
  readonly retry: () => Retry | undefined
  readonly isReached: () => boolean
  /** Prevents further attempts; the one under way learns of it by its signal. */
  readonly stop: () => void
}

/**
 * Tries to reach a part until it answers, with growing pauses and one log line for each failure.
 * @param options.attempt rejects, or resolves to false, where the part does not answer.
 * @param options.mayPass whether a retry can help after this error; always, where absent.
 * @param options.onHopeless called with an error that cannot pass; nothing is tried after it.
 */
export function keepReaching(options: {
  part: string
  logger: Logger
  attempt: (signal: AbortSignal) => Promise<unknown>
  mayPass?: (error: unknown) => boolean
  onHopeless?: (error: unknown) => void
}): Reaching {
  const { part, logger, attempt, mayPass = () => true } = options
  const stopping = new AbortController()
  let retry: Retry | undefined
  let reached = false

  const once = async () => {
    if ((await attempt(stopping.signal)) === false) throw new Error('it is not ready')
  }
  const attempts = pRetry(once, {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: firstPauseMs,
    maxTimeout: maxPauseMs,
    randomize: true,
    signal: stopping.signal,
    shouldRetry: ({ error }) => mayPass(error),
    onFailedAttempt: ({ error, attemptNumber, retryDelay }) => {
      if (!mayPass(error)) return
      retry = { failedAttempts: attemptNumber, nextAttemptAt: Date.now() + retryDelay }
      logFailedAttempt(logger, part, error, { failedAttempts: attemptNumber, pauseMs: retryDelay })
    },
  })
  const done = attempts.then(
    () => {
      if (retry) logger.info({ part, failedAttempts: retry.failedAttempts }, `${part} answers now`)
      reached = true
      retry = undefined
    },
    (error: unknown) => {
      if (!stopping.signal.aborted) options.onHopeless?.(error)
    },
  )
  return { done, retry: () => retry, isReached: () => reached, stop: () => stopping.abort() }
}

/** Returns the message of the innermost cause: the errors around it say only that something failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  return (first instanceof Error ? first.message : error.message).slice(0, 200)
}
