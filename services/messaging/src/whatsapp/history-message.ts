import { z } from 'zod'
import { type InboundMessage, readInboundMessage } from './inbound-message.ts'

/** The type of a message whose file comes later, or never: the platform passes on those of the last two weeks. */
export const placeholder = 'media_placeholder'

const identity = z.string().max(200).optional().catch(undefined)
const pieceSchema = z.object({
  metadata: z.looseObject({ display_phone_number: identity }).optional().catch(undefined),
  thread: z.looseObject({ id: identity }).optional().catch(undefined),
  message: z.looseObject({
    from: identity,
    from_user_id: identity,
    to: identity,
    to_user_id: identity,
    history_context: z.looseObject({ status: identity }).optional().catch(undefined),
  }),
})

/** A message from before a number was connected here. */
export interface HistoryMessage {
  readonly direction: 'inbound' | 'outbound'
  /** Names its sender or recipient; neither where only the message with this id can tell. */
  readonly message: InboundMessage
  /** Last status of a message of the business; absent for one that has not left, and for customers' messages. */
  readonly status: 'sent' | 'delivered' | 'read' | 'failed' | undefined
}

const statuses: Readonly<Record<string, HistoryMessage['status']>> = {
  SENT: 'sent',
  DELIVERED: 'delivered',
  READ: 'read',
  PLAYED: 'read',
  ERROR: 'failed',
  PENDING: undefined,
}

/**
 * Reads one message of the `history` webhook, in its thread or, where its file comes later, without one.
 * Source: developers.facebook.com, WhatsApp Business Platform, webhooks reference, `history`.
 * @throws ZodError where it has no id, no time or no type.
 */
export function readHistoryMessage(piece: unknown): HistoryMessage {
  const { metadata, thread, message } = pieceSchema.parse(piece)
  const { from, from_user_id: fromUserId, to, to_user_id: toUserId, history_context: context, ...rest } = message
  const business = metadata?.display_phone_number?.replaceAll(/\D/g, '')
  const isOurs =
    (to ?? toUserId) !== undefined ||
    (from !== undefined && (from === business || (thread?.id !== undefined && !isSameLine(from, thread.id))))
  const customer = thread?.id ?? (isOurs ? to : from)
  const userId = isOurs ? toUserId : fromUserId
  return {
    direction: isOurs ? 'outbound' : 'inbound',
    message: readInboundMessage({ ...rest, from: customer, from_user_id: userId }),
    status: isOurs ? statusOf(context?.status) : undefined,
  }
}

const statusOf = (status = 'SENT'): HistoryMessage['status'] =>
  Object.hasOwn(statuses, status) ? statuses[status] : 'sent'

/** Some countries write one line in two forms, which differ at the front. */
const isSameLine = (one: string, other: string): boolean => one === other || one.slice(-8) === other.slice(-8)
