import { subjectHeader, workspaceHeader } from '@parley/contracts/account/auth'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Request, Response } from 'express'
import type { SessionCookie } from '../http/cookies.ts'
import type { VerifyIdToken } from '../provider/id-token.ts'
import { hashToken } from './session-cipher.ts'
import type { Session, SessionWithContext } from './session-record.ts'
import { lifeOf, type SessionRefresh } from './session-refresh.ts'
import type { SessionService } from './session-service.ts'
import type { SessionStore } from './session-store.ts'

/** A token that ends sooner than this is renewed in the background while the request continues. */
const renewAheadSeconds = 60

interface Dependencies {
  cookie: SessionCookie
  store: SessionStore
  sessions: SessionService
  refresh: SessionRefresh
  verifyIdToken: VerifyIdToken
  logger: Logger
}

interface Needs {
  readonly bearer: boolean
  /** False for what a page asks by itself every few seconds: the session idles out anyway. */
  readonly countsAsUse?: boolean
}

interface ContextNeeds extends Needs {
  /** True for what is about the person alone, in whichever workspace. */
  readonly anyWorkspace?: boolean
}

/** The gate before every call that needs a signed-in user. */
export function createSessionGate({ cookie, store, sessions, refresh, verifyIdToken, logger }: Dependencies) {
  /** @returns the live session of the request's cookie, if any. One Redis read. */
  async function find(req: Request): Promise<Session | undefined> {
    const secret = cookie.read(req)
    return secret === undefined ? undefined : store.load(secret)
  }

  /**
   * Returns the live session, its token renewed where it has expired. Counts as use of the session unless stated otherwise.
   * @throws `unauthenticated` without a session, `token_rejected` or `session_changed` for a Bearer that is not its own,
   * `session_changed` for a page that expects another user to be signed in.
   */
  async function requireAlive(req: Request, res: Response, needs: Needs = { bearer: false }): Promise<Session> {
    return useOf(await find(req), req, res, needs)
  }

  async function useOf(found: Session | undefined, req: Request, res: Response, needs: Needs): Promise<Session> {
    if (!found) throw errors.unauthenticated()
    const meant = req.get(subjectHeader)
    if (meant !== undefined && meant !== found.hot.claims.sub) throw sessionChanged()
    if (needs.bearer) await checkBearer(req, found)
    const session = await alive(found)
    if (!session) {
      cookie.clear(res)
      throw errors.sessionExpired()
    }
    if (needs.countsAsUse ?? true) noteUse(session)
    return session
  }

  function noteUse(session: Session): void {
    sessions.touch(session).catch((error: unknown) => {
      logger.warn({ err: error }, 'the use of a session was not noted: it may idle out early')
    })
  }

  /**
   * The same for forwarded calls, with user, workspace and role as they are now.
   * @throws `service_unavailable` too; `workspace_changed` for a page that shows another workspace than the session's;
   * `session_expired` where the membership has ended or the session has moved, and the page does not say what it shows.
   */
  async function requireContext(req: Request, res: Response, needs: ContextNeeds): Promise<SessionWithContext> {
    const secret = cookie.read(req)
    const found = secret === undefined ? undefined : await store.loadInUse(secret)
    const shown = req.get(workspaceHeader)
    const session = await sessions.withContext(await useOf(found, req, res, needs), shown)
    if (shown !== undefined && shown !== session.hot.context.workspaceId) throw workspaceChanged()
    if (shown === undefined && session.hot.moved && !needs.anyWorkspace && req.method !== 'GET') {
      await sessions.end(session)
      throw errors.sessionExpired()
    }
    return session
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
    if (claims.sub !== sub) throw sessionChanged()
    if (sid === undefined || claims.sid !== sid) throw errors.tokenRejected('a token of another session')
  }

  return { find, requireAlive, requireContext }
}
const sessionChanged = () =>
  new AppError('session_changed', 'Another account has signed in in this browser. Reload the page.')

const workspaceChanged = () =>
  new AppError('workspace_changed', 'This browser is in another workspace now. Reload the page; nothing was changed.')

export type SessionGate = ReturnType<typeof createSessionGate>
export type RequireSession = SessionGate['requireContext']
