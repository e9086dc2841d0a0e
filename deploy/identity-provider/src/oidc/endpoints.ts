import { type Request, Router, urlencoded } from 'express'
import { decodeJwt, jwtVerify } from 'jose'
import { answer, bearerToken, formOf, HttpError, queryOf, type Reply } from '../http.ts'
import { badRequestPage, signedOutPage } from '../pages/pages.ts'
import type { Realm } from '../realm.ts'
import { mayRedirect } from '../realm-config.ts'
import { verifyAccessToken } from './access-tokens.ts'
import { userClaims } from './claims.ts'
import { badClient } from './errors.ts'
import { endSession } from './session-end.ts'

/** The endpoints where Keycloak differs too much from the library: userinfo, logout and introspection. */
export const oidcEndpoints = (realm: Realm): Router =>
  Router()
    .get(
      '/userinfo',
      answer((req) => userinfo(req, realm)),
    )
    .get(
      '/logout',
      answer((req) => browserLogout(req, realm)),
    )
    .post(
      '/logout',
      urlencoded({ limit: '64kb' }),
      answer((req) => refreshTokenLogout(req, realm)),
    )
    .post(
      '/token/introspect',
      urlencoded({ limit: '64kb' }),
      answer((req) => introspect(req, realm)),
    )

/** Claims as they are now, not as they were when the token was issued. */
async function userinfo(req: Request, realm: Realm): Promise<Reply> {
  const claims = await verifyAccessToken(realm, bearerToken(req))
  const session = realm.sessions.find(claims?.sid ?? '')
  const user = session && realm.users.find(session.userId)
  const refused = (status: number, error: string): Reply => ({
    status,
    headers: { 'WWW-Authenticate': `Bearer realm="${realm.config.name}", error="${error}"` },
  })
  if (!claims || !user?.enabled) return refused(401, 'invalid_token')
  if (!claims.scope.split(' ').includes('openid')) return refused(403, 'insufficient_scope')
  return { status: 200, body: { sub: user.id, ...userClaims(user) } }
}

/** Keycloak's own call: a client ends the session behind its refresh token. Ending it twice is no error. */
async function refreshTokenLogout(req: Request, realm: Realm): Promise<Reply> {
  const clientId = await authenticateClient(req, realm)
  const token = await realm.provider.RefreshToken.find(formOf(req)['refresh_token'] ?? '')
  if (token?.clientId !== clientId || token.sid === undefined)
    throw new HttpError(400, { error: 'invalid_grant', error_description: 'Invalid refresh token' })
  await endSession(realm, { sid: token.sid })
  return { status: 204 }
}

/** OpenID Connect RP-Initiated Logout 1.0: with a genuine `id_token_hint` there is nothing to ask. */
async function browserLogout(req: Request, realm: Realm): Promise<Reply> {
  const { id_token_hint: hint, post_logout_redirect_uri: back, state } = queryOf(req)
  const claims = hint === undefined ? undefined : await readIdToken(hint, realm)
  const client = realm.config.clients.find(({ clientId }) => clientId === claims?.aud)
  if ((hint !== undefined && !claims) || (back !== undefined && !mayRedirect(client, back)))
    return badRequestPage(realm.config)
  await endSession(realm, { sid: String(claims?.['sid']) })
  if (back === undefined) return signedOutPage(realm.config)
  const target = new URL(back)
  if (state !== undefined) target.searchParams.set('state', state)
  return { status: 302, headers: { Location: target.href } }
}

/** An expired ID token still says whose session to end. */
async function readIdToken(token: string, { issuer, keys }: Realm) {
  try {
    const currentDate = new Date((decodeJwt(token).iat ?? 0) * 1000)
    const { payload } = await jwtVerify(token, keys.publicKey, { issuer, algorithms: ['RS256'], currentDate })
    return payload['typ'] === 'ID' ? payload : undefined
  } catch {
    return undefined
  }
}

/**
 * RFC 7662. Keycloak tells a client only of tokens whose audience it is; this realm's access tokens are for the account
 * endpoints, so there is nothing to tell anyone.
 */
async function introspect(req: Request, realm: Realm): Promise<Reply> {
  await authenticateClient(req, realm)
  return { status: 200, body: { active: false } }
}

/** Client id and secret from the form (RFC 6749 section 2.3.1). @returns the id */
async function authenticateClient(req: Request, { provider }: Realm): Promise<string> {
  const { client_id: clientId = '', client_secret: secret = '' } = formOf(req)
  const client = await provider.Client.find(clientId)
  if (await client?.compareClientSecret(secret)) return clientId
  throw new HttpError(401, badClient(client ? 'unauthorized_client' : 'invalid_client'))
}
