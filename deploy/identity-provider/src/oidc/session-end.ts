import { randomUUID } from 'node:crypto'
import type { Logger } from '@parley/service-kit/core/logger'
import { SignJWT } from 'jose'
import type { Keys } from '../keys.ts'
import type { RealmConfig } from '../realm-config.ts'
import type { Session, SessionStore } from '../store/sessions.ts'

const logoutTokenSeconds = 120
const receiverTimeoutMs = 3000

export type SessionEnd = ReturnType<typeof createSessionEnd>

/** Ends sessions and tells their clients (OpenID Connect Back-Channel Logout 1.0, with Keycloak's token). */
export function createSessionEnd(deps: {
  issuer: string
  realm: RealmConfig
  keys: Pick<Keys, 'kid' | 'signingKey'>
  sessions: SessionStore
  logger: Logger
}) {
  /** Waits for the receiver, but a receiver that is down or refuses never keeps a session alive. */
  async function end(session: Session): Promise<void> {
    if (!deps.sessions.remove(session.sid)) return
    const url = deps.realm.clients.find((client) => client.clientId === session.clientId)?.backchannelLogoutUrl
    if (url === undefined) return
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ logout_token: await logoutToken(session) }),
        signal: AbortSignal.timeout(receiverTimeoutMs),
      })
      await response.body?.cancel()
      if (!response.ok) deps.logger.warn({ client: session.clientId, status: response.status }, 'logout not taken')
    } catch (error) {
      deps.logger.warn({ client: session.clientId, err: error }, 'logout not delivered')
    }
  }

  async function endAllOf(userId: string): Promise<void> {
    await Promise.all(deps.sessions.listOfUser(userId).map(end))
  }

  function logoutToken(session: Session): Promise<string> {
    return new SignJWT({
      typ: 'Logout',
      sid: session.sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
      .setProtectedHeader({ alg: 'RS256', typ: 'logout+jwt', kid: deps.keys.kid })
      .setIssuer(deps.issuer)
      .setAudience(session.clientId)
      .setSubject(session.userId)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${logoutTokenSeconds}s`)
      .sign(deps.keys.signingKey)
  }

  return { end, endAllOf }
}
