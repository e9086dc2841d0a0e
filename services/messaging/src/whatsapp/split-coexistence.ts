import { z } from 'zod'
import { laneOfParts, type WebhookChange, type WebhookItem } from './webhook-item.ts'

const identity = z.string().max(200).optional().catch(undefined)
const metadataSchema = z.looseObject({ phone_number_id: identity, display_phone_number: identity })
const messageSchema = z.looseObject({ id: identity, from: identity, to: identity, to_user_id: identity })
const historySchema = z.looseObject({
  metadata: metadataSchema.optional().catch(undefined),
  history: z
    .array(
      z.looseObject({
        threads: z.array(z.looseObject({ id: identity, messages: z.array(messageSchema).default([]) })).default([]),
      }),
    )
    .default([]),
  /** Files of messages that came before as placeholders. */
  messages: z.array(messageSchema).default([]),
})
const addressBookSchema = z.looseObject({
  metadata: metadataSchema.optional().catch(undefined),
  state_sync: z.array(
    z.looseObject({ contact: z.looseObject({ phone_number: identity }).optional().catch(undefined) }),
  ),
})

/**
 * Splits the data of a number that was used in the WhatsApp Business app before: one item for each message, and one for the
 * progress.
 * @returns `undefined` where it is no such change, or cannot be read.
 */
export function splitCoexistence(change: WebhookChange): WebhookItem[] | undefined {
  if (change.field === 'history') return splitHistory(change)
  return change.field === 'smb_app_state_sync' ? splitAddressBook(change) : undefined
}

function splitHistory({ accountId, time, field, value }: WebhookChange): WebhookItem[] | undefined {
  const parsed = historySchema.safeParse(value).data
  if (!parsed) return undefined
  const { metadata, history, messages, ...rest } = parsed
  const phoneNumberId = metadata?.phone_number_id
  const around = { field, accountId, phoneNumberId }
  const piece = (
    message: z.infer<typeof messageSchema>,
    thread?: { readonly id?: string | undefined },
  ): WebhookItem => ({
    ...around,
    kind: 'message',
    waMessageId: message.id,
    lane: laneOfParts(phoneNumberId, thread?.id ?? message.to ?? message.to_user_id ?? message.from),
    payload: JSON.stringify({ metadata, thread, message }),
  })
  const inThreads = history.flatMap(({ threads }) =>
    threads.flatMap(({ messages: threadMessages, ...thread }) =>
      threadMessages.map((message) => piece(message, thread)),
    ),
  )
  const progress = history.map(({ threads: _, ...entry }) => entry)
  const whole: WebhookItem = {
    ...around,
    kind: 'other',
    lane: laneOfParts(accountId, field),
    payload: JSON.stringify({ time, value: { ...rest, metadata, history: progress } }),
  }
  return [...inThreads, ...messages.map((message) => piece(message)), ...(progress.length > 0 ? [whole] : [])]
}

function splitAddressBook({ accountId, time, field, value }: WebhookChange): WebhookItem[] | undefined {
  const parsed = addressBookSchema.safeParse(value).data
  if (!parsed) return undefined
  const { metadata, state_sync: entries, ...rest } = parsed
  const phoneNumberId = metadata?.phone_number_id
  return entries.map((entry) => ({
    kind: 'other',
    field,
    accountId,
    phoneNumberId,
    lane: laneOfParts(phoneNumberId, entry.contact?.phone_number?.replaceAll(/\D/g, '')),
    payload: JSON.stringify({ time, value: { ...rest, metadata, state_sync: [entry] } }),
  }))
}
