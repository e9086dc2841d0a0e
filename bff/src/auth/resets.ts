import { identityApi } from '@parley/contracts/account/identity'
import type { Logger } from '@parley/service-kit/core/logger'
import type { ServiceClient } from '@parley/service-kit/core/service-client'
import type { Redis } from 'ioredis'
import { hashToken } from '../session/session-cipher.ts'
import { guard } from '../session/session-store.ts'

/** A link lives 15 minutes; its person then has time to sign in. */
const rememberedSeconds = 3600

/**
 * Password resets that were mailed. The provider locks an account after many wrong passwords, no matter who typed them, and keeps
 * it locked after a reset: a person who has finished one may sign in anyway.
 */
export function createResets(options: { redis: Redis; callIdentity: ServiceClient; logger: Logger }) {
  const { redis, callIdentity, logger } = options
  const keyOf = (email: string) => `rl:reset-mailed:${hashToken(email)}`

  return {
    /** Records a reset mail, whether the address has an account or not. */
    noteMail: async (email: string): Promise<void> => {
      await guard(() => redis.set(keyOf(email), new Date().toISOString(), 'EX', rememberedSeconds))
    },
    /** Forgets wrong passwords from before a finished reset; called before a password is tried. It never fails. */
    settle: async (email: string): Promise<void> => {
      try {
        const mailedAt = await redis.get(keyOf(email))
        if (mailedAt === null) return
        const { cleared } = await callIdentity(identityApi.clearFailures, { body: { email, mailedAt } })
        if (cleared) await redis.del(keyOf(email))
      } catch (error) {
        logger.warn({ err: error }, 'a finished reset was not looked for')
      }
    },
  }
}
export type Resets = ReturnType<typeof createResets>
