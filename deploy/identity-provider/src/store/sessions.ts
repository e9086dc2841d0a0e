import { z } from 'zod'
import { createRecords, type Database, nowSeconds } from './records.ts'

/** One sign-in. Times are seconds since 1970, as in tokens. */
const sessionSchema = z.object({
  /** Also the id of its grant at oidc-provider. */
  sid: z.string(),
  userId: z.string(),
  clientId: z.string(),
  /** True where Google vouched for the user, and no password. */
  viaGoogle: z.boolean(),
  ip: z.string(),
  startedAt: z.number(),
  lastSeenAt: z.number(),
})
export type Session = z.infer<typeof sessionSchema>

/** Sessions, which end when idle for `sessionIdle` or older than `sessionMax` seconds. */
export function createSessionStore(database: Database, limits: { sessionIdle: number; sessionMax: number }) {
  const { put, find, listOf, remove } = createRecords(database, 'Session', sessionSchema)

  /** Seconds until the session ends if it is not used again. */
  const secondsLeft = ({ startedAt }: Session): number =>
    Math.min(limits.sessionIdle, startedAt + limits.sessionMax - nowSeconds())

  /** Moves the idle end: the session was used just now. */
  function touch(session: Session): Session {
    const seen = { ...session, lastSeenAt: nowSeconds() }
    put(seen.sid, seen, { lifeSeconds: secondsLeft(seen), owner: seen.userId })
    return seen
  }

  const start = (session: Omit<Session, 'startedAt' | 'lastSeenAt'>): Session =>
    touch({ ...session, startedAt: nowSeconds(), lastSeenAt: 0 })

  return { start, touch, find, listOf, remove, secondsLeft }
}
