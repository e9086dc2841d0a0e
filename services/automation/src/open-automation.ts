import { homeCell } from '@parley/contracts/account/cells'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { deriveSecret } from '@parley/service-kit/core/key-ring'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import { createSecretBox } from '@parley/service-kit/core/secret-box'
import { createServiceClient } from '@parley/service-kit/core/service-client'
import { createEventPublisher } from '@parley/service-kit/data/event-stream'
import { loadMigrations } from '@parley/service-kit/data/migrations'
import { watchWrites } from '@parley/service-kit/data/mongo'
import { openDatabase } from '@parley/service-kit/data/open-database'
import { createPageCursors } from '@parley/service-kit/data/page-cursor'
import type { Probe } from '@parley/service-kit/http/operations'
import type { Queues } from '@parley/service-kit/queue/queues'
import type { Redis } from 'ioredis'
import type { AutomationConfig } from './config.ts'
import { createConnectionHttp } from './modules/connections/connection-http.ts'
import type { AskService } from './platform/platform.ts'
import { createServices } from './services.ts'

/** Opens what server and worker share: the database, the services on it, the readiness check, and clients of other services. */
export async function openAutomation(
  name: 'automation' | 'automation-worker',
  config: AutomationConfig,
  tools: {
    logger: Logger
    metrics: Metrics
    queues: Queues
    redis: Redis
    giveUp: (error: unknown) => void
  },
) {
  const { logger, metrics, queues, redis, giveUp } = tools
  const migrations = await loadMigrations(`${import.meta.dirname}/migrations`)
  const { publicKeys, ...asking } = await connectServices(name, config)
  const database = openDatabase(config, { name, logger, metrics, migrations, onHopeless: giveUp })
  const writes = watchWrites(database.connection)
  const probe: Probe = {
    name: 'mongodb',
    required: true,
    check: async () => database.isOpen() && writes.answers(),
    retry: database.retry,
  }
  const services = createServices({
    logger,
    metrics,
    mongo: database.connection,
    cursors: createPageCursors(deriveSecret(config.SECRET_KEYS, 'page cursors')),
    queues,
    publish: createEventPublisher(redis).publishUnlogged,
    box: createSecretBox(config.SECRET_KEYS),
    namesWorkspace: (config.CELL ?? homeCell) !== homeCell,
    outbound: createConnectionHttp(config),
    ...asking,
  })
  return { database, services, probe, publicKeys, translateError: writes.translateError, askProfile: asking.askProfile }
}
export type Automation = Awaited<ReturnType<typeof openAutomation>>

/** Milliseconds: people wait for some of the answers, and the page gives up after 15 s. */
const timeoutMs = 5000

/** Connects a process of this service with those that it calls, in its own name. They verify its calls by `publicKeys`. */
async function connectServices(
  process: 'automation' | 'automation-worker',
  config: Pick<AutomationConfig, 'INTERNAL_TOKEN_KEYS' | 'MESSAGING_URL' | 'PROFILE_URL'>,
) {
  const signer = await createInternalTokenSigner(process, config.INTERNAL_TOKEN_KEYS)
  const asking = (audience: string, baseUrl: string): AskService => {
    const call = createServiceClient({ process, baseUrl, audience, signer, timeoutMs })
    return ({ workspaceId }, endpoint, request) => call(endpoint, request, { workspaceId })
  }
  return {
    askMessaging: asking('messaging', config.MESSAGING_URL),
    askProfile: asking('profile', config.PROFILE_URL),
    publicKeys: signer.publicKeys,
  }
}
