import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import { readNumbered } from '@parley/service-kit/data/event-log'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { AddNotifications } from '../../platform/notification.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Campaigns } from '../campaigns/module.ts'
import type { AccountEvents } from '../channel/account-events/account-events.ts'
import type { Channel } from '../channel/module.ts'
import type { Contacts } from '../contacts/module.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Templates } from '../templates/module.ts'
import { createCheckTarget } from './check-target.ts'
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

interface Lower {
  readonly addNotifications: AddNotifications
  readonly accountEvents: AccountEvents
}

/** Public events: the feed of them, and webhooks that are called with them. */
export function createWebhooks(
  platform: Platform,
  lower: Channel & Inbox & Contacts & Templates & Campaigns & Lower,
  { outboundHttp }: { readonly outboundHttp: Pick<OutboundHttp, 'check'> },
) {
  const { mongo, box, figures } = platform
  const repository = createWebhooksRepository(mongo)
  const deliveries = createDeliveriesRepository(mongo)
  const queue = platform.queues.jobs(webhookQueue.name, webhookQueue).add
  const secrets = createWebhookSecrets(box)
  const readLogged = ({ workspaceId }: WorkspaceScope, seqs: readonly number[]) =>
    readNumbered(mongo, workspaceId, seqs)
  const renderEvents = createRenderEvents({
    readMessages: lower.messageRecords.readMany,
    readContacts: lower.contactRecords.readMany,
    readConversations: lower.conversationRecords.readMany,
    readNumbers: lower.numbers.readMany,
    readTemplates: lower.templates.readMany,
    readCampaigns: lower.readCampaigns,
    readWebhooks: repository.readMany,
    wordsOfAccount: lower.accountEvents.wordsOfMany,
  })
  const stored = {
    ...platform,
    ...lower,
    webhooks: repository,
    deliveries,
    secrets,
    queue,
    renderEvents,
    bodiesOf: createDeliveryBodies({ readLogged, renderEvents }),
    checkTarget: createCheckTarget(outboundHttp),
  }
  const webhooks = createWebhooksService(stored)
  const log = createDeliveriesService({ ...stored, findWebhook: webhooks.find })
  const replays = createReplay({ ...stored, callable: log.callable })
  return {
    webhooks,
    deliveries: log,
    replays,
    webhookKinds: { [replayKind]: replays.perform },
    publicFeed: createPublicFeed(stored),
    planDeliveries: createPlanDeliveries(stored),
    webhookRecords: repository,
    /** Makes the work of the process that sends. @param http as that process may call. */
    sendDeliveries: (http: OutboundHttp, over: Partial<SendSliceDependencies> = {}) =>
      createSendSlice({
        ...stored,
        turns: createWebhookTurns({ ...stored, ...(over.now && { now: over.now }) }),
        http,
        countAttempt: figures.countWebhookAttempt,
        ...over,
      }),
  }
}
