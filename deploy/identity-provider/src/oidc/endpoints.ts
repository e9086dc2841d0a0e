import { createHash, timingSafeEqual } from 'node:crypto'
import { decodeJwt, jwtVerify } from 'jose'
import type { Provider } from 'oidc-provider'
import { bearerToken, type Call, HttpError, type Reply, type Route, readForm, route } from '../http.ts'
import type { Keys } from '../keys.ts'
import { badRequestPage, signedOutPage } from '../pages/messages.ts'
import { type ClientConfig, mayRedirect, type RealmConfig } from '../realm-config.ts'
import type { SessionStore } from '../store/sessions.ts'
import type { AccessTokens } from './access-tokens.ts'
import { userClaims } from './claims.ts'
import type { SessionEnd } from './session-end.ts'

interface Deps {
  readonly issuer: string
  readonly realm: RealmConfig
  readonly provider: Provider
  readonly keys: Pick<Keys, 'verify'>
  readonly sessions: SessionStore
  readonly sessionEnd: SessionEnd
  readonly accessTokens: AccessTokens
}

/** The endpoints where Keycloak differs too much from the library: userinfo, logout and introspection. */
export function oidcEndpoints(deps: Deps): Route[] {
  const base = `/realms/${deps.realm.name}/protocol/openid-connect`
  return [
    route('GET', `${base}/userinfo`, (call) => userinfo(call, deps)),
    route('POST', `${base}/userinfo`, (call) => userinfo(call, deps)),
    route('POST', `${base}/logout`, (call) => refreshTokenLogout(call, deps)),
    route('GET', `${base}/logout`, (call) => browserLogout(call, deps)),
    route('POST', `${base}/token/introspect`, (call) => introspect(call, deps)),
  ]
}

/** Claims as they are now, not as they were when the token was issued. */
async function userinfo({ req }: Call, deps: Deps): Promise<Reply> {
  const token = bearerToken(req)
  const challenge = (status: number, error: string): Reply => ({
    status,
    headers: { 'WWW-Authenticate': `Bearer realm="${deps.realm.name}"${error && `, error="${error}"`}` },
  })
  if (token === undefined) return challenge(401, '')
  const found = await deps.accessTokens.userOf(token)
  if (!found) return challenge(401, 'invalid_token')
  if (!found.scope.split(' ').includes('openid')) return challenge(403, 'insufficient_scope')
  return { status: 200, body: { sub: found.user.id, ...userClaims(found.user) } }
}

/** Keycloak's own call: a client ends the session behind its refresh token. Ending it twice is no error. */
async function refreshTokenLogout({ req }: Call, deps: Deps): Promise<Reply> {
  const form = await readForm(req)
  const client = authenticateClient(deps.realm, req.headers.authorization, form)
  const value = form.get('refresh_token')
  if (!value) throw new HttpError(400, { error: 'invalid_request', error_description: 'No refresh token' })
  const token = await deps.provider.RefreshToken.find(value)
  if (!token || token.clientId !== client.clientId || token.sid === undefined) {
    throw new HttpError(400, { error: 'invalid_grant', error_description: 'Invalid refresh token' })
  }
  const session = deps.sessions.find(token.sid)
  if (session) await deps.sessionEnd.end(session)
  return { status: 204 }
}

/** OpenID Connect RP-Initiated Logout 1.0: with a genuine `id_token_hint` there is nothing to ask. */
async function browserLogout({ url }: Call, deps: Deps): Promise<Reply> {
  const hint = url.searchParams.get('id_token_hint')
  const back = url.searchParams.get('post_logout_redirect_uri')
  const claims = hint === null ? undefined : await readIdToken(hint, deps)
  if (hint !== null && !claims) return badRequestPage(deps.realm)
  const client = deps.realm.clients.find(({ clientId }) => clientId === claims?.aud)
  if (back !== null && !mayRedirect(client, back)) return badRequestPage(deps.realm)
  const session = typeof claims?.['sid'] === 'string' ? deps.sessions.find(claims['sid']) : undefined
  if (session) await deps.sessionEnd.end(session)
  if (back === null) return signedOutPage(deps.realm)
  const target = new URL(back)
  const state = url.searchParams.get('state')
  if (state !== null) target.searchParams.set('state', state)
  return { status: 302, headers: { Location: target.href } }
}

/** An expired ID token still says whose session to end. */
async function readIdToken(token: string, deps: Deps) {
  try {
    const issuedAt = decodeJwt(token).iat ?? 0
    const options = { issuer: deps.issuer, algorithms: ['RS256'], currentDate: new Date(issuedAt * 1000) }
    const { payload } = await jwtVerify(token, deps.keys.verify, options)
    return payload['typ'] === 'ID' ? payload : undefined
  } catch {
    return undefined
  }
}

/**
 * RFC 7662. Keycloak tells a client only of tokens whose audience it is; this realm's access tokens are for the account
 * endpoints, so there is nothing to tell anyone.
 */
async function introspect({ req }: Call, deps: Deps): Promise<Reply> {
  authenticateClient(deps.realm, req.headers.authorization, await readForm(req))
  return { status: 200, body: { active: false } }
}

/** Client id and secret from the Authorization header or the form (RFC 6749 section 2.3.1). */
function authenticateClient(realm: RealmConfig, header: string | undefined, form: URLSearchParams): ClientConfig {
  const basic = header === undefined ? undefined : readBasic(header)
  const clientId = basic?.clientId ?? form.get('client_id') ?? ''
  const secret = basic?.secret ?? form.get('client_secret') ?? ''
  const client = realm.clients.find((candidate) => candidate.clientId === clientId)
  if (client?.secret === undefined || !sameSecret(client.secret, secret)) {
    const error = client?.secret === undefined ? 'invalid_client' : 'unauthorized_client'
    throw new HttpError(401, { error, error_description: 'Invalid client or Invalid client credentials' })
  }
  return client
}

function readBasic(header: string): { clientId: string; secret: string } | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(header)?.[1]
  const [id, ...rest] = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':')
  try {
    return { clientId: decodeURIComponent(id ?? ''), secret: decodeURIComponent(rest.join(':')) }
  } catch {
    return undefined
  }
}

function sameSecret(expected: string, actual: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(expected), digest(actual))
}
