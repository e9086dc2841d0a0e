import { type ClientMetadata, errors, interactionPolicy, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { clientIp } from '../http.ts'
import { badRequestPage, staleSignInPage } from '../pages/pages.ts'
import type { Realm } from '../realm.ts'
import type { ClientConfig, RealmConfig } from '../realm-config.ts'
import { browserSessionCookie, sessionOfBrowser } from '../sign-in-flow.ts'
import type { Session } from '../store/sessions.ts'
import type { User } from '../store/users.ts'
import { createAdapter } from './adapter.ts'
import { userClaims } from './claims.ts'
import { oauthError } from './errors.ts'
import { endSession } from './session-end.ts'

/** Stands for the realm's own endpoints; only because the library makes a JWT of an access token that has a resource. */
export const accountResource = 'urn:parley:account'
export const knownScopes = ['openid', 'profile', 'email']

/** Every claim that an ID token may have; Keycloak gives them with any scope that includes openid. */
const idTokenClaimNames = [
  ...['sub', 'typ', 'jti', 'azp', 'sid', 'at_hash', 'acr', 'auth_time', 'identity_provider', 'email', 'email_verified'],
  ...['preferred_username', 'name', 'given_name', 'family_name', 'picture'],
]

/** Parts that a realm has before it has its provider. */
type ProviderParts = Omit<Realm, 'provider'>

/** oidc-provider with Keycloak's paths, lifetimes and claims. Paths are relative to the issuer. */
export function createProvider(parts: ProviderParts): Provider {
  const { issuer, config: realm, keys, sessions, users } = parts
  const protocol = `${issuer}/protocol/openid-connect`
  // Two realms share the host: a cookie for the whole of it would be overwritten by the other realm.
  const cookie = { signed: true, httpOnly: true, sameSite: 'lax' } as const
  const provider = new Provider(issuer, {
    adapter: createAdapter(parts.database),
    clients: realm.clients.filter((client) => client.secret !== undefined).map(clientMetadata),
    jwks: { keys: [keys.signing] },
    cookies: { keys: keys.cookies, short: cookie, long: { ...cookie, path: `/realms/${realm.name}/` } },
    routes: {
      authorization: '/protocol/openid-connect/auth',
      token: '/protocol/openid-connect/token',
      jwks: '/protocol/openid-connect/certs',
      revocation: '/protocol/openid-connect/revoke',
    },
    discovery: {
      userinfo_endpoint: `${protocol}/userinfo`,
      end_session_endpoint: `${protocol}/logout`,
      introspection_endpoint: `${protocol}/token/introspect`,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      clientCredentials: { enabled: true },
      backchannelLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => accountResource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => accountResourceServer(resource, realm),
      },
    },
    extraParams: ['kc_idp_hint'],
    scopes: knownScopes,
    claims: { openid: idTokenClaimNames, profile: [], email: [] },
    conformIdTokenClaims: false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    ttl: {
      AccessToken: realm.tokenLifespan,
      ClientCredentials: realm.tokenLifespan,
      IdToken: realm.tokenLifespan,
      AuthorizationCode: 60,
      Interaction: 1800,
      Session: 1800,
      Grant: realm.sessionMax,
      RefreshToken: realm.sessionMax,
    },
    interactions: {
      policy: alwaysAsk(),
      url: (_ctx, interaction) => `${issuer}/login-actions/authenticate/${interaction.uid}`,
    },
    extraTokenClaims: (_ctx, token) => ({
      typ: 'Bearer',
      azp: token.clientId,
      ...(token.kind === 'AccessToken' && { acr: '1', sid: token.sid }),
    }),
    findAccount: async (ctx, sub, token) => {
      const user = users.find(sub)
      if (!user) return undefined
      const session = token && sessions.find(token.grantId ?? '')
      if (token && !session) throw oauthError(400, 'invalid_grant', 'Session not active')
      if (token && !user.enabled) throw oauthError(400, 'invalid_grant', 'User disabled')
      return { accountId: user.id, claims: () => ({ sub: user.id, ...idTokenClaims(ctx, user, session) }) }
    },
    loadExistingGrant: (ctx) => startCodeSession(ctx, parts),
    renderError: (ctx, out, error) => {
      parts.logger.info({ error: out.error, err: error }, 'sign-in request refused')
      const reply = error instanceof errors.SessionNotFound ? staleSignInPage(realm) : badRequestPage(realm)
      ctx.type = 'html'
      ctx.body = reply.body
    },
  })
  provider.on('server_error', (_ctx, error) => parts.logger.error({ err: error }, 'oidc-provider failed'))
  // A code that comes a second time may be stolen: the library revokes its grant, and the session goes with it.
  provider.on('grant.revoked', (_ctx, sid) => void endSession(parts, { sid }))
  rememberAccessTokens(provider)
  return provider
}

/** Grants the realm's scopes for one session. @returns the grant's id, which the session has too */
export async function createGrant(provider: Provider, accountId: string, clientId: string): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId })
  grant.addOIDCScope(knownScopes.join(' '))
  grant.addResourceScope(accountResource, knownScopes.join(' '))
  return grant.save()
}

export function accountResourceServer(resource: string, realm: RealmConfig) {
  if (resource !== accountResource) throw new errors.InvalidTarget()
  return {
    audience: 'account',
    scope: knownScopes.join(' '),
    accessTokenTTL: realm.tokenLifespan,
    accessTokenFormat: 'jwt' as const,
    jwt: { sign: { alg: 'RS256' as const } },
  }
}

function clientMetadata(client: ClientConfig): ClientMetadata {
  return {
    client_id: client.clientId,
    client_secret: client.secret,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: [...client.grants],
    redirect_uris: [...client.redirectUris],
    response_types: client.grants.includes('authorization_code') ? ['code'] : [],
    ...(client.backchannelLogoutUrl && {
      backchannel_logout_uri: client.backchannelLogoutUrl,
      backchannel_logout_session_required: true,
    }),
  }
}

/** One prompt: who are you? It is asked at every sign-in, and no consent page follows, as these clients are our own. */
function alwaysAsk() {
  const policy = interactionPolicy.base()
  policy.remove('consent')
  const { Check } = interactionPolicy
  const login = policy.get('login')
  login?.checks.clear()
  login?.checks.add(
    new Check('sign_in', 'Sign in to continue', 'login_required', (ctx) => {
      refuseUnknownScopes(ctx.query['scope'])
      return ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
    }),
  )
  return policy
}

/** The library leaves out what it does not know, where Keycloak tells the client so. */
function refuseUnknownScopes(scope: unknown): void {
  const asked = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : []
  if (asked.some((name) => !knownScopes.includes(name)))
    throw oauthError(400, 'invalid_scope', `Invalid scopes: ${scope}`)
}

/** Runs when the sign-in page has been answered: from here on the session exists. */
async function startCodeSession(ctx: KoaContextWithOIDC, parts: ProviderParts) {
  const { provider, client, account, session, result } = ctx.oidc
  if (!client || !account || !session || !result?.login) return undefined
  const { sessions, config } = parts
  const { accountId: userId } = account
  const { clientId } = client
  const viaGoogle = result['viaGoogle'] === true
  // As in Keycloak, who signs in again in the same browser goes on in the same session.
  const before = sessionOfBrowser(parts, ctx.req)
  const goesOn = before?.userId === userId && before.clientId === clientId
  const sid = goesOn ? before.sid : await createGrant(provider, userId, clientId)
  if (goesOn) sessions.touch({ ...before, viaGoogle })
  else sessions.start({ sid, userId, clientId, viaGoogle, ip: clientIp(ctx.req) })
  session.sidFor(clientId, sid)
  const path = `/realms/${config.name}/`
  ctx.cookies.set(browserSessionCookie, sid, { path, httpOnly: true, sameSite: 'lax', signed: false })
  return provider.Grant.find(sid)
}

const issuedAccessTokens = new WeakMap<object, string>()

/** The library does not hand the access token's text to the ID token, which needs it for `at_hash`. */
function rememberAccessTokens(provider: Provider): void {
  const save = provider.AccessToken.prototype.save
  provider.AccessToken.prototype.save = async function saveAndRemember(...args) {
    const value = await save.apply(this, args)
    issuedAccessTokens.set(this, value)
    return value
  }
}

/** The ID token's claims beyond those of the protocol itself. */
export function idTokenClaims(ctx: KoaContextWithOIDC, user: User, session: Pick<Session, 'viaGoogle'> | undefined) {
  const accessToken = ctx.oidc.entities.AccessToken
  const value = accessToken && issuedAccessTokens.get(accessToken)
  return {
    typ: 'ID',
    jti: crypto.randomUUID(),
    azp: ctx.oidc.client?.clientId,
    acr: '1',
    // The library replaces the token by its hash.
    ...(value !== undefined && { at_hash: value }),
    ...userClaims(user),
    ...(session?.viaGoogle && { identity_provider: 'google' }),
  }
}
