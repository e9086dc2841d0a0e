import { randomUUID } from 'node:crypto'
import type { BotSettings } from '@parley/contracts/automation/bot-settings'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { createOutboundHttp } from '@parley/service-kit/core/outbound-http'
import { createSecretBox } from '@parley/service-kit/core/secret-box'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { createPageCursors } from '@parley/service-kit/data/page-cursor'
import type { UserContext } from '@parley/service-kit/http/context'
import { createQueues } from '@parley/service-kit/queue/queues'
import { createServices } from '../services.ts'
import type { MessagingModel } from './messaging-model.ts'

/** Starts the services of this process, with messaging in memory, and an owner who draws bots. */
export function startServices(messaging: MessagingModel, of: { connection: ServiceConnection; redisUrl: string }) {
  const logger = createLogger({ name: 'automation-test', level: 'silent' })
  const metrics = createMetrics('automation-test')
  const queues = createQueues({ url: of.redisUrl, service: 'automation', logger, metrics })
  const services = createServices({
    logger,
    metrics,
    mongo: of.connection,
    cursors: createPageCursors('a secret of these tests, long enough'),
    queues,
    askMessaging: messaging.ask,
    askProfile: messaging.ask,
    publish: async () => undefined,
    box: createSecretBox([{ id: 'k1', key: Buffer.alloc(32, 1) }]),
    namesWorkspace: false,
    outbound: createOutboundHttp({ allowLoopback: true }),
  })
  const { workspaceId } = messaging.workspace
  const userId = 'a'.repeat(24)
  const claims = { sub: userId, wid: workspaceId, role: 'owner' as const, iss: 'test', aud: 'automation', exp: 0 }
  const owner = { userId, workspaceId, role: claims.role, requestId: 'test', claims } as UserContext
  const { bots, workflows } = services

  /** Saves a draft and publishes it, whatever its warnings. */
  async function publish(id: string, draft: DraftFlow, running: 'finish' | 'move' | 'end' = 'finish') {
    const { version: before } = await bots.read(owner, id)
    const { version } = await bots.update(owner, id, { version: before, draft })
    const { problems } = await bots.check(owner, id)
    const accept = problems.flatMap(({ code, nodeId }) => [code, `${code}:${nodeId}`])
    return bots.publish(owner, id, { running, accept, start: true, version })
  }
  async function addBot(draft: DraftFlow, changed: Partial<BotSettings> = {}): Promise<string> {
    const { id, version, settings } = await bots.create(owner, { name: `Bot ${randomUUID()}`, draft })
    await bots.update(owner, id, { version, settings: { ...settings, collectSeconds: 0, ...changed } })
    await publish(id, draft)
    return id
  }

  /** Creates a workflow that starts again and again, publishes it and starts it. */
  async function addWorkflow(draft: DraftFlow, limits: { startsPerHour?: number } = {}): Promise<string> {
    const { id, version: first } = await workflows.create(owner, { name: `Workflow ${randomUUID()}`, draft })
    const { version } = await workflows.update(owner, id, { version: first, reEnrolment: 'always', ...limits })
    const { problems } = await workflows.check(owner, id)
    const accept = problems.flatMap(({ code, nodeId }) => [code, `${code}:${nodeId}`])
    await workflows.publish(owner, id, { running: 'finish', accept, start: true, version })
    return id
  }

  return { services, queues, owner, publish, addBot, addWorkflow }
}
