import type { BusinessNumber, Customer, Message } from '../records.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import { preferenceChange, statusChange } from '../webhooks/shapes.ts'
import type { World } from '../world.ts'
import type { Faults } from './faults.ts'
import { mediaTypes } from './send-checks.ts'

/** Order of statuses, and their delivery to the business. */
export interface LadderSettings {
  sentMs: number
  deliveredMs: number
  readMs: number
  /** Maximum random addition to a delay. */
  jitterMs: number
  /** Refuses free text outside the window at once, instead of failing it later. */
  refuseClosedWindow: boolean
  /** Reports `sent` after `delivered`. */
  swap: boolean
  /** Leaves out `delivered`: only `read` is reported. */
  skipDelivered: boolean
  /** Interval of statuses that are never reported; 0 reports all of them, 1 none. */
  dropEvery: number
  /** Number of times each status is reported. */
  copies: number
  /** Answers a send only when its first status has been reported. */
  beforeAnswer: boolean
  /** Statuses identify the recipient, as since 2026. */
  contacts: boolean
  /** Statuses name the conversation that they count for, as before v24. */
  conversation: boolean
}

const usual: LadderSettings = {
  sentMs: 60,
  deliveredMs: 800,
  readMs: 1500,
  jitterMs: 60,
  refuseClosedWindow: false,
  swap: false,
  skipDelivered: false,
  dropEvery: 0,
  copies: 1,
  beforeAnswer: false,
  contacts: true,
  conversation: false,
}

interface Step {
  readonly status: string
  readonly at: number
}

interface Dependencies {
  readonly world: World
  readonly deliveries: Deliveries
  readonly faults: Faults
  /** Called for each message that has changed. */
  readonly onMessage: (message: Message) => void
}

/** Moves messages to customers through their statuses, and reports these to the business. */
export function createLadder({ world, deliveries, faults, onMessage }: Dependencies) {
  const { clock, random } = world
  const settings: LadderSettings = { ...usual }
  const inChat = new Map<string, (message: Message) => void>()
  let reports = 0

  /** Moves an accepted message up step by step, or lets it fail. */
  function begin(
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
      later(settings.sentMs, () => move(message.id, 'failed', code))
      return
    }
    const digits = customer.phone.slice(-6)
    if (digits === '000333') return
    const twice = digits === '000111'
    if (digits === '000222') {
      later(settings.sentMs, () => report(message.id, 'delivered'))
      later(settings.sentMs + 50, () => report(message.id, 'sent'))
      later(settings.readMs, () => move(message.id, 'read'))
      return
    }
    later(settings.sentMs, () => {
      move(message.id, 'sent')
      if (twice) report(message.id, 'sent')
      if (customer.online) deliver(message.id, twice)
    })
    const answer = inChat.get(digits) ?? inChat.get('')
    answer?.(message)
  }

  function deliver(id: string, twice = false): void {
    later(settings.deliveredMs, () => {
      const message = move(id, 'delivered')
      if (twice) report(id, 'delivered')
      const customer = message && world.customers.get(message.customerId)
      if (customer?.reads === 'auto') later(settings.readMs, () => move(id, 'read'))
    })
  }

  const later = (delayMs: number, run: () => void): void => {
    clock.at(clock.now() + delayMs + Math.floor(random.fraction() * settings.jitterMs), run)
  }

  /** Puts a message at a status, if that is further than where it stands, and tells the business. */
  function move(id: string, status: Message['status'], error?: number): Message | undefined {
    const message = world.messages.get(id)
    if (!message || rank(message.status) >= rank(status)) return undefined
    const step = { status, at: clock.now() }
    const moved = { ...message, status, timeline: [...message.timeline, step], error: error ?? message.error }
    world.putMessage(moved)
    announce(moved, step)
    onMessage(moved)
    return moved
  }

  /** Reports a status to the business, whatever the message's own status is. */
  function report(id: string, status: string): void {
    const message = world.messages.get(id)
    if (message) emitStatus(message, { status, at: clock.now() })
  }

  /** Reports a status, unless a fault is set for it. */
  function announce(message: Message, step: Step): void {
    const { swap, skipDelivered } = settings
    if (skipDelivered && step.status === 'delivered') return
    const sent = message.timeline.find(({ status }) => status === 'sent')
    if (swap && step.status === 'sent') return
    emitStatus(message, step)
    if (swap && sent && step.status === (skipDelivered ? 'read' : 'delivered')) emitStatus(message, sent)
  }

  function emitStatus(message: Message, step: Step): void {
    const number = world.numbers.get(message.numberId)
    const customer = world.customers.get(message.customerId)
    if (!number || !customer) return
    reports += 1
    if (settings.dropEvery > 0 && reports % settings.dropEvery === 0) return
    const { contacts, conversation, skipDelivered } = settings
    const change = statusChange({ number, customer, message }, step, {
      contacts,
      conversation,
      pricedOnRead: skipDelivered,
    })
    for (let copy = 0; copy < settings.copies; copy++) deliveries.emit(number.accountId, change)
  }

  function emitStop(number: BusinessNumber, customer: Customer): void {
    world.putCustomer({ ...customer, stopped: [...new Set([...customer.stopped, number.accountId])] })
    deliveries.emit(number.accountId, preferenceChange(number, customer, 'stop', clock.now()))
  }

  /** Marks everything delivered in a chat as read: the customer has looked at it. */
  function readChat(numberId: string, customerId: string): void {
    for (const { id, direction, status } of world.messagesOf(numberId, customerId))
      if (direction === 'outbound' && status === 'delivered') move(id, 'read')
  }

  /** Delivers waiting messages to a phone that was switched on. */
  function deliverWaiting(customerId: string): void {
    for (const message of world.messages.values())
      if (message.customerId === customerId && message.direction === 'outbound' && message.status === 'sent')
        deliver(message.id)
  }

  /** Continues the statuses that an earlier process had not finished. */
  function resume(): void {
    for (const { id, status, direction, customerId } of world.messages.values()) {
      if (direction === 'inbound') continue
      if (status === 'accepted') later(settings.sentMs, () => void (move(id, 'sent') && deliver(id)))
      if (status === 'sent' && world.customers.get(customerId)?.online) deliver(id)
    }
  }

  return {
    begin,
    move,
    readChat,
    deliverWaiting,
    resume,
    /** Called for messages to numbers that end in these digits, which answer by themselves. No digits: for all others. */
    answerBy: (digits: string, answer: (message: Message) => void) => inChat.set(digits, answer),
    settings: (changed: Partial<LadderSettings> = {}) => ({ ...Object.assign(settings, changed) }),
    reset: () => void Object.assign(settings, usual),
  }
}

const ranks = ['accepted', 'sent', 'delivered', 'read', 'played']
const rank = (status: string): number => (status === 'failed' ? 2.5 : ranks.indexOf(status))
