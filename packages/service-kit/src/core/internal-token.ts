import { createHash } from 'node:crypto'
import {
  internalTokenIssuer,
  internalTokenMaxSeconds,
  internalTokenType,
  type KeyTokenClaims,
  keyTokenClaimsSchema,
  type ServiceTokenClaims,
  serviceTokenClaimsSchema,
  type UserTokenClaims,
  userTokenClaimsSchema,
} from '@parley/contracts/core/internal-token'
import { decodeJwt, importJWK, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { errors } from './errors.ts'
import type { SigningKey } from './internal-token-settings.ts'
import { createKeySet, isKeySetOutage } from './jwks.ts'

const algorithm = 'Ed25519'

export interface InternalTokenSigner {
  /** Signs the claims of a user, a key or a process for one service; at most {@link internalTokenMaxSeconds} long. */
  sign(
    claims:
      | Omit<UserTokenClaims, 'iss' | 'exp'>
      | Omit<KeyTokenClaims, 'iss' | 'exp'>
      | Omit<ServiceTokenClaims, 'iss' | 'exp'>,
  ): Promise<string>
  /** The public halves of all keys, for the services' key set. */
  readonly publicKeys: { keys: Record<string, string>[] }
}

/**
 * @param process issuer of every token, to which the keys belong.
 * @param keys the first one signs; all are published, so that a key can be replaced without a gap.
 */
export async function createInternalTokenSigner(
  process: string,
  keys: readonly SigningKey[],
): Promise<InternalTokenSigner> {
  const [first] = keys
  if (!first) throw new Error('at least one signing key is needed')
  const privateKey = await importJWK(first, algorithm)
  return {
    sign: ({ aud, sub, ...claims }) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, typ: internalTokenType, kid: first.kid })
        .setIssuer(internalTokenIssuer(process))
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
  | { readonly kind: 'key'; readonly claims: KeyTokenClaims }
  | { readonly kind: 'service'; readonly claims: ServiceTokenClaims }

/** Finds the key of a token by the process that issued it. */
export type TrustedIssuers = ReadonlyMap<string, JWTVerifyGetKey>

/** The key sets of INTERNAL_ISSUERS, each read when the first token of its process comes. */
export const readTrustedIssuers = (
  issuers: readonly { readonly process: string; readonly jwksUrl: string }[],
): TrustedIssuers => new Map(issuers.map(({ process, jwksUrl }) => [process, createKeySet(jwksUrl).getKey]))

/**
 * Verifies internal tokens for one audience: each by the keys of the process that it names as its issuer, so that no process
 * can speak for another one, and for a signed-in user only the BFF. A verified token is remembered by its hash until it ends: services see the
 * same token for many requests, and a signature check costs more than all the rest of a small request.
 * @returns a function that throws `unauthenticated` for anything which is not a live token of this audience, and
 * `service_unavailable` while no key set can be read: that says nothing about the token.
 */
export function createInternalTokenVerifier(options: { audience: string; issuers: TrustedIssuers }) {
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
    const [process, getKey] = issuerOf(token)
    const { payload } = await jwtVerify(token, getKey, {
      algorithms: [algorithm],
      typ: internalTokenType,
      issuer: internalTokenIssuer(process),
      audience: options.audience,
      maxTokenAge: internalTokenMaxSeconds,
      clockTolerance: 10,
    }).catch((cause: unknown) => {
      if (isKeySetOutage(cause)) throw errors.serviceUnavailable(cause)
      throw errors.unauthenticated({ detail: 'internal token not accepted', cause })
    })
    const service = serviceTokenClaimsSchema.safeParse(payload)
    if (service.success) return { kind: 'service', claims: service.data }
    const key = keyTokenClaimsSchema.safeParse(payload)
    if (key.success) return { kind: 'key', claims: key.data }
    const user = userTokenClaimsSchema.safeParse(payload)
    if (user.success) return { kind: 'user', claims: user.data }
    throw errors.unauthenticated({ detail: 'internal token lacks claims', cause: user.error })
  }

  /** Reads the issuer of an unverified token, which chooses the keys and nothing else. */
  function issuerOf(token: string): [process: string, getKey: JWTVerifyGetKey] {
    const claimed = claimedIssuer(token)
    for (const [process, getKey] of options.issuers)
      if (claimed === internalTokenIssuer(process)) return [process, getKey]
    throw errors.unauthenticated({ detail: 'internal token of an issuer that is not trusted' })
  }
}

function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch (cause) {
    throw errors.unauthenticated({ detail: 'internal token not accepted', cause })
  }
}
