import { type IdentityClaims, identityClaimsSchema } from '@parley/contracts/account/auth'
import { errors } from '@parley/service-kit/core/errors'
import { isKeySetOutage, type KeySet } from '@parley/service-kit/core/jwks'
import { errors as joseErrors, jwtVerify } from 'jose'
import { z } from 'zod'

const clockToleranceSeconds = 10
const claimsSchema = identityClaimsSchema.extend({
  azp: z.string().optional(),
  typ: z.string().optional(),
  events: z.never().optional(),
})
/** The provider signs other tokens with the same keys: access tokens (`at+jwt`), logout tokens (`logout+jwt`). */
const isIdTokenType = (typ: string | undefined) => typ === undefined || typ.toUpperCase() === 'JWT'

/**
 * Verifies ID tokens (OpenID Connect Core 1.0 section 3.1.3.7): signature, issuer, audience, authorized party, times.
 * @throws `token_rejected` for a bad token, `identity_provider_unavailable` where no key could be read at all.
 */
export function createIdTokenVerifier(options: { issuer: string; keySet: KeySet; clientIds: readonly string[] }) {
  return async function verifyIdToken(
    token: string,
    { maxAgeSeconds }: { maxAgeSeconds?: number } = {},
  ): Promise<IdentityClaims> {
    const verified = await jwtVerify(token, options.keySet.getKey, {
      algorithms: ['RS256', 'ES256'],
      issuer: options.issuer,
      audience: [...options.clientIds],
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: clockToleranceSeconds,
      ...(maxAgeSeconds !== undefined && { maxTokenAge: maxAgeSeconds }),
    }).catch((cause: unknown) => {
      if (isKeySetOutage(cause)) throw errors.identityProviderUnavailable(cause)
      throw errors.tokenRejected(`ID token: ${cause instanceof joseErrors.JOSEError ? cause.code : ''}`)
    })
    const claims = claimsSchema.safeParse(verified.payload)
    if (!claims.success) throw errors.tokenRejected('ID token: claims missing')
    const { azp, typ, events: _none, ...identity } = claims.data
    const party = azp ?? (Array.isArray(identity.aud) && identity.aud.length > 1 ? '' : undefined)
    if (party !== undefined && !options.clientIds.includes(party))
      throw errors.tokenRejected('ID token: authorized party')
    if ((typ !== undefined && typ !== 'ID') || !isIdTokenType(verified.protectedHeader.typ))
      throw errors.tokenRejected('ID token: not an ID token')
    if (identity.iat > Date.now() / 1000 + clockToleranceSeconds)
      throw errors.tokenRejected('ID token: issued in future')
    return identity
  }
}
export type VerifyIdToken = ReturnType<typeof createIdTokenVerifier>
