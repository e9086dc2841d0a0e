import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  calculatePKCECodeChallenge,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client'
import type { Realm } from '../realm.ts'
import type { GoogleConfig } from '../realm-config.ts'
import { signInLife } from '../sign-in-flow.ts'
import { type GoogleIdentity, googleIdentitySchema } from '../store/stores.ts'

const endpointOf = ({ issuer }: Pick<Realm, 'issuer'>) => `${issuer}/broker/google/endpoint`

/** The way to Google's page for a sign-in. PKCE, state, nonce, issuer and signature are all checked on the way back. */
export async function upstreamUrl(realm: Realm, google: GoogleConfig, uid: string): Promise<URL> {
  const trip = { nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
  realm.trips.put(uid, trip, { lifeSeconds: signInLife })
  return buildAuthorizationUrl(clientOf(google), {
    redirect_uri: endpointOf(realm),
    scope: 'openid profile email',
    code_challenge: await calculatePKCECodeChallenge(trip.verifier),
    code_challenge_method: 'S256',
    // The state is known to no one else, and the cookie of the sign-in ties it to the browser.
    state: uid,
    nonce: trip.nonce,
  })
}

/**
 * Returns the identity of the person who comes back, once.
 * @throws where the answer is an error of Google's or is not genuine
 */
export async function identify(
  realm: Realm,
  google: GoogleConfig,
  { uid, query }: { uid: string; query: string },
): Promise<GoogleIdentity | undefined> {
  const trip = realm.trips.remove(uid)
  if (!trip) return undefined
  const tokens = await authorizationCodeGrant(clientOf(google), new URL(endpointOf(realm) + query), {
    expectedState: uid,
    expectedNonce: trip.nonce,
    pkceCodeVerifier: trip.verifier,
    idTokenExpected: true,
  })
  return googleIdentitySchema.parse(tokens.claims())
}

function clientOf({ issuer, clientId, clientSecret }: GoogleConfig): Configuration {
  const protocol = `${issuer}/protocol/openid-connect`
  const server = {
    issuer,
    authorization_endpoint: `${protocol}/auth`,
    token_endpoint: `${protocol}/token`,
    jwks_uri: `${protocol}/certs`,
    authorization_response_iss_parameter_supported: true,
  }
  const client = new Configuration(server, clientId, clientSecret)
  enableNonRepudiationChecks(client)
  allowInsecureRequests(client)
  return client
}
