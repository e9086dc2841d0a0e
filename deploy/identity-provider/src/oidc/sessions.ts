import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import { formOf, HttpError } from '../http.ts'
import { type Realm, scopes, sessionLife } from '../realm.ts'
import { removeOwnedBy } from '../records.ts'
import type { Session } from '../stores.ts'

const receiverTimeoutMs = 3000

type Parts = Pick<Realm, 'config' | 'database' | 'logger' | 'provider' | 'sessions'>

/** Starts a session, or continues in the one that has the `sid`. @returns its `sid` */
export async function startSession({ provider, sessions }: Parts, session: Omit<Session, 'sid'>, goesOn?: string) {
  const grant = new provider.Grant({ accountId: session.userId, clientId: session.clientId })
  grant.addOIDCScope(scopes)
  const sid = goesOn ?? (await grant.save())
  sessions.put(sid, { ...session, sid }, sessionLife, session.userId)
  return sid
}

/**
 * Ends a session with all its tokens, and tells its client (OpenID Connect Back-Channel Logout 1.0). Waits for the receiver, but
 * one that is down or refuses never keeps a session alive.
 */
export async function endSession({ config, database, logger, provider, sessions }: Parts, sid: string): Promise<void> {
  const session = sessions.remove(sid)
  removeOwnedBy(database, sid)
  const client = session && (await provider.Client.find(session.clientId))
  if (!client) return
  const token = new provider.IdToken({}, { client })
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  for (const [name, value] of Object.entries({ sub: session.userId, sid, jti: randomUUID(), events }))
    token.set(name, value)
  try {
    const response = await fetch(config.BACKCHANNEL_URL, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ logout_token: await token.issue({ use: 'logout' }) }),
      signal: AbortSignal.timeout(receiverTimeoutMs),
    })
    await response.body?.cancel()
    if (!response.ok) logger.warn({ client: session.clientId, status: response.status }, 'logout not taken')
  } catch (error) {
    logger.warn({ client: session.clientId, err: error }, 'logout not delivered')
  }
}

export async function endAllSessions(realm: Parts, userId: string): Promise<void> {
  await Promise.all(realm.sessions.listOf(userId).map(({ sid }) => endSession(realm, sid)))
}

/** Serves Keycloak's own call by which a client ends the session behind its refresh token. */
export const logout = (realm: Realm) => async (req: Request, res: Response) => {
  const { client_id: clientId = '', client_secret: secret = '', refresh_token: value = '' } = formOf(req)
  const client = await realm.provider.Client.find(clientId)
  if (!(await client?.compareClientSecret(secret))) throw new HttpError(401, { error: 'unauthorized_client' })
  const token = await realm.provider.RefreshToken.find(value)
  if (token?.clientId !== clientId || !token.grantId) throw new HttpError(400, { error: 'invalid_grant' })
  await endSession(realm, token.grantId)
  res.status(204).end()
}

/** Cookie that names the session that was started last in a browser. It signs no one in. */
export const browserSessionCookie = 'browser_session'
const browserSessionPattern = new RegExp(`(?:^|; )${browserSessionCookie}=([\\w-]+)`)

/** The session that was started last in the browser that asks, if it lives. */
export const sessionOfBrowser = (
  { sessions }: Pick<Realm, 'sessions'>,
  { headers }: IncomingMessage,
): Session | undefined => sessions.find(browserSessionPattern.exec(headers.cookie ?? '')?.[1] ?? '')
