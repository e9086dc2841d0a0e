import { GraphError, unknownObject } from '../graph/graph-error.ts'
import type { Send } from '../graph/send-schema.ts'
import type { BusinessNumber, Customer, Message } from '../records.ts'
import { createWamid } from '../wamid.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import { preferenceChange, statusChange } from '../webhooks/shapes.ts'
import type { World } from '../world.ts'
import type { Faults } from './faults.ts'
import type { PlatformLimits } from './limits.ts'
import { isWindowOpen, pricingOf } from './pricing.ts'
import { createSendChecks, mediaTypes } from './send-checks.ts'

/** How statuses follow each other. */
export interface LadderSettings {
  sentMs: number
  deliveredMs: number
  readMs: number
  /** Up to this much more, by chance. */
  jitterMs: number
  /** Free text outside the window is refused at once instead of failing later. */
  refuseClosedWindow: boolean
}

interface Dependencies {
  readonly world: World
  readonly deliveries: Deliveries
  readonly limits: PlatformLimits
  readonly faults: Faults
  /** Told of each message that is new or has changed. */
  readonly onMessage: (message: Message) => void
}

/** The outgoing side of the platform: accepts sends and moves them up the ladder of statuses. */
export function createOutbound({ world, deliveries, limits, faults, onMessage }: Dependencies) {
  const { clock, random } = world
  const { recipientOf, templateOf, requireMedia } = createSendChecks(world)
  const ladder: LadderSettings = { sentMs: 60, deliveredMs: 800, readMs: 1500, jitterMs: 60, refuseClosedWindow: false }
  const inChat = new Map<string, (message: Message) => void>()

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
    if (!template && !open && ladder.refuseClosedWindow) throw new GraphError(131047)
    const waitMs = limits.takeThroughput(number.id, number.throughput)
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
    decideFate(message, { number, customer, open, marketing: template?.category === 'MARKETING' })
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

  function decideFate(
    message: Message,
    about: { number: BusinessNumber; customer: Customer; open: boolean; marketing: boolean },
  ): void {
    const { number, customer, open, marketing } = about
    const magic = faults.failureOf(number.id, customer.phone, mediaTypes.has(message.type))
    if (magic?.stops) emitStop(number, customer)
    const stopped = marketing && customer.stopped.includes(number.accountId)
    const closed = message.type !== 'template' && !open
    const blocked = customer.blocks.includes(number.id)
    const code = magic?.code ?? (closed ? 131047 : stopped ? 131050 : blocked ? 131026 : undefined)
    if (code !== undefined) {
      later(ladder.sentMs, () => move(message.id, 'failed', code))
      return
    }
    const digits = customer.phone.slice(-6)
    if (digits === '000333') return
    const twice = digits === '000111'
    if (digits === '000222') {
      later(ladder.sentMs, () => tell(message.id, 'delivered'))
      later(ladder.sentMs + 50, () => tell(message.id, 'sent'))
      later(ladder.readMs, () => move(message.id, 'read'))
      return
    }
    later(ladder.sentMs, () => {
      move(message.id, 'sent')
      if (twice) tell(message.id, 'sent')
      if (customer.online) deliver(message.id, twice)
    })
    const answer = inChat.get(digits) ?? inChat.get('')
    answer?.(message)
  }

  function deliver(id: string, twice = false): void {
    later(ladder.deliveredMs, () => {
      const message = move(id, 'delivered')
      if (twice) tell(id, 'delivered')
      const customer = message && world.customers.get(message.customerId)
      if (customer?.reads === 'auto') later(ladder.readMs, () => move(id, 'read'))
    })
  }

  const later = (delayMs: number, run: () => void): void => {
    clock.at(clock.now() + delayMs + Math.floor(random.fraction() * ladder.jitterMs), run)
  }

  /** Puts a message at a status, if that is further than where it stands, and tells the business. */
  function move(id: string, status: Message['status'], error?: number): Message | undefined {
    const message = world.messages.get(id)
    if (!message || rank(message.status) >= rank(status)) return undefined
    const step = { status, at: clock.now() }
    const moved = { ...message, status, timeline: [...message.timeline, step], error: error ?? message.error }
    world.putMessage(moved)
    emitStatus(moved, step)
    onMessage(moved)
    return moved
  }

  /** Tells the business of a status whatever the message has come to. */
  function tell(id: string, status: string): void {
    const message = world.messages.get(id)
    if (message) emitStatus(message, { status, at: clock.now() })
  }

  function emitStatus(message: Message, step: { status: string; at: number }): void {
    const number = world.numbers.get(message.numberId)
    const customer = world.customers.get(message.customerId)
    if (number && customer) deliveries.emit(number.accountId, statusChange(number, customer, message, step))
  }

  function emitStop(number: BusinessNumber, customer: Customer): void {
    world.putCustomer({ ...customer, stopped: [...new Set([...customer.stopped, number.accountId])] })
    deliveries.emit(number.accountId, preferenceChange(number, customer, 'stop', clock.now()))
  }

  /** The customer has looked at the chat: everything delivered there is read. */
  function readChat(numberId: string, customerId: string): void {
    for (const { id, direction, status } of world.messagesOf(numberId, customerId))
      if (direction === 'outbound' && status === 'delivered') move(id, 'read')
  }

  /** A phone was switched on: what waits for it arrives. */
  function deliverWaiting(customerId: string): void {
    for (const message of world.messages.values())
      if (message.customerId === customerId && message.direction === 'outbound' && message.status === 'sent')
        deliver(message.id)
  }

  /** Goes on with the ladders that an earlier process had not finished. */
  function resume(): void {
    for (const { id, status, direction, customerId } of world.messages.values()) {
      if (direction === 'inbound') continue
      if (status === 'accepted') later(ladder.sentMs, () => void (move(id, 'sent') && deliver(id)))
      if (status === 'sent' && world.customers.get(customerId)?.online) deliver(id)
    }
  }

  return {
    accept,
    move,
    tell,
    readChat,
    deliverWaiting,
    resume,
    /** Called for messages to numbers that end on these digits: what answers by itself. No digits: for all others. */
    answerBy: (digits: string, answer: (message: Message) => void) => inChat.set(digits, answer),
    settings: (changed: Partial<LadderSettings> = {}) => ({ ...Object.assign(ladder, changed) }),
  }
}
export type Outbound = ReturnType<typeof createOutbound>

const ranks = ['accepted', 'sent', 'delivered', 'read', 'played']
const rank = (status: string): number => (status === 'failed' ? 2.5 : ranks.indexOf(status))
