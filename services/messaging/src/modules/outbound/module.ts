import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Redis } from 'ioredis'
import type { Platform } from '../../platform/platform.ts'
import type { Channel } from '../channel/module.ts'
import type { Contacts } from '../contacts/module.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Media } from '../media/module.ts'
import type { Templates } from '../templates/module.ts'
import type { LinkTokens } from './link-tokens.ts'
import { createGate } from './sending/gate.ts'
import { createPortfolioLimit } from './sending/portfolio-limit.ts'
import { createSendFacts } from './sending/send-facts.ts'
import { createSendLimits } from './sending/send-limits.ts'
import { createSendTargets } from './sending/send-targets.ts'
import { createRequestOf } from './sending/sendable.ts'
import { createSenderService } from './sending/sender.service.ts'
import { createSettling } from './sending/settling.ts'
import { createWithinLimits } from './sending/within-limits.ts'
import { createSendingHours } from './sending-hours/sending-hours.service.ts'

/** Functions of higher modules that this one calls. */
export interface AboveOutbound
  extends Pick<Parameters<typeof createSendingHours>[1], 'moveSchedules'>,
    Pick<Parameters<typeof createSettling>[0], 'applyParked'> {}
export type Outbound = ReturnType<typeof createOutbound>

/** Sends messages: the sending hours, the gate, and the sender of a worker. */
export function createOutbound(
  platform: Platform,
  lower: Media & Channel & Inbox & Contacts & Templates,
  above: AboveOutbound,
  settings: { readonly linkTokens: LinkTokens },
) {
  const { mongo, graphs, figures, wakeSender: wake } = platform
  const { numbers, outbox, messageRecords, consentSettings } = lower
  const parts = {
    ...platform,
    ...above,
    outbox,
    wake,
    messages: lower.messages,
    contacts: lower.contacts,
    media: lower.outboundMedia,
    places: messageRecords,
    readNumber: numbers.readToSend,
    tokenOf: numbers.tokenOf,
    stopNumber: numbers.stop,
    graphOf: ({ graphUrl }: { readonly graphUrl: string }) => graphs.of(graphUrl),
    readConversations: lower.conversationRecords.readMany,
    readMessages: messageRecords.readMany,
    readTemplates: lower.templates.readMany,
    needsOptIn: consentSettings.needsOptIn,
    suppressions: lower.listConsent.suppressions,
    linkTokenOf: settings.linkTokens.of,
    releaseScheduled: lower.outgoing.releaseScheduled,
    countSend: figures.countSend,
  }
  return {
    sendingHours: createSendingHours(mongo, parts),
    requestOf: createRequestOf({ ...parts, knownFiles: lower.outboundMedia.known }),
    /** Makes the sender of one worker. @param redis where all workers see how fast each number may send. */
    createSender: (redis: Redis) => {
      const limits = createSendLimits(redis)
      const portfolioLimit = createPortfolioLimit({ ...parts, redis })
      return createSenderService({
        ...parts,
        targets: createSendTargets({ ...parts, wake: (numberId) => wake(laneOf(numberId)) }),
        gate: createGate({ readFacts: createSendFacts(parts) }),
        withinLimits: createWithinLimits({ outbox, limits, portfolioLimit }),
        settling: createSettling({ ...parts, limits }),
      })
    },
  }
}
