import type { KoaContextWithOIDC, Provider, TokenEndpointGrantContext } from 'oidc-provider'
import { clientIp } from '../http.ts'
import type { RealmConfig } from '../realm-config.ts'
import type { CheckPassword } from '../sign-in.ts'
import type { Session, SessionStore } from '../store/sessions.ts'
import type { User } from '../store/users.ts'
import { keycloakAnswer, oauthError } from './errors.ts'
import { accountResource, accountResourceServer, createGrant, idTokenClaims, knownScopes } from './provider.ts'

interface Deps {
  readonly realm: RealmConfig
  readonly sessions: SessionStore
  readonly checkPassword: CheckPassword
}

type PasswordContext = TokenEndpointGrantContext<{ username?: string; password?: string }>

const refusals = {
  credentials: 'Invalid user credentials',
  disabled: 'Account disabled',
  not_set_up: 'Account is not fully set up',
} as const

/** Adds the password grant (RFC 6749 section 4.3) and gives every answer of the token endpoint Keycloak's words. */
export function installTokenEndpoint(provider: Provider, deps: Deps): void {
  provider.registerGrantType<{ username?: string; password?: string }>(
    'password',
    (ctx) => passwordGrant(provider, ctx, deps),
    ['username', 'password', 'scope'],
  )
  provider.on('grant.success', (ctx) => completeAnswer(ctx, deps.sessions))
  provider.on('grant.error', translateError)
  provider.on('revocation.error', translateError)
}

async function passwordGrant(provider: Provider, ctx: PasswordContext, deps: Deps): Promise<void> {
  const { username, password } = ctx.oidc.params
  if (!username) throw oauthError(401, 'invalid_request', 'Missing parameter: username')
  const scope = requestedScope(ctx.oidc.params.scope)
  const ip = clientIp(ctx.req)
  const result = await deps.checkPassword(username, password ?? '', ip)
  if (!result.ok) throw oauthError(400, 'invalid_grant', refusals[result.reason])

  const { user } = result
  const { client } = ctx.oidc
  const grantId = await createGrant(provider, user.id, client.clientId)
  const session = deps.sessions.start({
    userId: user.id,
    clientId: client.clientId,
    grantId,
    identityProvider: null,
    ip,
  })
  ctx.body = await issueTokens(provider, ctx, { realm: deps.realm, user, session, scope })
}

/** Keycloak always grants profile and email; openid only if asked for. */
function requestedScope(scope: string | undefined): string {
  const asked = new Set(scope?.split(' ').filter(Boolean))
  const unknown = [...asked].filter((name) => !knownScopes.some((known) => known === name))
  if (unknown.length > 0) throw oauthError(400, 'invalid_scope', `Invalid scopes: ${scope}`)
  return asked.has('openid') ? 'openid profile email' : 'profile email'
}

async function issueTokens(
  provider: Provider,
  ctx: PasswordContext,
  grant: { realm: RealmConfig; user: User; session: Session; scope: string },
) {
  const { user, session, scope } = grant
  const shared = { accountId: user.id, client: ctx.oidc.client, grantId: session.grantId, gty: 'password', scope }
  const accessToken = new provider.AccessToken({
    ...shared,
    sid: session.sid,
    resourceServer: new provider.ResourceServer(accountResource, accountResourceServer(accountResource, grant.realm)),
  })
  ctx.oidc.entity('AccessToken', accessToken)
  const accessTokenValue = await accessToken.save()
  const refreshToken = new provider.RefreshToken({
    ...shared,
    acr: '1',
    resource: accountResource,
    rotations: 0,
    sid: session.sid,
  })
  ctx.oidc.entity('RefreshToken', refreshToken)
  const refreshTokenValue = await refreshToken.save()
  return {
    access_token: accessTokenValue,
    expires_in: accessToken.expiration,
    refresh_token: refreshTokenValue,
    token_type: 'Bearer',
    ...(scope.startsWith('openid') && { id_token: await issueIdToken(provider, ctx, user, session) }),
    scope,
  }
}

async function issueIdToken(provider: Provider, ctx: PasswordContext, user: User, session: Session): Promise<string> {
  const token = new provider.IdToken({ sub: user.id }, { ctx })
  const claims = { sub: user.id, sid: session.sid, ...idTokenClaims(ctx, user, session) }
  for (const [name, value] of Object.entries(claims)) token.set(name, value)
  return token.issue({ use: 'idtoken' })
}

/** The members that Keycloak adds to RFC 6749's answer; a refresh also moves the session's idle end. */
function completeAnswer(ctx: KoaContextWithOIDC, sessions: SessionStore): void {
  const sid = ctx.oidc.entities.RefreshToken?.sid
  if (sid !== undefined) sessions.touch(sid)
  const session = sid === undefined ? undefined : sessions.find(sid)
  ctx.body = {
    ...Object(ctx.body),
    'not-before-policy': 0,
    refresh_expires_in: session ? sessions.secondsLeft(session) : 0,
    ...(session && { session_state: session.sid }),
  }
}

function translateError(ctx: KoaContextWithOIDC, error: Parameters<typeof keycloakAnswer>[0]): void {
  const answer = keycloakAnswer(error, ctx.oidc.params?.['grant_type'])
  if (!answer) return
  const { status, ...body } = answer
  ctx.status = status
  ctx.body = body
}
