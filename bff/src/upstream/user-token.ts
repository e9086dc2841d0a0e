import type { InternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { LRUCache } from 'lru-cache'
import { type SessionWithContext, signInProvider } from '../session/session-record.ts'

const reuseMs = 80_000

/** Internal tokens of signed-in users, one for each session and service, made anew when the session changes. */
export function createUserTokens(signer: InternalTokenSigner) {
  const tokens = new LRUCache<string, Promise<string>>({ max: 20_000, ttl: reuseMs })

  return function userToken(session: SessionWithContext, audience: string) {
    const cacheKey = `${session.key}.${session.version}.${audience}`
    const known = tokens.get(cacheKey)
    if (known) return known
    const { claims, context } = session.hot
    const signed = signer.sign({
      aud: audience,
      sub: context.userId,
      wid: context.workspaceId,
      role: context.role,
      email: claims.email,
      email_verified: claims.email_verified,
      provider: signInProvider(claims),
      ...(claims.name && { name: claims.name }),
      ...(claims.picture && { picture: claims.picture }),
    })
    tokens.set(cacheKey, signed)
    return signed
  }
}
