import type { InternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { LRUCache } from 'lru-cache'
import type { Visitor } from '../session/session-index.ts'
import { roleOf, type SessionWithContext, signInProvider } from '../session/session-record.ts'

const reuseMs = 80_000
/** The only service that receives the identity provider's claims about a person. */
const profileAudience = 'profile'

/** Internal tokens of signed-in users, one for each session, service and place that it is used from; made again when the session changes. */
export function createUserTokens(signer: Pick<InternalTokenSigner, 'sign'>) {
  const tokens = new LRUCache<string, Promise<string>>({ max: 20_000, ttl: reuseMs })

  return function userToken(session: SessionWithContext, audience: string, { ip, device }: Visitor): Promise<string> {
    const { context } = session.hot
    const cacheKey = `${session.key}.${session.version}.${context.workspaceId}.${context.version}.${audience}.${ip}.${device}`
    const known = tokens.get(cacheKey)
    if (known) return known
    const signed = signer.sign({
      aud: audience,
      sub: context.userId,
      wid: context.workspaceId,
      ...roleOf(session),
      ver: context.version,
      ip,
      dev: device,
      ...(audience === profileAudience && identityClaims(session)),
    })
    tokens.set(cacheKey, signed)
    signed.catch(() => tokens.delete(cacheKey))
    return signed
  }
}

function identityClaims({ hot: { claims } }: SessionWithContext) {
  return {
    email: claims.email,
    email_verified: claims.email_verified,
    provider: signInProvider(claims),
    claims_iat: claims.iat,
    ...(claims.name && { name: claims.name }),
    ...(claims.picture && { picture: claims.picture }),
  }
}
