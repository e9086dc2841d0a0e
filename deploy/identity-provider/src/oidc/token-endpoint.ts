import type { KoaContextWithOIDC, Provider, TokenEndpointGrantContext } from 'oidc-provider'
import { clientIp } from '../http.ts'
import type { Realm } from '../realm.ts'
import { checkPassword } from '../sign-in.ts'
import type { Session } from '../store/sessions.ts'
import type { User } from '../store/users.ts'
import { keycloakAnswer, oauthError } from './errors.ts'
import { accountResource, accountResourceServer, createGrant, idTokenClaims, knownScopes } from './provider.ts'

type PasswordContext = TokenEndpointGrantContext<{ username?: string; password?: string }>

/** Adds the password grant (RFC 6749 section 4.3) and gives every answer of the token endpoint Keycloak's words. */
export function installTokenEndpoint(realm: Realm): void {
  const { provider } = realm
  provider.registerGrantType<{ username?: string; password?: string }>('password', (ctx) => passwordGrant(ctx, realm), [
    'username',
    'password',
    'scope',
  ])
  provider.on('grant.success', (ctx) => completeAnswer(ctx, realm))
  provider.on('grant.error', translateError)
  provider.on('revocation.error', translateError)
}

async function passwordGrant(ctx: PasswordContext, realm: Realm): Promise<void> {
  const { client, params } = ctx.oidc
  const { username, password = '' } = params
  if (!username) throw oauthError(401, 'invalid_request', 'Missing parameter: username')
  const scope = requestedScope(params.scope)
  const result = await checkPassword(realm, username, password)
  if (!result.ok) throw oauthError(400, 'invalid_grant', refusals[result.reason])
  const { user } = result
  if (user.requiredActions.length > 0) throw oauthError(400, 'invalid_grant', 'Account is not fully set up')
  const { clientId } = client
  const sid = await createGrant(realm.provider, user.id, clientId)
  const session = realm.sessions.start({ sid, userId: user.id, clientId, viaGoogle: false, ip: clientIp(ctx.req) })
  ctx.body = await issueTokens(ctx, realm, { user, session, scope })
}

const refusals = { credentials: 'Invalid user credentials', disabled: 'Account disabled' } as const

/** Keycloak always grants profile and email; openid only if asked for. */
function requestedScope(scope: string | undefined): string {
  const asked = scope?.split(' ').filter(Boolean) ?? []
  if (asked.some((name) => !knownScopes.includes(name)))
    throw oauthError(400, 'invalid_scope', `Invalid scopes: ${scope}`)
  return asked.includes('openid') ? 'openid profile email' : 'profile email'
}

async function issueTokens(
  ctx: PasswordContext,
  { provider, config }: Realm,
  { user, session, scope }: { user: User; session: Session; scope: string },
) {
  const { sid } = session
  const shared = { accountId: user.id, client: ctx.oidc.client, grantId: sid, gty: 'password', scope, sid }
  const resourceServer = new provider.ResourceServer(accountResource, accountResourceServer(accountResource, config))
  const accessToken = new provider.AccessToken({ ...shared, resourceServer })
  ctx.oidc.entity('AccessToken', accessToken)
  const accessTokenValue = await accessToken.save()
  const refreshToken = new provider.RefreshToken({ ...shared, acr: '1', resource: accountResource, rotations: 0 })
  ctx.oidc.entity('RefreshToken', refreshToken)
  return {
    access_token: accessTokenValue,
    expires_in: accessToken.expiration,
    refresh_token: await refreshToken.save(),
    token_type: 'Bearer',
    ...(scope.startsWith('openid') && { id_token: await issueIdToken(provider, ctx, { user, session }) }),
    scope,
  }
}

async function issueIdToken(
  provider: Provider,
  ctx: PasswordContext,
  { user, session }: { user: User; session: Session },
): Promise<string> {
  const token = new provider.IdToken({ sub: user.id }, { ctx })
  const claims = { sub: user.id, sid: session.sid, ...idTokenClaims(ctx, user, session) }
  for (const [name, value] of Object.entries(claims)) token.set(name, value)
  return token.issue({ use: 'idtoken' })
}

/** The members that Keycloak adds to RFC 6749's answer; a refresh also moves the session's idle end. */
function completeAnswer(ctx: KoaContextWithOIDC, { sessions }: Realm): void {
  const session = sessions.find(ctx.oidc.entities.RefreshToken?.sid ?? '')
  if (session) sessions.touch(session)
  ctx.body = {
    ...Object(ctx.body),
    'not-before-policy': 0,
    refresh_expires_in: session ? sessions.secondsLeft(session) : 0,
    ...(session && { session_state: session.sid }),
  }
}

function translateError(ctx: KoaContextWithOIDC, error: Parameters<typeof keycloakAnswer>[0]): void {
  const answer = keycloakAnswer(error, ctx.oidc.params?.['grant_type'])
  if (answer) Object.assign(ctx, answer)
}
