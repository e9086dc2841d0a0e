import type { Logger } from '@parley/service-kit/core/logger'
import type { Redis } from 'ioredis'

/** Channel on which Redis reports changed tracked keys to a connection that speaks protocol 2. */
const invalidations = '__redis__:invalidate'

interface Options {
  readonly redis: Redis
  readonly logger: Logger
  /** Called where these keys were changed, have expired or are gone; `undefined`: any of them may be. */
  readonly onChange: (keys: readonly string[] | undefined) => void
}

/**
 * Makes Redis report every change, by any client, of the keys that `redis` reads right after `CLIENT CACHING YES`
 * (server-assisted client-side caching, `CLIENT TRACKING` with `REDIRECT` and `OPTIN`). The reports come over a second
 * connection, because ioredis does not expose the push messages of the first.
 */
export function trackKeys({ redis, logger, onChange }: Options) {
  const listener = redis.duplicate({ protocol: 2, autoResubscribe: false, enableAutoPipelining: false })
  let listenerId: number | undefined
  let active = false
  let attempt = 0

  /** Stops tracking: changes missed while either connection is away are unknown. */
  function stop() {
    attempt += 1
    active = false
    onChange(undefined)
  }

  /** Starts over whenever one of the two connections has come back. */
  async function start(): Promise<void> {
    stop()
    if (redis.status !== 'ready' || listenerId === undefined) return
    const thisAttempt = attempt
    await redis.call('CLIENT', 'TRACKING', 'ON', 'REDIRECT', String(listenerId), 'OPTIN')
    if (thisAttempt === attempt) active = true
  }

  /** A connection that listens takes no more questions: its own id is asked for first. */
  async function listen(): Promise<void> {
    const id = await listener.client('ID')
    await listener.subscribe(invalidations)
    listenerId = id
    await start()
  }

  const report = (error: unknown) => {
    logger.warn({ err: error }, 'sessions are read from Redis for each request: changes cannot be followed')
  }
  listener.on('messageBuffer', (_channel, keys: unknown) => {
    onChange(Array.isArray(keys) ? keys.map(String) : undefined)
  })
  listener.on('ready', () => listen().catch(report))
  listener.on('close', () => {
    listenerId = undefined
    stop()
  })
  redis.on('ready', () => start().catch(report))
  redis.on('close', stop)
  listener.on('error', () => {
    // The first connection reports what is wrong with the server.
  })
  listener.connect().catch(() => {
    // The connection keeps trying.
  })
  return {
    /** Returns whether every change of a tracked key is being reported. */
    isActive: () => active,
    disconnect: () => listener.disconnect(),
  }
}
