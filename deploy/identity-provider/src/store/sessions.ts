import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Database } from './database.ts'

/** One sign-in. Times are seconds since 1970, as in tokens. */
export interface Session {
  readonly sid: string
  readonly userId: string
  readonly clientId: string
  readonly grantId: string
  /** Alias of the provider that vouched for the user; null for a password. */
  readonly identityProvider: string | null
  readonly ip: string
  readonly startedAt: number
  readonly lastSeenAt: number
}

const sessionRow = z
  .object({
    sid: z.string(),
    user_id: z.string(),
    client_id: z.string(),
    grant_id: z.string(),
    identity_provider: z.string().nullable(),
    ip: z.string(),
    started_at: z.number(),
    last_seen_at: z.number(),
  })
  .transform(
    (row): Session => ({
      sid: row.sid,
      userId: row.user_id,
      clientId: row.client_id,
      grantId: row.grant_id,
      identityProvider: row.identity_provider,
      ip: row.ip,
      startedAt: row.started_at,
      lastSeenAt: row.last_seen_at,
    }),
  )

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

export type SessionStore = ReturnType<typeof createSessionStore>

/** Sessions, which end when idle for `sessionIdle` or older than `sessionMax` seconds. */
export function createSessionStore(database: Database, limits: { sessionIdle: number; sessionMax: number }) {
  const live = 'last_seen_at > ? AND started_at > ?'
  const insert = database.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const one = database.prepare(`SELECT * FROM sessions WHERE sid = ? AND ${live}`)
  const ofUser = database.prepare(`SELECT * FROM sessions WHERE user_id = ? AND ${live} ORDER BY started_at`)
  const ofGrant = database.prepare(`SELECT * FROM sessions WHERE grant_id = ? AND ${live}`)
  const renew = database.prepare(
    'UPDATE sessions SET grant_id = ?, identity_provider = ?, last_seen_at = ? WHERE sid = ?',
  )
  const seen = database.prepare('UPDATE sessions SET last_seen_at = ? WHERE sid = ?')
  const erase = database.prepare('DELETE FROM sessions WHERE sid = ?')
  const eraseDead = database.prepare(`DELETE FROM sessions WHERE NOT (${live})`)

  const floor = (): [number, number] => [nowSeconds() - limits.sessionIdle, nowSeconds() - limits.sessionMax]
  const parse = (row: unknown) => (row === undefined ? undefined : sessionRow.parse(row))

  function start(session: Omit<Session, 'sid' | 'startedAt' | 'lastSeenAt'>): Session {
    const now = nowSeconds()
    const started = { ...session, sid: randomUUID(), startedAt: now, lastSeenAt: now }
    insert.run(
      started.sid,
      started.userId,
      started.clientId,
      started.grantId,
      started.identityProvider,
      started.ip,
      started.startedAt,
      started.lastSeenAt,
    )
    return started
  }

  /** The same person has signed in again where the session lives. */
  function goOn(sid: string, { grantId, identityProvider }: Pick<Session, 'grantId' | 'identityProvider'>): void {
    renew.run(grantId, identityProvider, nowSeconds(), sid)
  }

  /** The session if it has not ended. */
  const find = (sid: string): Session | undefined => parse(one.get(sid, ...floor()))
  const findByGrant = (grantId: string): Session | undefined => parse(ofGrant.get(grantId, ...floor()))
  const listOfUser = (userId: string): Session[] => ofUser.all(userId, ...floor()).map((row) => sessionRow.parse(row))

  /** Moves the idle end: the session was used just now. */
  function touch(sid: string): void {
    seen.run(nowSeconds(), sid)
  }

  /** @returns whether it was there: of two callers at once only one hears true */
  function remove(sid: string): boolean {
    return erase.run(sid).changes > 0
  }

  /** Seconds until the session ends if it is not used again. */
  function secondsLeft(session: Session): number {
    return Math.min(limits.sessionIdle, session.startedAt + limits.sessionMax - nowSeconds())
  }

  function purge(): void {
    eraseDead.run(...floor())
  }

  return { start, goOn, find, findByGrant, listOfUser, touch, remove, secondsLeft, purge }
}
