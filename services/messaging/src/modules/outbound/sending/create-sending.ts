import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Redis } from 'ioredis'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import { createGate } from './gate.ts'
import { createPortfolioLimit } from './portfolio-limit.ts'
import { createSendFacts } from './send-facts.ts'
import { createSendLimits } from './send-limits.ts'
import { createSendTargets } from './send-targets.ts'
import { createSenderService } from './sender.service.ts'
import { createSettling } from './settling.ts'
import { createWithinLimits } from './within-limits.ts'

type Facts = Parameters<typeof createSendFacts>[0]
type Targets = Parameters<typeof createSendTargets>[0]
type Settling = Parameters<typeof createSettling>[0]
type Places = Parameters<typeof createPortfolioLimit>[0]
type Sender = Parameters<typeof createSenderService>[0]

/** Wires what sends: one worker's, once it has its connection to Redis, where all workers see how fast each number may send. */
export const createSending =
  (
    deps: Omit<Facts, 'now'> &
      Omit<Targets, 'wake'> &
      Omit<Settling, 'limits' | 'now' | 'outbox'> &
      Pick<Sender, 'releaseScheduled' | 'wake' | 'logger'> &
      Pick<Places, 'places'> & { readonly outbox: Outbox },
  ) =>
  (redis: Redis) => {
    const limits = createSendLimits(redis)
    const { places, readConversations, outbox } = deps
    const portfolioLimit = createPortfolioLimit({ redis, places, readConversations })
    return createSenderService({
      outbox,
      targets: createSendTargets({ ...deps, wake: (numberId) => deps.wake(laneOf(numberId)) }),
      gate: createGate({ readFacts: createSendFacts(deps) }),
      withinLimits: createWithinLimits({ outbox, limits, portfolioLimit }),
      settling: createSettling({ ...deps, limits }),
      releaseScheduled: deps.releaseScheduled,
      wake: deps.wake,
      logger: deps.logger,
    })
  }
