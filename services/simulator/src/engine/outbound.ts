import { GraphError, unknownObject } from '../graph/graph-error.ts'
import type { Send } from '../graph/send-schema.ts'
import type { BusinessNumber, Chat, Message } from '../records.ts'
import { createWamid } from '../wamid.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import type { World } from '../world.ts'
import type { Faults } from './faults.ts'
import { createLadder } from './ladder.ts'
import type { PlatformLimits } from './limits.ts'
import { createSendChecks } from './send-checks.ts'
import type { WaIds } from './wa-ids.ts'

interface Dependencies {
  readonly world: World
  readonly deliveries: Deliveries
  readonly limits: PlatformLimits
  readonly faults: Faults
  readonly waIds: WaIds
  /** Called for each message that is new or has changed. */
  readonly onMessage: (message: Message) => void
}

/** Accepts messages of a business, and moves them through their statuses. */
export function createOutbound({ world, deliveries, limits, faults, waIds, onMessage }: Dependencies) {
  const { clock, random } = world
  const { recipientOf, templateOf, requireMedia } = createSendChecks(world, waIds)
  const ladder = createLadder({ world, deliveries, faults, onMessage })

  /**
   * Checks a send and accepts it.
   * @throws GraphError for what the platform refuses at once.
   */
  function accept(number: BusinessNumber, send: Send): Message {
    const account = world.accounts.get(number.accountId)
    if (!account) throw unknownObject(number.id)
    if (!number.registered) throw new GraphError(133010)
    const customer = recipientOf(send)
    if (customer.phone === number.displayNumber) throw new GraphError(131021)
    const template = send.type === 'template' ? templateOf(account.id, send) : undefined
    if (template?.category === 'AUTHENTICATION' && send.recipient !== undefined) throw new GraphError(131062)
    requireMedia(send)
    const chat = world.chatOf(number.id, customer.id)
    const now = clock.now()
    const open = isWindowOpen(chat, now)
    if (!template && !open && ladder.settings().refuseClosedWindow) throw new GraphError(131047)
    const waitMs = limits.takeThroughput(number)
    if (waitMs > 0) throw new GraphError(130429, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
    if (limits.takePair(number.id, customer.id) > 0) throw new GraphError(131056)
    if (!open && template && !limits.takeUnique(account.id, account.limitTier, customer.id))
      throw new GraphError(131048)
    const message: Message = {
      id: createWamid('outbound', customer.phone, random),
      direction: 'outbound',
      numberId: number.id,
      customerId: customer.id,
      at: now,
      type: send.type,
      content: send.content,
      ...(template && { shown: template.shown }),
      replyTo: send.replyTo ?? null,
      forwarded: false,
      status: 'accepted',
      timeline: [{ status: 'accepted', at: now }],
      error: null,
      callbackData: send.callbackData ?? null,
      addressedBy: send.recipient === undefined ? 'phone' : 'user_id',
      pricing: pricingOf(chat, template?.category.toLowerCase() ?? 'service', now),
      reactions: {},
      edited: false,
      revoked: false,
    }
    world.putMessage(message)
    if (send.type === 'reaction') applyReaction(send.content)
    else world.chats.put(chat.id, { ...chat, lastAt: now, ...freeEntry(chat, now) })
    onMessage(message)
    ladder.begin(message, { number, customer, open, marketing: template?.category === 'MARKETING' })
    return message
  }

  /** Answering within a day of a click on an ad opens 72 hours without charge. */
  const freeEntry = ({ referredAt, freeEntryUntil }: { referredAt: number; freeEntryUntil: number }, now: number) =>
    referredAt > 0 && now - referredAt < 24 * 3600_000 && freeEntryUntil <= now
      ? { freeEntryUntil: now + 72 * 3600_000, referredAt: 0 }
      : {}

  function applyReaction(content: unknown): void {
    const { message_id: id, emoji } = content as { message_id: string; emoji: string }
    const target = world.messages.get(id)
    if (!target) return
    const { business: _removed, ...others } = target.reactions
    onMessage(world.putMessage({ ...target, reactions: emoji === '' ? others : { ...others, business: emoji } }))
  }

  return { accept, ...ladder }
}
export type Outbound = ReturnType<typeof createOutbound>

const windowMs = 24 * 3600_000
/** Time from which messages inside the window are billed too, free entry points excepted. */
const serviceBilledFrom = Date.UTC(2026, 9, 1)

/**
 * Returns whether the customer has written within the last 24 hours, or came by an ad and was answered within a day, 72 hours ago
 * at most.
 */
const isWindowOpen = (chat: Pick<Chat, 'lastInboundAt' | 'freeEntryUntil'>, now: number): boolean =>
  chat.lastInboundAt + windowMs > now || chat.freeEntryUntil > now

/** Returns the `pricing` of a message that is sent now. @param category of the template in lower case, or `service`. */
function pricingOf(chat: Chat, category: string, now: number) {
  if (chat.freeEntryUntil > now) return { billable: false, type: 'free_entry_point', category: 'referral_conversion' }
  const mayBeFree = category === 'service' || (category === 'utility' && isWindowOpen(chat, now))
  if (mayBeFree && now < serviceBilledFrom) return { billable: false, type: 'free_customer_service', category }
  return { billable: true, type: 'regular', category }
}
