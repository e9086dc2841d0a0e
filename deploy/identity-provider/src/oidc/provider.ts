import type { Logger } from '@parley/service-kit/core/logger'
import { type ClientMetadata, errors, interactionPolicy, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { clientIp } from '../http.ts'
import type { Keys } from '../keys.ts'
import { pageHeaders } from '../pages/layout.ts'
import { badRequestPage, staleSignInPage } from '../pages/messages.ts'
import type { ClientConfig, RealmConfig } from '../realm-config.ts'
import { browserSessionCookie, sessionOfBrowser } from '../sign-in-flow.ts'
import type { createProtocolRecords } from '../store/protocol-records.ts'
import type { SessionStore } from '../store/sessions.ts'
import type { User, UserStore } from '../store/users.ts'
import { userClaims } from './claims.ts'
import { oauthError } from './errors.ts'

/** Stands for the realm's own endpoints; only because the library makes a JWT of an access token that has a resource. */
export const accountResource = 'urn:parley:account'
export const knownScopes = ['openid', 'profile', 'email'] as const

/** Every claim that an ID token may have; Keycloak gives them with any scope that includes openid. */
const idTokenClaimNames = [
  ...['sub', 'typ', 'jti', 'azp', 'sid', 'at_hash', 'acr', 'auth_time', 'identity_provider', 'email', 'email_verified'],
  ...['preferred_username', 'name', 'given_name', 'family_name', 'picture'],
]

interface Deps {
  readonly issuer: string
  readonly realm: RealmConfig
  readonly keys: Keys
  readonly users: Pick<UserStore, 'find'>
  readonly sessions: SessionStore
  readonly records: ReturnType<typeof createProtocolRecords>
  readonly logger: Logger
}

/** oidc-provider with Keycloak's paths, lifetimes and claims. Paths are relative to the issuer. */
export function createProvider(deps: Deps): Provider {
  const { issuer, realm, keys } = deps
  const protocol = `${issuer}/protocol/openid-connect`
  // Two realms share the host: a cookie for the whole of it would be overwritten by the other realm.
  const cookie = { signed: true, httpOnly: true, sameSite: 'lax' } as const
  const provider = new Provider(issuer, {
    adapter: deps.records.adapterFor,
    clients: realm.clients.filter((client) => client.secret !== undefined).map(clientMetadata),
    jwks: keys.privateSet,
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
    rotateRefreshToken: false,
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
    extraTokenClaims: (_ctx, token) =>
      token.kind === 'AccessToken'
        ? accessTokenClaims(token.clientId ?? '', token.sid, deps.users.find(token.accountId))
        : serviceAccountClaims(realm, token.clientId ?? ''),
    findAccount: async (ctx, sub, source) => {
      const user = deps.users.find(sub)
      if (!user) return undefined
      const session = source && sessionOf(source, deps.sessions)
      if (source && !session) throw oauthError(400, 'invalid_grant', 'Session not active')
      if (source && !user.enabled) throw oauthError(400, 'invalid_grant', 'User disabled')
      return { accountId: user.id, claims: () => ({ sub: user.id, ...idTokenClaims(ctx, user, session) }) }
    },
    loadExistingGrant: (ctx) => startCodeSession(ctx, deps),
    renderError: (ctx, out, error) => {
      deps.logger.info({ error: out.error, err: error }, 'sign-in request refused')
      const reply = error instanceof errors.SessionNotFound ? staleSignInPage(realm) : badRequestPage(realm)
      for (const [name, value] of Object.entries(pageHeaders)) ctx.set(name, value)
      ctx.body = reply.body
    },
  })
  provider.on('server_error', (_ctx, error) => deps.logger.error({ err: error }, 'oidc-provider failed'))
  rememberAccessTokens(provider)
  return provider
}

/** Grants the realm's scopes for one sign-in; every sign-in has a grant of its own. */
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
    new Check('sign_in', 'Sign in to continue', 'login_required', (ctx) =>
      ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
    ),
  )
  return policy
}

/** A client that takes no logout tokens gets no session id; the session is then known by its grant. */
function sessionOf(source: { sid?: unknown; grantId?: unknown }, sessions: SessionStore) {
  if (typeof source.sid === 'string') return sessions.find(source.sid)
  return typeof source.grantId === 'string' ? sessions.findByGrant(source.grantId) : undefined
}

/** Runs when the sign-in page has been answered: from here on the session exists. */
async function startCodeSession(ctx: KoaContextWithOIDC, deps: Deps) {
  const { provider, client, account, session, result } = ctx.oidc
  if (!client || !account || !session || !result?.login) return undefined
  const grantId = await createGrant(provider, account.accountId, client.clientId)
  const sid = continueOrStart(ctx, { userId: account.accountId, clientId: client.clientId, grantId }, deps)
  session.sidFor(client.clientId, sid)
  const path = `/realms/${deps.realm.name}/`
  ctx.cookies.set(browserSessionCookie, sid, { path, httpOnly: true, sameSite: 'lax', signed: false })
  return provider.Grant.find(grantId)
}

/** As in Keycloak, who signs in again in the same browser goes on in the same session. @returns its id */
function continueOrStart(
  ctx: KoaContextWithOIDC,
  signIn: { userId: string; clientId: string; grantId: string },
  { sessions }: Pick<Deps, 'sessions'>,
): string {
  const alias = ctx.oidc.result?.['identityProvider']
  const identityProvider = typeof alias === 'string' ? alias : null
  const before = sessionOfBrowser(ctx.req, sessions)
  if (before?.userId !== signIn.userId || before.clientId !== signIn.clientId)
    return sessions.start({ ...signIn, identityProvider, ip: clientIp(ctx.req) }).sid
  sessions.goOn(before.sid, { grantId: signIn.grantId, identityProvider })
  return before.sid
}

function accessTokenClaims(clientId: string, sid: string | undefined, user: User | undefined) {
  return { typ: 'Bearer', azp: clientId, acr: '1', sid, ...(user && userClaims(user)) }
}

function serviceAccountClaims(realm: RealmConfig, clientId: string) {
  const roles = realm.clients.find((client) => client.clientId === clientId)?.adminRoles ?? []
  return {
    typ: 'Bearer',
    azp: clientId,
    preferred_username: `service-account-${clientId}`,
    resource_access: { 'realm-management': { roles: [...roles] } },
  }
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
export function idTokenClaims(
  ctx: KoaContextWithOIDC,
  user: User,
  session: { identityProvider: string | null } | undefined,
) {
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
    ...(session?.identityProvider && { identity_provider: session.identityProvider }),
  }
}
