import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import type { Redis } from 'ioredis'
import type { Base } from '../../records.ts'
import type { Channel } from '../channel/module.ts'
import type { Contacts } from '../contacts/module.ts'
import { createOutbox } from '../inbox/messages/outbox.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Media } from '../media/module.ts'
import type { Templates } from '../templates/module.ts'
import type { LinkTokens } from './link-tokens.ts'
import { createAwaitFiles } from './recipient-files/await-files.ts'
import { createExpiredFiles } from './recipient-files/expired-files.ts'
import { createFetchFile } from './recipient-files/fetch-file.ts'
import { createRecipientFileWork } from './recipient-files/recipient-file-work.ts'
import { createAcceptances } from './sending/acceptances.ts'
import { createGate } from './sending/gate.ts'
import { createPortfolioLimit } from './sending/portfolio-limit.ts'
import { createSendAges } from './sending/send-ages.ts'
import { createSendLimits } from './sending/send-limits.ts'
import { createSendTargets } from './sending/send-targets.ts'
import { createSenderService } from './sending/sender.service.ts'
import { createSettling } from './sending/settling.ts'
import { createWithinLimits } from './sending/within-limits.ts'
import { createSendingHours } from './sending-hours/sending-hours.service.ts'

/** The functions of a higher module that this one calls. */
export type AboveOutbound = Pick<Parameters<typeof createSettling>[0], 'applyParked'>
interface Settings {
  readonly linkTokens: LinkTokens
  readonly outboundHttp: Pick<OutboundHttp, 'receive'>
}
type Lower = Base & Media & Channel & Inbox & Contacts & Templates & AboveOutbound & Settings
export type Outbound = ReturnType<typeof createOutbound>

/** Sends messages: the sending hours, the gate, and the sender of a worker. */
export function createOutbound(lower: Lower) {
  const outbox = createOutbox(lower.messageRecords)
  const fetchFile = createFetchFile(lower.outboundHttp)
  const parts = { ...lower, outbox, fetchFile, acceptances: createAcceptances(lower.mongo) }
  return {
    outbox,
    fetchFile,
    expiredFiles: createExpiredFiles(parts),
    recipientFileWork: createRecipientFileWork(parts),
    sendingHours: createSendingHours(parts),
    sendAges: createSendAges(parts),
    /** Makes the sender of one worker. @param redis where all workers see how fast each number may send. */
    createSender: (redis: Redis) => {
      const limits = createSendLimits(redis)
      return createSenderService({
        ...parts,
        awaitFiles: createAwaitFiles(parts),
        targets: createSendTargets(parts),
        gate: createGate(parts),
        withinLimits: createWithinLimits({ outbox, limits, portfolioLimit: createPortfolioLimit({ ...parts, redis }) }),
        settling: createSettling({ ...parts, limits }),
      })
    },
  }
}
