import { ClientSecretRefused, createClientSecrets } from '@parley/service-kit/core/client-secrets'
import { errors } from '@parley/service-kit/core/errors'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  fetchUserInfo,
  genericGrantRequest,
  ResponseBodyError,
  refreshTokenGrant,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { z } from 'zod'
import { currentRequest } from '../http/current-request.ts'
import type { SessionClient } from '../session/session-record.ts'

const tokenSetSchema = z.object({ id_token: z.string(), access_token: z.string(), refresh_token: z.string() })
export interface TokenSet {
  readonly idToken: string
  readonly accessToken: string
  readonly refreshToken: string
}

/** Thrown where the provider refuses a grant. A grant that it could not answer is thrown as unavailable. */
export class GrantRefused extends Error {
  readonly reason: 'invalid_grant' | 'interaction_required'
  constructor(reason: 'invalid_grant' | 'interaction_required') {
    super(`the identity provider refused the grant: ${reason}`)
    this.name = 'GrantRefused'
    this.reason = reason
  }
}

/** State of a sign-in that the BFF keeps between sending the browser away and its return. */
interface CodeFlow {
  readonly state: string
  readonly nonce: string
  /** PKCE code verifier. */
  readonly verifier: string
  readonly redirectUri: string
}

interface ClientCredentials {
  readonly id: string
  /** Secrets of the client: two while one is being replaced. */
  readonly secrets: readonly string[]
}

const timeoutSeconds = 4
/** Time limit of a sign-in, which cannot be repeated unseen: a code is valid once, and each password attempt counts. */
const signInTimeoutSeconds = 8

/** The identity provider as the BFF uses it, by Keycloak's paths below the issuer. Each call ends within 4 s, a sign-in within 8 s. */
export function createProviderClient(options: {
  issuer: string
  /** Address at which this process reaches the realm; the issuer itself where absent. */
  reachableAt?: string | undefined
  clients: Record<SessionClient, ClientCredentials>
  fetch?: typeof globalThis.fetch
}) {
  const fetch = options.fetch ?? globalThis.fetch
  const base = `${options.reachableAt ?? options.issuer}/protocol/openid-connect`
  const configure = (id: string, secret: string, timeout: number) => {
    const config = new Configuration(
      {
        issuer: options.issuer,
        authorization_endpoint: `${options.issuer}/protocol/openid-connect/auth`,
        token_endpoint: `${base}/token`,
        userinfo_endpoint: `${base}/userinfo`,
        jwks_uri: `${base}/certs`,
        // RFC 9207: an answer without `iss` is refused like one with a wrong one.
        authorization_response_iss_parameter_supported: true,
      },
      id,
      secret,
      ClientSecretPost(secret),
    )
    config.timeout = timeout
    if (base.startsWith('http:')) allowInsecureRequests(config)
    config[customFetch] = (url, init) => {
      // Passed on for the provider's own limits and events.
      const address = currentRequest.getStore()?.clientAddress
      return fetch(url, {
        ...init,
        body: init.body ?? null,
        signal: init.signal ?? null,
        headers: { ...init.headers, ...(address && { 'x-forwarded-for': address }) },
      })
    }
    return config
  }
  const clients = { web: createClient(options.clients.web), password: createClient(options.clients.password) }

  /** A client under each of its secrets. */
  function createClient({ id, secrets }: ClientCredentials) {
    const withSecret = createClientSecrets(secrets)
    const configuredFor = (timeout: number) => {
      const known = new Map(secrets.map((secret) => [secret, configure(id, secret, timeout)]))
      return (secret = secrets[0] ?? '') => known.get(secret) ?? configure(id, secret, timeout)
    }
    const granting =
      (configured: ReturnType<typeof configuredFor>) => (request: (config: Configuration) => Promise<unknown>) =>
        withSecret((secret) => request(configured(secret)).catch(refuse)).catch(secretRefused)
    const configured = configuredFor(timeoutSeconds)
    const signIn = granting(configuredFor(signInTimeoutSeconds))
    return { id, withSecret, configured, grant: granting(configured), signIn }
  }

  /** Resource owner password grant (RFC 6749 section 4.3): see the decision record on why it is there at all. */
  const passwordGrant = (username: string, password: string): Promise<TokenSet> =>
    tokens(
      clients.password.signIn((config) =>
        genericGrantRequest(config, 'password', { username, password, scope: 'openid profile email' }),
      ),
    )

  /**
   * Returns the address of the provider's own pages for a sign-in (authorization code flow with PKCE).
   * @param hints.alias an identity provider to go straight to (`google`), past the provider's own login page.
   */
  async function authorizationUrl(
    flow: CodeFlow,
    hints: { alias?: string; loginHint?: string; prompt?: string },
  ): Promise<URL> {
    const url = buildAuthorizationUrl(clients.web.configured(), {
      response_type: 'code',
      redirect_uri: flow.redirectUri,
      scope: 'openid profile email',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    })
    const extra = { kc_idp_hint: hints.alias, login_hint: hints.loginHint, prompt: hints.prompt }
    for (const [name, value] of Object.entries(extra)) if (value) url.searchParams.set(name, value)
    return url
  }

  /** Redeems the code of a callback; checks state, `iss` (RFC 9207), nonce and PKCE. */
  const redeemCode = (callbackUrl: URL, flow: CodeFlow): Promise<TokenSet> =>
    tokens(
      clients.web.signIn((config) =>
        authorizationCodeGrant(config, callbackUrl, {
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          pkceCodeVerifier: flow.verifier,
          idTokenExpected: true,
        }),
      ),
    )

  const refresh = (client: SessionClient, refreshToken: string): Promise<TokenSet> =>
    tokens(clients[client].grant((config) => refreshTokenGrant(config, refreshToken)))

  /** Returns the live claims of the account, not those of some earlier token. */
  async function userInfo(client: SessionClient, accessToken: string, sub: string) {
    const claims = await fetchUserInfo(clients[client].configured(), accessToken, sub).catch((cause: unknown) => {
      throw errors.identityProviderUnavailable(cause)
    })
    return { emailVerified: claims.email_verified === true }
  }

  /** Ends the session at the provider by its refresh token (Keycloak's logout call). */
  async function endSession(client: SessionClient, refreshToken: string): Promise<void> {
    const { id, withSecret } = clients[client]
    await withSecret(async (secret) => {
      const response = await fetch(`${base}/logout`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: id, client_secret: secret, refresh_token: refreshToken }),
        signal: AbortSignal.timeout(2000),
      })
      const problem = new Error(`logout answered ${response.status}`)
      if (response.status === 401) throw new ClientSecretRefused(problem)
      if (response.status >= 500) throw errors.identityProviderUnavailable(problem)
    }).catch(secretRefused)
  }

  return {
    authorizationUrl,
    redeemCode,
    passwordGrant,
    refresh,
    userInfo,
    endSession,
    clientIds: [options.clients.web.id, options.clients.password.id],
  }
}
export type ProviderClient = ReturnType<typeof createProviderClient>

async function tokens(granting: Promise<unknown>): Promise<TokenSet> {
  const answer = tokenSetSchema.safeParse(await granting)
  if (!answer.success) throw errors.identityProviderUnavailable(new Error('the token answer lacks a token'))
  const { id_token: idToken, access_token: accessToken, refresh_token: refreshToken } = answer.data
  return { idToken, accessToken, refreshToken }
}

/**
 * Throws for a failed grant. Only `invalid_grant` says anything about the person. A wrong client secret, a fault or a timeout is
 * ours or the provider's, and must never end a session.
 */
function refuse(error: unknown): never {
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant' && error.status < 500) {
    throw new GrantRefused(
      error.error_description?.includes('not fully set up') ? 'interaction_required' : 'invalid_grant',
    )
  }
  throw isRefusedSecret(error) ? new ClientSecretRefused(error) : errors.identityProviderUnavailable(error)
}

/** RFC 6749 section 5.2 says `invalid_client`, Keycloak `unauthorized_client`; some add a challenge. */
const isRefusedSecret = (error: unknown): boolean =>
  (error instanceof ResponseBodyError &&
    error.status === 401 &&
    ['invalid_client', 'unauthorized_client'].includes(error.error)) ||
  (error instanceof WWWAuthenticateChallengeError && error.status === 401)

function secretRefused(error: unknown): never {
  throw error instanceof ClientSecretRefused ? errors.identityProviderUnavailable(error) : error
}
