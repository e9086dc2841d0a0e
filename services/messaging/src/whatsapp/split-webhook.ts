import { lineKey } from '@parley/phone/line'
import { z } from 'zod'
import { readNotice } from './identities.ts'
import { splitCoexistence } from './split-coexistence.ts'
import { laneOfParts, type WebhookChange, type WebhookItem } from './webhook-item.ts'
import { optionalIdentity, optionalText } from './wire-values.ts'

const identity = optionalIdentity
const messageId = optionalText(512)
const messageSchema = z.looseObject({ id: messageId, from: identity, from_user_id: identity })
const echoSchema = z.looseObject({ id: messageId, to: identity, to_user_id: identity })
const statusSchema = z.looseObject({ id: messageId, recipient_id: identity, recipient_user_id: identity })
const contactSchema = z.looseObject({ wa_id: identity, user_id: identity })
const valueSchema = z.looseObject({
  metadata: z.looseObject({ phone_number_id: identity }).optional().catch(undefined),
  contacts: z.array(contactSchema).optional().catch(undefined),
  messages: z.array(messageSchema).optional().catch(undefined),
  statuses: z.array(statusSchema).optional().catch(undefined),
})
const echoesSchema = z.looseObject({
  metadata: z.looseObject({ phone_number_id: identity }),
  contacts: z.array(contactSchema).default([]).catch([]),
  message_echoes: z.array(echoSchema).min(1),
})
const callsSchema = z.looseObject({
  metadata: z.looseObject({ phone_number_id: identity }),
  contacts: z.array(contactSchema).default([]).catch([]),
  calls: z.array(messageSchema).min(1),
})
// An empty name counts as absent: otherwise neither it nor the rest of its webhook could be stored.
const envelopeSchema = z.looseObject({
  object: z.string().optional(),
  entry: z.array(
    z.looseObject({
      id: z.coerce
        .string()
        .optional()
        .transform((id) => id || undefined),
      time: z.number().optional().catch(undefined),
      changes: z.array(
        z.looseObject({
          field: z
            .string()
            .default('')
            .transform((field) => field || 'unknown'),
          value: z.unknown(),
        }),
      ),
    }),
  ),
})

/**
 * Splits a webhook into one piece per message, status or other change. Nothing else of it is judged: what the split does not
 * understand is a piece of kind `other`.
 * @returns `undefined` where the body is not a webhook at all, or is nested too deeply to be written again; it is then kept whole.
 */
export function splitWebhook(body: Buffer): WebhookItem[] | undefined {
  const envelope = envelopeSchema.safeParse(parseJson(body))
  if (!envelope.success) return undefined
  try {
    return envelope.data.entry.flatMap(({ id: accountId, time, changes }) =>
      changes.flatMap(({ field, value }) => splitChange({ accountId, time, field, value })),
    )
  } catch (error) {
    // `JSON.stringify` goes as deep as its value, `JSON.parse` does not.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Messages from the business's own phone, one piece each. */
function splitEchoes({ accountId, field, value }: WebhookChange): WebhookItem[] | undefined {
  const echoes = field === 'smb_message_echoes' ? echoesSchema.safeParse(value).data : undefined
  return echoes?.message_echoes.map((message) => ({
    kind: 'message',
    field,
    accountId,
    waMessageId: message.id,
    phoneNumberId: echoes.metadata.phone_number_id,
    lane: laneOfParts(echoes.metadata.phone_number_id, lineOf(message.to) ?? message.to_user_id),
    payload: JSON.stringify({
      metadata: echoes.metadata,
      contacts: contactsOf(echoes.contacts, message.to, message.to_user_id),
      message,
    }),
  }))
}

/** Calls belong in the threads of their callers. */
function splitCalls({ accountId, field, value }: WebhookChange): WebhookItem[] | undefined {
  const parsed = field === 'calls' ? callsSchema.safeParse(value).data : undefined
  return parsed?.calls.map((call) => ({
    kind: 'message',
    field,
    accountId,
    waMessageId: call.id,
    phoneNumberId: parsed.metadata.phone_number_id,
    lane: laneOfParts(parsed.metadata.phone_number_id, call.from ?? call.from_user_id),
    payload: JSON.stringify({
      metadata: parsed.metadata,
      contacts: contactsOf(parsed.contacts, call.from, call.from_user_id),
      message: call,
    }),
  }))
}

function splitChange(change: WebhookChange): WebhookItem[] {
  const otherItems = splitEchoes(change) ?? splitCalls(change) ?? splitCoexistence(change)
  if (otherItems) return otherItems
  const value = valueSchema.safeParse(change.value)
  if (change.field !== 'messages' || !value.success) return [whole(change)]
  const { metadata, contacts = [], messages = [], statuses = [], ...rest } = value.data
  const phoneNumberId = metadata?.phone_number_id
  const around = { accountId: change.accountId, field: change.field, phoneNumberId }
  const items: WebhookItem[] = [
    ...messages.map((message) => ({
      ...around,
      kind: 'message' as const,
      waMessageId: message.id,
      lane: laneOfParts(phoneNumberId, senderOf(message, contacts)),
      payload: JSON.stringify({
        metadata,
        contacts: contactsOf(contacts, message.from, message.from_user_id),
        message,
      }),
    })),
    ...statuses.map((status) => ({
      ...around,
      kind: 'status' as const,
      waMessageId: status.id,
      lane: laneOfParts(phoneNumberId, status.recipient_id ?? status.recipient_user_id),
      payload: JSON.stringify({ metadata, contacts, status }),
    })),
  ]
  const hasMore = Object.keys(rest).some((name) => name !== 'messaging_product')
  return items.length === 0 || hasMore
    ? [...items, whole({ ...change, value: { metadata, contacts, ...rest } })]
    : items
}

/** Returns the person whom a message is from or about, by any identity in it: their work stays in one lane. */
function senderOf(message: z.infer<typeof messageSchema>, contacts: readonly z.infer<typeof contactSchema>[]) {
  const { before } = readNotice(message['system'], { waId: message.from, userId: message.from_user_id })
  const [sole] = contacts.length === 1 ? contacts : []
  return lineOf(before.waId) ?? before.userId ?? lineOf(sole?.wa_id) ?? sole?.user_id
}

/** One lane, whatever the way in which a number is written. */
const lineOf = (waId: string | undefined) => waId && lineKey(`+${waId}`).slice(1)

/** A contact belongs to a message by its identity; by its place only where it is alone. */
function contactsOf(contacts: z.infer<typeof contactSchema>[], from: string | undefined, userId: string | undefined) {
  if (contacts.length <= 1) return contacts
  return contacts.filter(
    ({ wa_id, user_id }) => (from !== undefined && wa_id === from) || (userId !== undefined && user_id === userId),
  )
}

function whole({ accountId, time, field, value }: WebhookChange): WebhookItem {
  const parsed = valueSchema.safeParse(value)
  return {
    kind: 'other',
    field,
    accountId,
    phoneNumberId: parsed.data?.metadata?.phone_number_id,
    lane: laneOfParts(accountId, field),
    payload: JSON.stringify({ time, value }),
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
