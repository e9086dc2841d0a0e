import type { BusinessNumber, Customer, Message } from '../records.ts'
import { createWamid } from '../wamid.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import { echoChange, inboundChange, preferenceChange } from '../webhooks/shapes.ts'
import type { World } from '../world.ts'

/** Types that do not open the 24-hour window. */
const silentTypes = new Set(['reaction', 'system', 'unsupported'])

export interface NewInbound {
  readonly type: string
  readonly content: unknown
  readonly replyTo?: string | undefined
  readonly forwarded?: boolean | undefined
  readonly frequentlyForwarded?: boolean | undefined
  readonly referral?: Record<string, unknown> | undefined
  readonly referredProduct?: Record<string, unknown> | undefined
  /** Time in milliseconds since 1970; absent: now. */
  readonly at?: number | undefined
}

interface Dependencies {
  readonly world: World
  readonly deliveries: Deliveries
  readonly onMessage: (message: Message) => void
}

/** Handles acts of customers on their phones. */
export function createInbound({ world, deliveries, onMessage }: Dependencies) {
  const { clock, random } = world

  /** Sends a message from a customer. */
  function write(number: BusinessNumber, customer: Customer, input: NewInbound): Message {
    const at = input.at ?? clock.now()
    const isKept = isBlocked(number, customer)
    const reached = ['sent' as const, ...(isKept ? [] : ['delivered' as const])]
    const message: Message = {
      id: createWamid('inbound', customer.phone, random),
      direction: 'inbound',
      numberId: number.id,
      customerId: customer.id,
      at,
      type: input.type,
      content: input.content,
      replyTo: input.replyTo ?? null,
      forwarded: input.forwarded ?? false,
      status: reached.at(-1) ?? 'sent',
      timeline: reached.map((status) => ({ status, at })),
      error: null,
      callbackData: null,
      addressedBy: 'phone',
      pricing: null,
      reactions: {},
      edited: false,
      revoked: false,
    }
    world.putMessage(message)
    const chat = world.chatOf(number.id, customer.id)
    const opens = !isKept && !silentTypes.has(input.type)
    world.chats.put(chat.id, {
      ...chat,
      lastAt: at,
      ...(opens && { lastInboundAt: Math.max(chat.lastInboundAt, at) }),
      ...(input.referral && { referredAt: at }),
    })
    onMessage(message)
    if (!isKept)
      deliveries.emit(number.accountId, inboundChange(number, customer, message, ridersOf(number, customer, input)))
    return message
  }

  function ridersOf(number: BusinessNumber, customer: Customer, input: NewInbound): Record<string, unknown> {
    const quoted = input.replyTo === undefined ? undefined : world.messages.get(input.replyTo)
    const context = {
      ...(input.replyTo !== undefined && {
        from: quoted?.direction === 'inbound' ? customer.phone : number.displayNumber,
        id: input.replyTo,
      }),
      ...(input.forwarded && { forwarded: true }),
      ...(input.frequentlyForwarded && { frequently_forwarded: true }),
      ...(input.referredProduct && { referred_product: input.referredProduct }),
    }
    return {
      ...(Object.keys(context).length > 0 && { context }),
      ...(input.referral && { referral: input.referral }),
    }
  }

  /** Adds a customer's reaction to a message; an empty emoji removes it. */
  function react(number: BusinessNumber, customer: Customer, target: Message, emoji: string): Message {
    const { customer: _removed, ...others } = target.reactions
    onMessage(world.putMessage({ ...target, reactions: emoji ? { ...others, customer: emoji } : others }))
    const content = { message_id: target.id, ...(emoji && { emoji }) }
    return write(number, customer, { type: 'reaction', content })
  }

  /** Edits one of a customer's own messages. */
  function edit(number: BusinessNumber, customer: Customer, target: Message, body: string): void {
    const content = { ...(target.content as object), body }
    onMessage(world.putMessage({ ...target, content, edited: true }))
    const edit = { original_message_id: target.id, message: { type: target.type, [target.type]: content } }
    emitAbout(number, customer, 'edit', edit)
  }

  /** Deletes one of a customer's own messages for everyone. */
  function revoke(number: BusinessNumber, customer: Customer, target: Message): void {
    onMessage(world.putMessage({ ...target, revoked: true }))
    emitAbout(number, customer, 'revoke', { original_message_id: target.id })
  }

  /** Reports something about a customer that is no message of theirs. */
  function emitAbout(number: BusinessNumber, customer: Customer, type: string, content: unknown): void {
    if (isBlocked(number, customer)) return
    const notice = { id: createWamid('inbound', customer.phone, random), at: clock.now(), type, content }
    deliveries.emit(number.accountId, inboundChange(number, customer, notice))
  }

  /** Moves a customer to another phone number: every business they have written with is notified. */
  function changeNumber(customer: Customer, phone: string): Customer {
    const moved = world.putCustomer({ ...customer, phone })
    for (const chat of world.chats.values()) {
      const number = chat.customerId === customer.id ? world.numbers.get(chat.numberId) : undefined
      if (!number) continue
      emitAbout(number, customer, 'system', {
        body: `User ${customer.name} changed from ${customer.phone} to ${phone}`,
        wa_id: phone,
        type: 'user_changed_number',
      })
    }
    return moved
  }

  /** Stops or resumes marketing for a customer, as in the WhatsApp app. */
  function prefer(number: BusinessNumber, customer: Customer, value: 'stop' | 'resume'): Customer {
    const others = customer.stopped.filter((id) => id !== number.accountId)
    const changed = world.putCustomer({
      ...customer,
      stopped: value === 'stop' ? [...others, number.accountId] : others,
    })
    deliveries.emit(number.accountId, preferenceChange(number, customer, value, clock.now()))
    return changed
  }

  /** Sends a colleague's answer from the business's own phone. */
  function echo(number: BusinessNumber, customer: Customer, type: string, content: unknown): Message {
    const at = clock.now()
    const message: Message = {
      id: createWamid('outbound', customer.phone, random),
      direction: 'outbound',
      numberId: number.id,
      customerId: customer.id,
      at,
      type,
      content,
      replyTo: null,
      forwarded: false,
      status: 'delivered',
      timeline: [{ status: 'delivered', at }],
      error: null,
      callbackData: null,
      addressedBy: 'phone',
      pricing: null,
      reactions: {},
      edited: false,
      revoked: false,
    }
    world.putMessage(message)
    onMessage(message)
    deliveries.emit(number.accountId, echoChange(number, customer, message))
    return message
  }

  return { write, react, edit, revoke, changeNumber, prefer, echo }
}
export type Inbound = ReturnType<typeof createInbound>

/**
 * Returns whether the business has blocked a customer: it receives nothing from them, and they see no more than that the message
 * was sent.
 */
const isBlocked = ({ blocked }: BusinessNumber, { id, phone }: Customer): boolean =>
  blocked.includes(phone) || blocked.includes(id)
