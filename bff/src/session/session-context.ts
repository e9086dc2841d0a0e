import type { IdentityClaims } from '@parley/contracts/account/auth'
import type { SessionContext, SessionContextRequest } from '@parley/contracts/account/profile-internal'
import type { Logger } from '@parley/service-kit/core/logger'
import { type Session, type SessionWithContext, signInProvider } from './session-record.ts'
import type { SessionStore } from './session-store.ts'

export interface ContextDependencies {
  store: SessionStore
  /** Upserts user, workspace and membership at the profile service. */
  fetchContext: (request: SessionContextRequest) => Promise<SessionContext>
  /** Takes an account back from the person who set its password, keeping the session that proves who owns it. */
  reclaimAccount: (sub: string, keepSession: string | undefined) => Promise<void>
  logger: Logger
}

type ContextDetails = Pick<SessionContextRequest, 'startedAt' | 'reclaimed' | 'workspaceId' | 'invitation'>

/** Reads user, workspace and role of sessions from profile. */
export function createSessionContexts({ store, fetchContext, reclaimAccount, logger }: ContextDependencies) {
  const fetching = new Map<string, Promise<SessionWithContext>>()

  const contextOf = (claims: IdentityClaims, more: ContextDetails = {}) =>
    fetchContext({
      ...more,
      iss: claims.iss,
      sub: claims.sub,
      email: claims.email,
      emailVerified: claims.email_verified,
      provider: signInProvider(claims),
      claimsIat: claims.iat,
      ...(claims.name && { name: claims.name }),
      ...(claims.picture && { picture: claims.picture }),
    })

  /**
   * Returns the context of a beginning session. A password session may begin without one while profile is away. A federated one
   * may not: only profile knows whether another person set this account's password before its owner first came.
   */
  async function begin(
    claims: IdentityClaims,
    { startedAt, invitation }: { readonly startedAt?: Date; readonly invitation?: string | undefined },
  ): Promise<SessionContext | undefined> {
    const followed = invitation === undefined ? {} : { invitation }
    const federated = signInProvider(claims) !== 'password'
    if (!federated) {
      return contextOf(claims, followed).catch((error: unknown) => {
        logger.warn({ err: error }, 'session starts without its context; it is fetched with the first call')
        return undefined
      })
    }
    const begun = { ...followed, ...(startedAt && { startedAt: startedAt.toISOString() }) }
    const { reclaim, ...context } = await contextOf(claims, begun)
    if (!reclaim) return context
    await reclaimAccount(claims.sub, claims.sid)
    await store.destroyBy({ iss: claims.iss, sub: claims.sub }, { except: '' })
    return contextOf(claims, { ...begun, reclaimed: true })
  }

  /** Calls of one session at the same moment share one question. */
  function fetchAgain(session: Session): Promise<SessionWithContext> {
    const running = fetching.get(session.key)
    if (running) return running
    const started = fetchAndKeep(session).finally(() => fetching.delete(session.key))
    fetching.set(session.key, started)
    return started
  }

  async function fetchAndKeep(session: Session): Promise<SessionWithContext> {
    const before = session.hot.context?.workspaceId
    const context = await contextOf(session.hot.claims, before === undefined ? {} : { workspaceId: before })
    const hasMoved = before !== undefined && before !== context.workspaceId
    const hot = { ...session.hot, context, ...(hasMoved && { moved: true as const }) }
    const stored = await store.replace(session, hot)
    return { ...session, ...stored, hot }
  }

  return { begin, fetchAgain, of: contextOf }
}
