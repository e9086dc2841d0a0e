import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import type { Base } from '../../records.ts'
import type { Channel } from '../channel/module.ts'
import type { Inbound } from '../inbound/module.ts'
import type { Templates } from '../templates/module.ts'
import { createDeliveriesRepository } from './deliveries.repository.ts'
import { createDeliveriesService } from './deliveries.service.ts'
import { createDeliveryBodies } from './delivery-bodies.ts'
import { createPlanDeliveries } from './plan-deliveries.ts'
import { createPublicFeed } from './public-feed.ts'
import { createRenderEvents } from './render-events.ts'
import { createReplay, replayKind } from './replay.ts'
import { createSendSlice, type SendSliceDependencies } from './send-slice.ts'
import { createWebhookSecrets } from './webhook-secrets.ts'
import { createWebhookTurns } from './webhook-turns.ts'
import { createWebhooksRepository } from './webhooks.repository.ts'
import { createWebhooksService } from './webhooks.service.ts'

/** Queue of the process that sends; `webhooks` is that of the events' consumer. */
export const webhookQueue = { name: 'deliveries', keepsWakes: true } as const

type Lower = Base & Channel & Templates & Inbound & { readonly outboundHttp: Pick<OutboundHttp, 'check'> }

/** Public events: the feed of them, and webhooks that are called with them. */
export function createWebhooks(lower: Lower) {
  const stored = {
    ...lower,
    webhooks: createWebhooksRepository(lower.mongo),
    deliveries: createDeliveriesRepository(lower.mongo),
    secrets: createWebhookSecrets(lower.box),
    queue: lower.queues.jobs(webhookQueue.name, webhookQueue).add,
  }
  const renderEvents = createRenderEvents(stored)
  const parts = { ...stored, renderEvents, bodiesOf: createDeliveryBodies({ ...stored, renderEvents }) }
  const webhooks = createWebhooksService(parts)
  const log = createDeliveriesService({ ...parts, webhooksService: webhooks })
  const replays = createReplay({ ...parts, log })
  return {
    webhooks,
    deliveries: log,
    replays,
    webhookKinds: { [replayKind]: replays.perform },
    publicFeed: createPublicFeed(parts),
    planDeliveries: createPlanDeliveries(parts),
    webhookRecords: parts.webhooks,
    /** Makes the work of the process that sends. @param http as that process may call. */
    sendDeliveries: (http: OutboundHttp, over: Partial<SendSliceDependencies> = {}) =>
      createSendSlice({
        ...parts,
        turns: createWebhookTurns({ ...parts, ...(over.now && { now: over.now }) }),
        http,
        ...over,
      }),
  }
}
