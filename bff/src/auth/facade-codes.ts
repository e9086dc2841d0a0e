import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { hashToken, newSessionSecret } from '../session/session-cipher.ts'
import { guard } from '../session/session-store.ts'

const lifeSeconds = 60
const grantSchema = z.object({ sessionKey: z.string(), challenge: z.string(), redirectUri: z.string() })
type Grant = z.infer<typeof grantSchema>

/** The façade's authorization codes: single use, one minute, bound to session, PKCE challenge and redirect URI. */
export function createFacadeCodes(redis: Redis) {
  const recordKey = (code: string) => `code:${hashToken(code)}`

  async function issue(grant: Grant): Promise<string> {
    const code = newSessionSecret()
    await guard(() => redis.set(recordKey(code), JSON.stringify(grant), 'EX', lifeSeconds))
    return code
  }

  /** Returns whether the code is valid for this session, verifier and redirect URI. It is spent either way. */
  async function redeem(
    code: string,
    attempt: { sessionKey: string; verifier: string; redirectUri: string },
  ): Promise<boolean> {
    const text = await guard(() => redis.getdel(recordKey(code)))
    const grant = grantSchema.safeParse(text === null ? undefined : JSON.parse(text))
    if (!grant.success) return false
    const challenge = createHash('sha256').update(attempt.verifier).digest('base64url')
    return (
      grant.data.sessionKey === attempt.sessionKey &&
      grant.data.challenge === challenge &&
      grant.data.redirectUri === attempt.redirectUri
    )
  }

  return { issue, redeem }
}
export type FacadeCodes = ReturnType<typeof createFacadeCodes>
