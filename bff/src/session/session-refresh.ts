import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { errors } from '@parley/service-kit/core/errors'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Redis } from 'ioredis'
import { GrantRefused, type ProviderClient, type TokenSet } from '../provider/provider-client.ts'
import type { Session } from './session-record.ts'
import type { SessionService } from './session-service.ts'
import { guard, type SessionStore } from './session-store.ts'

/** Longer than the provider call's 4 s, so that a slow refresh is never overtaken by a second one. */
const lockMs = 8000
/** Longer than the lock: a caller that waits for a dead process takes over. */
const waitMs = lockMs + 1000
const releaseLock = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`

/** Renews tokens exactly once however many requests, tabs and replicas ask at the same moment. */
export function createSessionRefresh(options: {
  redis: Redis
  store: SessionStore
  sessions: Pick<SessionService, 'renew'>
  provider: Pick<ProviderClient, 'refresh'>
  logger: Logger
}) {
  const { redis, store, sessions, provider, logger } = options
  const inFlight = new Map<string, Promise<Session | undefined>>()

  /**
   * The session with tokens that live at least `minLifeSeconds` more.
   * @returns `undefined` where the session has ended, the provider's refusal included.
   * @throws `identity_provider_unavailable` while the provider cannot answer; the session stays.
   */
  async function withLife(session: Session, minLifeSeconds: number): Promise<Session | undefined> {
    return lifeOf(session) >= minLifeSeconds ? session : renewed(session)
  }

  /** The session with new tokens. Shared by all callers, and finished even when the one who asked has gone. */
  function renewed(session: Session): Promise<Session | undefined> {
    const running = inFlight.get(session.key)
    if (running) return running
    const started = renewOnce(session).finally(() => inFlight.delete(session.key))
    inFlight.set(session.key, started)
    return started
  }

  /** Waits for a renewal that is already under way; takes over where its process has died or failed. */
  async function renewOnce(asked: Session): Promise<Session | undefined> {
    const lock = `s:{${asked.key}}:lock`
    const owner = randomUUID()
    const deadline = Date.now() + waitMs
    while ((await guard(() => redis.set(lock, owner, 'PX', lockMs, 'NX'))) !== 'OK') {
      if (Date.now() > deadline)
        throw errors.identityProviderUnavailable(new Error('another refresh of this session did not finish in time'))
      await delay(50)
      const session = await store.load(asked.secret)
      if (!session || isRenewed(session, asked)) return session
    }
    try {
      return await renewUnderLock(asked)
    } finally {
      await redis.eval(releaseLock, 1, lock, owner).catch(() => logger.warn('a refresh lock was left to its time-out'))
    }
  }

  async function renewUnderLock(asked: Session): Promise<Session | undefined> {
    // Another replica may have finished between the caller's read and the lock.
    const session = await store.load(asked.secret)
    if (!session || isRenewed(session, asked)) return session
    const tokens = await store.loadTokens(session)
    if (!tokens) return undefined
    try {
      return await keep(session, await provider.refresh(session.hot.client, tokens.refreshToken))
    } catch (error) {
      if (!(error instanceof GrantRefused)) throw error
      await store.destroy(session)
      return undefined
    }
  }

  /** A first call may have written the session's context meanwhile: the new tokens then go with that. */
  async function keep(session: Session, tokens: TokenSet): Promise<Session | undefined> {
    const renewed = await sessions.renew(session, tokens)
    if (renewed) return renewed
    const current = await store.load(session.secret)
    return current && sessions.renew(current, tokens)
  }

  return { withLife, renewed }
}
export type SessionRefresh = ReturnType<typeof createSessionRefresh>

/** Returns whether the ID token is another one: writes other than a renewal leave it as it is. */
const isRenewed = (session: Session, asked: Session) => session.hot.idTokenHash !== asked.hot.idTokenHash

/** Seconds until the session's ID token ends. */
export const lifeOf = (session: Session): number => session.hot.tokenExpiresAt - Math.floor(Date.now() / 1000)
