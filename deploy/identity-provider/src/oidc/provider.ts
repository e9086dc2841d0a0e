import {
  type Adapter,
  type AdapterPayload,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { badRequestPage, staleSignInPage } from '../pages/pages.ts'
import { type Realm, scopes, sessionLife, signInLife } from '../realm.ts'
import { createRecords, type Database, nowSeconds, removeOwnedBy } from '../records.ts'
import type { Keys, User } from '../stores.ts'
import { browserSessionCookie, endSession, sessionOfBrowser, startSession } from './sessions.ts'

/** Parts that the realm has before it has its provider. */
type ProviderParts = Omit<Realm, 'provider'>

/** oidc-provider with Keycloak's paths, lifetimes and claims. Paths are relative to the issuer. */
export function createProvider(parts: ProviderParts, keys: Keys): Provider {
  const { issuer, config, users, sessions, logger } = parts
  const cookie = { signed: true, httpOnly: true, sameSite: 'lax' } as const
  // No consent page follows a sign-in, as these clients are our own.
  const policy = interactionPolicy.base()
  policy.remove('consent')
  const provider = new Provider(issuer, {
    adapter: createAdapter(parts.database),
    clients: clientsOf(config),
    jwks: { keys: [keys.signing] },
    cookies: { keys: keys.cookies, short: cookie, long: cookie },
    routes: {
      authorization: '/protocol/openid-connect/auth',
      token: '/protocol/openid-connect/token',
      jwks: '/protocol/openid-connect/certs',
      userinfo: '/protocol/openid-connect/userinfo',
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      clientCredentials: { enabled: true },
      backchannelLogout: { enabled: true },
    },
    extraParams: ['kc_idp_hint'],
    scopes: scopes.split(' '),
    claims: {
      openid: ['sub', 'typ', 'sid', 'auth_time', 'identity_provider'],
      profile: ['name', 'given_name', 'family_name', 'picture'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: false,
    clientAuthMethods: ['client_secret_post', 'client_secret_basic'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    rotateRefreshToken: false,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    ttl: {
      AccessToken: config.TOKEN_LIFESPAN_SECONDS,
      ClientCredentials: config.TOKEN_LIFESPAN_SECONDS,
      IdToken: config.TOKEN_LIFESPAN_SECONDS,
      AuthorizationCode: 60,
      Interaction: signInLife,
      Session: signInLife,
      Grant: sessionLife,
      RefreshToken: sessionLife,
    },
    interactions: { policy, url: (_ctx, { uid }) => `${issuer}/login-actions/authenticate/${uid}` },
    findAccount: async (_ctx, sub, token) => {
      const user = users.find(sub)
      const viaGoogle = sessions.find(token?.grantId ?? '')?.viaGoogle ?? false
      if (!user?.enabled) return undefined
      return {
        accountId: sub,
        claims: (use) => ({ ...userClaims(user), ...(use === 'id_token' && idTokenClaims(viaGoogle)) }),
      }
    },
    loadExistingGrant: (ctx) => startCodeSession(ctx, parts),
    renderError: (ctx, out, error) => {
      logger.info({ error: out.error, err: error }, 'sign-in request refused')
      ctx.type = 'html'
      ctx.body = (error instanceof errors.SessionNotFound ? staleSignInPage : badRequestPage).page
    },
  })
  provider.on('server_error', (_ctx, error) => logger.error({ err: error }, 'oidc-provider failed'))
  // A code that comes a second time may be stolen: the library revokes its grant, and the session goes with it.
  provider.on('grant.revoked', (_ctx, sid) => void endSession({ ...parts, provider }, sid))
  return provider
}

function clientsOf(config: Config) {
  const client = (id: string, secret: string, ...grants: string[]) => ({
    client_id: id,
    client_secret: secret,
    token_endpoint_auth_method: 'client_secret_post' as const,
    grant_types: grants,
    redirect_uris: id === 'bff-web' ? [`${config.PUBLIC_ORIGIN}/auth/callback`] : [],
    response_types: id === 'bff-web' ? (['code'] as const) : [],
    // Its ID tokens then name their session.
    backchannel_logout_uri: config.BACKCHANNEL_URL,
    backchannel_logout_session_required: true,
  })
  return [
    client('bff-web', config.BFF_WEB_SECRET, 'authorization_code', 'refresh_token'),
    client('bff-password', config.BFF_PASSWORD_SECRET, 'password', 'refresh_token'),
    client('svc-identity', config.SVC_IDENTITY_SECRET, 'client_credentials'),
  ]
}

/** Claims about a person in ID tokens and userinfo, under Keycloak's names; absent where the account has no value. */
export function userClaims({ id, email, emailVerified, firstName, lastName, picture }: User) {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return {
    sub: id,
    email,
    email_verified: emailVerified,
    ...(name && { name }),
    ...(firstName && { given_name: firstName }),
    ...(lastName && { family_name: lastName }),
    ...(picture && { picture }),
  }
}

export const idTokenClaims = (viaGoogle: boolean) => ({ typ: 'ID', ...(viaGoogle && { identity_provider: 'google' }) })

/** Runs when the sign-in page has been answered: from here on the session exists. */
async function startCodeSession(ctx: KoaContextWithOIDC, parts: ProviderParts) {
  const { provider, client, account, session, result } = ctx.oidc
  if (!client || !account || !session || !result?.login) return undefined
  const { accountId: userId } = account
  const { clientId } = client
  // As in Keycloak, who signs in again in the same browser continues in the same session.
  const before = sessionOfBrowser(parts, ctx.req)
  const begun = { userId, clientId, viaGoogle: result['viaGoogle'] === true }
  const sid = await startSession({ ...parts, provider }, begun, before?.userId === userId ? before.sid : undefined)
  session.sidFor(clientId, sid)
  ctx.cookies.set(browserSessionCookie, sid, { path: '/realms/parley/', sameSite: 'lax', signed: false })
  return provider.Grant.find(sid)
}

const payloadSchema = z.custom<AdapterPayload>((value) => typeof value === 'object')

/** Creates oidc-provider's storage. What belongs to a session goes with its grant. */
const createAdapter =
  (database: Database) =>
  (model: string): Adapter => {
    const kind = `oidc:${model}`
    const records = createRecords(database, kind, payloadSchema)
    const consume = database.prepare(
      "UPDATE records SET content = json_set(content, '$.consumed', ?) WHERE kind = ? AND id = ?",
    )
    return {
      async upsert(id, payload, expiresIn = sessionLife) {
        // No browser session is kept: every sign-in asks who it is, so a leftover one signs no one in.
        if (model !== 'Session') records.put(id, payload, expiresIn, model === 'Grant' ? id : (payload.grantId ?? null))
      },
      find: async (id) => records.find(id),
      consume: async (id) => void consume.run(nowSeconds(), kind, id),
      destroy: async (id) => void records.remove(id),
      revokeByGrantId: async (grantId) => removeOwnedBy(database, grantId),
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
    }
  }
