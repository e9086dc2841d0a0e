import { createHash } from 'node:crypto'
import { statusError } from '../graph/graph-error.ts'
import type { BusinessNumber, Customer, Message } from '../records.ts'
import type { Change } from './webhook-body.ts'

const dayMs = 24 * 3600_000

/** Returns the beginning of every change of the field `messages`. */
const head = (number: BusinessNumber) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: number.displayNumber, phone_number_id: number.id },
})

const contactOf = ({ id, name, username, phone, hidesPhone }: Customer) => ({
  profile: { name, ...(username !== null && { username: `@${username}` }) },
  ...(!hidesPhone && { wa_id: phone }),
  user_id: id,
})

const seconds = (ms: number): string => String(Math.floor(ms / 1000))

/** Builds a message of a customer. `riders` are `context`, `referral` and other fields beside the content. */
export function inboundChange(
  number: BusinessNumber,
  customer: Customer,
  message: Pick<Message, 'id' | 'at' | 'type' | 'content'>,
  riders: Record<string, unknown> = {},
): Change {
  const body = {
    ...riders,
    ...(!customer.hidesPhone && { from: customer.phone }),
    ...(!(message.type === 'system' && !customer.hidesPhone) && { from_user_id: customer.id }),
    id: message.id,
    timestamp: seconds(message.at),
    ...(message.type === 'unsupported' ? { errors: [statusErrorOfUnsupported] } : { [message.type]: message.content }),
    type: message.type,
  }
  const contacts = message.type === 'system' ? {} : { contacts: [contactOf(customer)] }
  return { field: 'messages', numberId: number.id, value: { ...head(number), ...contacts, messages: [body] } }
}

const statusErrorOfUnsupported = {
  code: 131051,
  title: 'Message type unknown',
  message: 'Message type unknown',
  error_data: { details: 'Message type is currently not supported.' },
}

/** Optional parts of a status. */
export interface StatusOptions {
  /** Recipient's identity, as since 2026. */
  readonly contacts: boolean
  /** The conversation that it counts for, as before v24; a free entry point always has one. */
  readonly conversation: boolean
  /** The charge, on `read` too: `delivered` was left out. */
  readonly pricedOnRead: boolean
}

/** Builds one status of an outbound message. */
export function statusChange(
  { number, customer, message }: { number: BusinessNumber; customer: Customer; message: Message },
  { status, at }: { status: string; at: number },
  options: StatusOptions,
): Change {
  const failed = status === 'failed'
  const byUserId = message.addressedBy === 'user_id'
  const priced = status === 'sent' || status === 'delivered' || (status === 'read' && options.pricedOnRead)
  const body = {
    id: message.id,
    status,
    timestamp: seconds(at),
    ...(!(byUserId && customer.hidesPhone) && { recipient_id: customer.phone }),
    ...(!(failed && !byUserId) && { recipient_user_id: customer.id }),
    ...(message.callbackData !== null && { biz_opaque_callback_data: message.callbackData }),
    ...(!failed && conversationOf(message, status, at, options)),
    ...(message.pricing &&
      priced && {
        pricing: { billable: message.pricing.billable, pricing_model: 'PMP', ...withoutBillable(message.pricing) },
      }),
    ...(failed && { errors: [statusError(message.error ?? 131000)] }),
  }
  const contacts = failed || !options.contacts ? {} : { contacts: [contactOf(customer)] }
  return { field: 'messages', numberId: number.id, value: { ...head(number), ...contacts, statuses: [body] } }
}

function conversationOf({ id, pricing }: Message, status: string, at: number, options: StatusOptions) {
  const isFree = pricing?.type === 'free_entry_point'
  if (!pricing || !(isFree || options.conversation)) return {}
  const expires = status === 'sent' && options.conversation && { expiration_timestamp: seconds(at + dayMs) }
  const origin = { type: pricing.category }
  return { conversation: { id: createHash('md5').update(id).digest('hex'), ...expires, origin } }
}

const withoutBillable = ({ type, category }: { type: string; category: string }) => ({ type, category })

/** Builds a choice about marketing that a customer made in the WhatsApp app. */
export const preferenceChange = (number: BusinessNumber, customer: Customer, value: string, at: number): Change => ({
  field: 'user_preferences',
  numberId: number.id,
  value: {
    ...head(number),
    contacts: [contactOf(customer)],
    user_preferences: [
      {
        ...(!customer.hidesPhone && { wa_id: customer.phone }),
        user_id: customer.id,
        category: 'marketing_messages',
        value,
        detail:
          value === 'stop'
            ? 'User requested to stop marketing messages'
            : 'User requested to resume marketing messages',
        timestamp: Math.floor(at / 1000),
      },
    ],
  },
})

/** Builds a message that a colleague has sent from the business's own phone. */
export const echoChange = (number: BusinessNumber, customer: Customer, message: Message): Change => ({
  field: 'smb_message_echoes',
  numberId: number.id,
  value: {
    ...head(number),
    message_echoes: [
      {
        from: number.displayNumber,
        ...(!customer.hidesPhone && { to: customer.phone }),
        to_user_id: customer.id,
        id: message.id,
        timestamp: seconds(message.at),
        type: message.type,
        [message.type]: message.content,
      },
    ],
  },
})
