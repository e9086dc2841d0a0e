import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Realm } from '../realm.ts'
import type { Session } from '../store/sessions.ts'

const logoutTokenLife = '120s'
const receiverTimeoutMs = 3000

type Parts = Pick<Realm, 'config' | 'issuer' | 'keys' | 'sessions' | 'logger'>

/**
 * Ends a session and tells its client (OpenID Connect Back-Channel Logout 1.0, with Keycloak's token). Waits for the
 * receiver, but a receiver that is down or refuses never keeps a session alive.
 */
export async function endSession(realm: Parts, { sid }: Pick<Session, 'sid'>): Promise<void> {
  const session = realm.sessions.remove(sid)
  const url = realm.config.clients.find(({ clientId }) => clientId === session?.clientId)?.backchannelLogoutUrl
  if (!session || url === undefined) return
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ logout_token: await logoutToken(realm, session) }),
      signal: AbortSignal.timeout(receiverTimeoutMs),
    })
    await response.body?.cancel()
    if (!response.ok) realm.logger.warn({ client: session.clientId, status: response.status }, 'logout not taken')
  } catch (error) {
    realm.logger.warn({ client: session.clientId, err: error }, 'logout not delivered')
  }
}

export async function endAllSessions(realm: Parts, userId: string): Promise<void> {
  await Promise.all(realm.sessions.listOf(userId).map((session) => endSession(realm, session)))
}

const logoutToken = ({ issuer, keys }: Parts, { sid, clientId, userId }: Session): Promise<string> =>
  new SignJWT({ typ: 'Logout', sid, events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })
    .setProtectedHeader({ alg: 'RS256', typ: 'logout+jwt', kid: keys.kid })
    .setIssuer(issuer)
    .setAudience(clientId)
    .setSubject(userId)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(logoutTokenLife)
    .sign(keys.signingKey)
