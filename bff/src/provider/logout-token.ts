import { AppError, errors } from '@parley/service-kit/core/errors'
import { isKeySetOutage, type KeySet } from '@parley/service-kit/core/jwks'
import { errors as joseErrors, jwtVerify } from 'jose'
import { z } from 'zod'

const event = 'http://schemas.openid.net/event/backchannel-logout'
const claimsSchema = z
  .object({
    iss: z.string(),
    jti: z.string().min(1).max(255),
    iat: z.number(),
    sub: z.string().max(255).optional(),
    sid: z.string().max(255).optional(),
    events: z.object({ [event]: z.object({}).loose() }),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, { error: 'names neither sub nor sid' })
export type LogoutToken = z.infer<typeof claimsSchema>

/**
 * Verifies logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.6).
 * @throws `invalid_logout_token`, or `identity_provider_unavailable` where no key could be read at all.
 */
export function createLogoutTokenVerifier(options: { issuer: string; keySet: KeySet; clientIds: readonly string[] }) {
  return async function verifyLogoutToken(token: string): Promise<LogoutToken> {
    const { payload } = await jwtVerify(token, options.keySet.getKey, {
      algorithms: ['RS256', 'ES256'],
      typ: 'logout+jwt',
      issuer: options.issuer,
      audience: [...options.clientIds],
      requiredClaims: ['iat', 'jti'],
      maxTokenAge: 300,
      clockTolerance: 10,
    }).catch((cause: unknown) => {
      if (isKeySetOutage(cause)) throw errors.identityProviderUnavailable(cause)
      throw rejected(cause instanceof joseErrors.JOSEError ? cause.code : '')
    })
    const claims = claimsSchema.safeParse(payload)
    if (!claims.success) throw rejected(claims.error.issues[0]?.message ?? 'claims')
    return claims.data
  }
}

const rejected = (detail: string) =>
  new AppError('invalid_logout_token', 'This is not a valid logout token.', { detail })
