import type { Clock } from '@parley/service-kit/core/clock'
import type { Sendable } from '../../../whatsapp/send-body.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import type { Portfolio } from '../../inbox/messages/messaging-limit-slots.ts'
import type { Outbox, SendingNumber } from '../../inbox/messages/outbox.ts'
import type { PortfolioLimit } from './portfolio-limit.ts'
import type { SendLimits } from './send-limits.ts'
import type { Target } from './send-targets.ts'

/** A message that may leave as far as it goes itself. */
export interface Ready {
  readonly message: MessageRecord
  readonly target: Target
  readonly content: Sendable
}

interface Limits {
  readonly perSecond: number
  /** Absent where the number may write to anybody first. */
  readonly portfolio: Portfolio | undefined
}

export type WithinLimits = ReturnType<typeof createWithinLimits>

/** Selects the messages of a number that its limits let leave now; the others are put where they wait. */
export function createWithinLimits({
  outbox,
  limits,
  portfolioLimit,
  now = () => new Date(),
}: {
  outbox: Pick<Outbox, 'defer' | 'holdBack'>
  limits: Pick<SendLimits, 'acquire' | 'acquireTurns'>
  portfolioLimit: PortfolioLimit
  now?: Clock
}) {
  /** @param goOn called with the milliseconds until there is room for more. */
  return async function withinLimits(
    { workspaceId, numberId }: SendingNumber,
    ready: readonly Ready[],
    { perSecond, portfolio }: Limits,
    goOn: (pauseMs: number) => void,
  ) {
    const scope = { workspaceId }
    const [replies, bulk] = [ready.filter(isReply), ready.filter((candidate) => !isReply(candidate))]
    const forReplies = await limits.acquire(numberId, { wanted: replies.length, perSecond, bulk: false })
    const forBulk = await limits.acquire(numberId, { wanted: bulk.length, perSecond, bulk: true })
    if (forReplies.granted + forBulk.granted < ready.length) goOn(Math.max(forReplies.waitMs, forBulk.waitMs))
    const inTime = [...replies.slice(0, forReplies.granted), ...bulk.slice(0, forBulk.granted)]
    const { reserved, refused } = await portfolioLimit.reserve(
      scope,
      portfolio,
      inTime.map(({ message }) => message),
    )
    if (refused.size > 0) await outbox.holdBack(scope, [...refused])
    const granted = inTime.filter(({ message }) => !refused.has(message.id))
    const needTurn = granted.filter(({ message }) => !message.dispatch?.slotTaken)
    const waits = await limits.acquireTurns(
      numberId,
      needTurn.map(({ message }) => message.contactId),
    )
    const deferred = needTurn.flatMap(({ message }, index) => {
      const waitMs = waits[index] ?? 0
      if (waitMs === 0) return []
      goOn(waitMs)
      return [{ message, notBefore: new Date(now().getTime() + waitMs), slotTaken: true }]
    })
    if (deferred.length > 0) await outbox.defer(scope, deferred)
    const late = new Set(deferred.map(({ message }) => message.id))
    return {
      allowed: granted.filter(({ message }) => !late.has(message.id)),
      reserved,
      heldBack: refused.size,
    }
  }
}

const isReply = ({ message }: Ready): boolean => (message.dispatch?.priority ?? 0) === 0
