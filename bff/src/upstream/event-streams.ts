import { errors } from '@parley/service-kit/core/errors'
import type { SessionWithContext } from '../session/session-record.ts'

const perUser = 20
const inTotal = 5000
/** An end of a session is noticed within this time, wherever it was made. */
const checkEveryMs = 500

interface Stream {
  /** Absent until its answer has begun. */
  end?: () => void
}
interface Watched {
  readonly session: SessionWithContext
  readonly streams: Set<Stream>
}

/**
 * The event streams that are open in this process. Each lasts as long as its session and the membership it was opened with;
 * new tokens of the same session leave it open.
 * @param isAlive whether the session may continue reading; a rejection counts as no, as it does for any other call.
 */
export function createEventStreams(isAlive: (session: SessionWithContext) => Promise<boolean>) {
  const bySession = new Map<string, Watched>()
  const countByUser = new Map<string, number>()
  let open = 0
  let isChecking = false

  /**
   * Counts a stream that is about to open.
   * @returns what counts it off again, and takes note of how to end it.
   * @throws `rate_limited` for a user with too many, `service_unavailable` where this process has.
   */
  function admit(session: SessionWithContext) {
    const { userId } = session.hot.context
    const count = countByUser.get(userId) ?? 0
    if (count >= perUser) throw errors.rateLimited(5, 'Parley is open in too many tabs. Close some of them.')
    if (open >= inTotal) throw errors.serviceUnavailable(new Error('too many event streams in this process'))
    countByUser.set(userId, count + 1)
    open += 1
    const watched = bySession.get(session.key) ?? { session, streams: new Set() }
    bySession.set(session.key, watched)
    const stream: Stream = {}
    watched.streams.add(stream)
    if (!isChecking) checkLater()

    return {
      onEvents: (end: () => void) => {
        stream.end = end
      },
      release: () => {
        open -= 1
        const left = (countByUser.get(userId) ?? 1) - 1
        if (left > 0) countByUser.set(userId, left)
        else countByUser.delete(userId)
        watched.streams.delete(stream)
        if (watched.streams.size === 0) bySession.delete(session.key)
      },
    }
  }

  function checkLater(): void {
    isChecking = true
    setTimeout(check, checkEveryMs).unref()
  }

  async function check(): Promise<void> {
    await Promise.all(
      [...bySession.values()].map(async (watched) => {
        if (!(await isAlive(watched.session).catch(() => false))) endAll(watched)
      }),
    )
    isChecking = false
    if (bySession.size > 0) checkLater()
  }

  return {
    admit,
    /** Ends every stream: the page opens its next one at another process. */
    close: () => {
      for (const watched of bySession.values()) endAll(watched)
    },
  }
}
export type EventStreams = ReturnType<typeof createEventStreams>

function endAll({ streams }: Watched): void {
  for (const stream of [...streams]) stream.end?.()
}
