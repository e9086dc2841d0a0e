import type { InternalTokenSigner } from '@parley/service-kit/core/internal-token'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import { redisAnswers, redisRetry } from '@parley/service-kit/core/redis'
import { createAuditLog } from '@parley/service-kit/data/audit-log'
import { createEventPublisher, createEventStream } from '@parley/service-kit/data/event-stream'
import { createIdempotencyStore } from '@parley/service-kit/data/idempotency-store'
import { moveGateOf } from '@parley/service-kit/data/move-gate'
import type { VerifyToken } from '@parley/service-kit/http/authority'
import { loadModules } from '@parley/service-kit/http/load-modules'
import { createServiceApp } from '@parley/service-kit/http/service-app'
import { createWorkspaceLimit } from '@parley/service-kit/http/workspace-limit'
import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import type { SimulatorAddresses } from './modules/channel/numbers/simulator-calls.ts'
import { createCustomerTyping } from './modules/inbox/presence/customer-typing.ts'
import { createPresence, type Presence } from './modules/inbox/presence/presence.service.ts'
import { limitSight } from './modules/inbox/visibility/limit-sight.ts'
import type { Messaging } from './open-messaging.ts'
import type { Services } from './services.ts'

/** Requests of one workspace: far above what people do by hand, and low enough to stop a loop. */
const workspaceLimit = { requests: 2000, seconds: 10 }

/** Options of every `*.routes.ts`. */
export interface FeatureOptions {
  readonly services: Services
  /** The streams of events that browsers read: `open` for the endpoint, `publishUnlogged` for presence and typing. */
  readonly events: Pick<ReturnType<typeof createEventStream>, 'open'> &
    Pick<ReturnType<typeof createEventPublisher>, 'publishUnlogged'>
  readonly presence: Presence
  readonly showTyping: ReturnType<typeof createCustomerTyping>
  /** True where a new workspace begins with the sample data. */
  readonly sampleData: boolean
  readonly simulator: SimulatorAddresses | undefined
}

interface Options extends Pick<FeatureOptions, 'sampleData' | 'simulator'> {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly verifyToken: VerifyToken
  readonly publicKeys: InternalTokenSigner['publicKeys']
  readonly messaging: Messaging
  readonly redis: Redis
}

/** The messaging service's HTTP server, ready to listen; its features answer 503 until the database is open. */
export async function buildApp(options: Options): Promise<FastifyInstance> {
  const { logger, metrics, verifyToken, publicKeys, messaging, redis, sampleData, simulator } = options
  const { database, services } = messaging
  const stream = createEventStream({ connection: database.connection, redis })
  const events = { open: stream.open, publishUnlogged: createEventPublisher(redis).publishUnlogged }
  const presence = createPresence({ redis, publish: events.publishUnlogged })
  const showTyping = createCustomerTyping({ redis, ...services })
  const forFeatures: FeatureOptions = { services, events, presence, showTyping, sampleData, simulator }
  const app = await createServiceApp({
    name: 'messaging',
    logger,
    metrics,
    verifyToken,
    publicKeys,
    idempotency: createIdempotencyStore(database.connection, { box: messaging.box }),
    audit: createAuditLog(database.connection),
    limitWorkspace: createWorkspaceLimit({ redis, service: 'messaging', ...workspaceLimit }),
    gate: moveGateOf(database.connection),
    isOpen: database.isOpen,
    probes: [
      messaging.probe,
      { name: 'redis', required: false, check: () => redisAnswers(redis), retry: () => redisRetry(redis) },
    ],
    translateError: messaging.translateError,
    modules: (scope) => {
      limitSight(scope, services)
      return loadModules(scope, { directory: import.meta.dirname, options: { ...forFeatures } })
    },
  })
  app.addHook('onClose', stream.close)
  return app
}
