import type { SessionContext } from '@parley/contracts/profile'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { Request, Response } from 'express'
import type { SessionCookie } from '../http/cookies.ts'
import type { VerifyIdToken } from '../provider/id-token.ts'
import { hashToken } from './session-cipher.ts'
import type { HotRecord, Session } from './session-record.ts'
import { lifeOf, type SessionRefresh } from './session-refresh.ts'
import type { SessionService } from './session-service.ts'
import type { SessionStore } from './session-store.ts'

/** A token that ends sooner than this is renewed in the background while the request goes on. */
const renewAheadSeconds = 60

interface Dependencies {
  cookie: SessionCookie
  store: SessionStore
  sessions: SessionService
  refresh: SessionRefresh
  verifyIdToken: VerifyIdToken
}

/** The gate before every call that needs a signed-in user. */
export function createSessionGate({ cookie, store, sessions, refresh, verifyIdToken }: Dependencies) {
  /** @returns the live session of the request's cookie, if any. One Redis read. */
  async function find(req: Request): Promise<Session | undefined> {
    const secret = cookie.read(req)
    return secret === undefined ? undefined : store.load(secret)
  }

  /**
   * The session with its context; its token is renewed where it has ended.
   * @throws `unauthenticated` without a session, `token_rejected` or `session_changed` for a Bearer that is not its own,
   * `service_unavailable` while the context cannot be had.
   */
  async function require(
    req: Request,
    res: Response,
    needs: { bearer: boolean },
  ): Promise<Session & { hot: HotRecord & { context: SessionContext } }> {
    const found = await find(req)
    if (!found) throw errors.unauthenticated()
    if (needs.bearer) await checkBearer(req, found)
    const session = await alive(found)
    if (!session) {
      cookie.clear(res)
      throw new AppError('session_expired', 'Your session has ended. Sign in again.')
    }
    void sessions.touch(session).catch(() => undefined)
    return sessions.withContext(session)
  }

  async function alive(session: Session): Promise<Session | undefined> {
    const life = lifeOf(session)
    if (life <= 0) return refresh.renewed(session)
    if (life < renewAheadSeconds) void refresh.renewed(session).catch(() => undefined)
    return session
  }

  /** The Bearer must be a token that this session issued: its current one, or an earlier one that has not ended. */
  async function checkBearer(req: Request, session: Session): Promise<void> {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(req.get('authorization') ?? '')?.[1]
    if (!token) throw errors.tokenRejected('no Bearer token')
    if (hashToken(token) === session.hot.idTokenHash) return
    const claims = await verifyIdToken(token)
    const { sub, sid } = session.hot.claims
    if (claims.sub !== sub) {
      throw new AppError('session_changed', 'Another account has signed in in this browser. Reload the page.')
    }
    if (sid === undefined || claims.sid !== sid) throw errors.tokenRejected('a token of another session')
  }

  return { find, require }
}
export type SessionGate = ReturnType<typeof createSessionGate>
export type RequireSession = SessionGate['require']
