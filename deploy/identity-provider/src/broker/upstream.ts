import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { z } from 'zod'
import type { BrokerConfig } from '../realm-config.ts'

/** What one round trip to the other provider must remember. */
export const upstreamTripSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() })
export type UpstreamTrip = z.infer<typeof upstreamTripSchema>

/** Whom the other provider vouches for. */
export const upstreamIdentitySchema = z.object({
  sub: z.string().min(1).max(255),
  email: z
    .email()
    .max(254)
    .transform((email) => email.toLowerCase()),
  email_verified: z.boolean().default(false),
  given_name: z.string().max(255).optional(),
  family_name: z.string().max(255).optional(),
  picture: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
})
export type UpstreamIdentity = z.infer<typeof upstreamIdentitySchema>

export type Upstream = ReturnType<typeof createUpstream>

/** The authorization code flow with another provider: PKCE, state, nonce, issuer and signature are all checked. */
export function createUpstream(broker: BrokerConfig, redirectUri: string) {
  let found: Promise<Configuration> | undefined

  /** Asked at the first use, because the other provider may start later; a failure is forgotten. */
  function configuration(): Promise<Configuration> {
    found ??= discovery(new URL(broker.issuer), broker.clientId, broker.clientSecret, undefined, {
      execute: [enableNonRepudiationChecks, ...(broker.issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
    }).catch((error: unknown) => {
      found = undefined
      throw error
    })
    return found
  }

  const newTrip = (): UpstreamTrip => ({
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
  })

  async function authorizationUrl({ state, nonce, verifier }: UpstreamTrip): Promise<URL> {
    return buildAuthorizationUrl(await configuration(), {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
  }

  /** @throws where the answer is an error of the provider or is not genuine */
  async function identify(query: string, { state, nonce, verifier }: UpstreamTrip): Promise<UpstreamIdentity> {
    const tokens = await authorizationCodeGrant(await configuration(), new URL(redirectUri + query), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    return upstreamIdentitySchema.parse(tokens.claims())
  }

  return { newTrip, authorizationUrl, identify }
}
