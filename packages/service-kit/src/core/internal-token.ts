import { createHash } from 'node:crypto'
import {
  internalTokenIssuer,
  internalTokenMaxSeconds,
  internalTokenType,
  type ServiceTokenClaims,
  serviceTokenClaimsSchema,
  type UserTokenClaims,
  userTokenClaimsSchema,
} from '@parley/contracts/internal-token'
import { importJWK, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { errors } from './errors.ts'
import { isKeySetOutage } from './jwks.ts'

/** A private Ed25519 JWK (RFC 8037) with its key id. */
export const signingKeySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
  kid: z.string().min(1),
})
export type SigningKey = z.infer<typeof signingKeySchema>

const algorithm = 'Ed25519'

export interface InternalTokenSigner {
  /** Signs the claims of a user or of a process for one service; at most {@link internalTokenMaxSeconds} long. */
  sign(claims: Omit<UserTokenClaims, 'iss' | 'exp'> | Omit<ServiceTokenClaims, 'iss' | 'exp'>): Promise<string>
  /** The public halves of all keys, for the services' key set. */
  readonly publicKeys: { keys: Record<string, string>[] }
}

/** @param keys the first one signs; all are published, so that a key can be replaced without a gap. */
export async function createInternalTokenSigner(keys: readonly SigningKey[]): Promise<InternalTokenSigner> {
  const [first] = keys
  if (!first) throw new Error('at least one signing key is needed')
  const privateKey = await importJWK(first, algorithm)
  return {
    sign: ({ aud, sub, ...claims }) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, typ: internalTokenType, kid: first.kid })
        .setIssuer(internalTokenIssuer)
        .setAudience(aud)
        .setSubject(sub)
        .setIssuedAt()
        .setExpirationTime(`${internalTokenMaxSeconds}s`)
        .sign(privateKey),
    publicKeys: {
      keys: keys.map(({ d: _private, ...jwk }) => ({ ...jwk, alg: algorithm, use: 'sig' })),
    },
  }
}

export type InternalCaller =
  | { readonly kind: 'user'; readonly claims: UserTokenClaims }
  | { readonly kind: 'service'; readonly claims: ServiceTokenClaims }

/**
 * Verifies internal tokens for one audience. A verified token is remembered by its hash until it ends: services see the
 * same token for many requests, and a signature check costs more than all the rest of a small request.
 * @returns a function that throws `unauthenticated` for anything which is not a live token of this audience, and
 * `service_unavailable` while no key set can be read: that says nothing about the token.
 */
export function createInternalTokenVerifier(options: { audience: string; getKey: JWTVerifyGetKey }) {
  const verified = new LRUCache<string, InternalCaller>({ max: 10_000 })

  return async function verifyInternalToken(token: string): Promise<InternalCaller> {
    const hash = createHash('sha256').update(token).digest('base64url')
    const known = verified.get(hash)
    if (known && known.claims.exp * 1000 > Date.now()) return known
    const caller = await verify(token)
    verified.set(hash, caller, { ttl: Math.max(1, caller.claims.exp * 1000 - Date.now()) })
    return caller
  }

  async function verify(token: string): Promise<InternalCaller> {
    const { payload } = await jwtVerify(token, options.getKey, {
      algorithms: [algorithm],
      typ: internalTokenType,
      issuer: internalTokenIssuer,
      audience: options.audience,
      maxTokenAge: internalTokenMaxSeconds,
      clockTolerance: 10,
    }).catch((cause: unknown) => {
      if (isKeySetOutage(cause)) throw errors.serviceUnavailable(cause)
      throw errors.unauthenticated({ detail: 'internal token not accepted', cause })
    })
    const service = serviceTokenClaimsSchema.safeParse(payload)
    if (service.success) return { kind: 'service', claims: service.data }
    const user = userTokenClaimsSchema.safeParse(payload)
    if (user.success) return { kind: 'user', claims: user.data }
    throw errors.unauthenticated({ detail: 'internal token lacks claims', cause: user.error })
  }
}
