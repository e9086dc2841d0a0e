import type { InboundMessage } from '../../whatsapp/inbound-message.ts'
import type { InboundStatus } from '../../whatsapp/inbound-status.ts'
import type { ConversationChange } from '../conversations/conversations.service.ts'
import { statusAfter } from '../messages/message-status.ts'
import type { KnownMessage, MessageChange, NewMessage } from '../messages/messages.service.ts'
import { windowAfter } from '../messages/service-window.ts'
import { summaryLine } from '../messages/summary-line.ts'
import { contentOf } from './content-of.ts'

/** One piece of a webhook, read. */
export type Piece =
  | {
      readonly kind: 'message'
      readonly conversationId: string
      readonly numberId: string
      readonly contactId: string
      readonly message: InboundMessage
    }
  | { readonly kind: 'status'; readonly status: InboundStatus }

/** A status of a message that is not known yet: it waits for it. */
export interface ParkedStatus {
  readonly waMessageId: string
  readonly status: InboundStatus
}

/** Everything that a batch of pieces changes. */
export interface Plan {
  readonly inserts: readonly NewMessage[]
  readonly changes: readonly MessageChange[]
  readonly conversations: readonly ConversationChange[]
  readonly parked: readonly ParkedStatus[]
  readonly usage: readonly { messageId: string; billable: boolean; category: string; at: Date }[]
}

interface Draft {
  readonly message: KnownMessage
  status: KnownMessage['status']
  readonly statusAt: Record<string, Date>
  error: { code: number; details: string } | undefined
  pricing: InboundStatus['pricing']
  waMessageId: string | undefined
  settled: boolean
  touched: boolean
}

/**
 * What a batch does to what is stored, without doing it. The same pieces again, in whatever order, come to the same state.
 * @param known the messages that the pieces name, as they are stored.
 */
export function decide(pieces: readonly Piece[], known: readonly KnownMessage[]): Plan {
  const byWamid = new Map(
    known.flatMap((message) => (message.waMessageId ? [[message.waMessageId, message] as const] : [])),
  )
  const byId = new Map(known.map((message) => [message.id, message]))
  const drafts = new Map<string, Draft>()
  const inserts = new Map<string, NewMessage>()
  const conversations = new Map<string, Mutable<ConversationChange>>()
  const parked: ParkedStatus[] = []
  const usage: Plan['usage'][number][] = []

  const conversationOf = (id: string) => {
    const change = conversations.get(id) ?? { id, unread: 0, messages: 0, reopens: false }
    conversations.set(id, change)
    return change
  }

  for (const piece of pieces) {
    if (piece.kind === 'message') takeMessage(piece)
    else takeStatus(piece.status)
  }

  function takeMessage(piece: Extract<Piece, { kind: 'message' }>): void {
    const { message, conversationId } = piece
    if (byWamid.has(message.waMessageId) || inserts.has(message.waMessageId)) return
    const content = contentOf(message)
    inserts.set(message.waMessageId, { ...piece, content })
    const change = conversationOf(conversationId)
    change.messages += 1
    if (content.type === 'reaction' || content.type === 'system') return
    change.unread += 1
    change.reopens = true
    const expires = windowAfter(message.content.type, message.at)
    if (expires && !(change.windowExpiresAt && change.windowExpiresAt > expires)) change.windowExpiresAt = expires
    if (!change.last || message.at >= change.last.at) {
      change.last = { id: message.waMessageId, text: summaryLine(content), direction: 'inbound', at: message.at }
    }
  }

  function takeStatus(status: InboundStatus): void {
    const target = (status.callbackData && byId.get(status.callbackData)) || byWamid.get(status.waMessageId)
    if (!target) {
      parked.push({ waMessageId: status.waMessageId, status })
      return
    }
    const step = stepOf(status.status)
    const draft = draftOf(target)
    // A status that comes before our own answer proves that the send was accepted.
    if (draft.waMessageId === undefined) {
      draft.waMessageId = status.waMessageId
      draft.touched = true
    }
    if (!draft.settled) {
      draft.settled = true
      draft.touched = true
    }
    if (status.pricing && !draft.pricing) {
      draft.pricing = status.pricing
      draft.touched = true
    }
    if (step === undefined || draft.statusAt[step]) return
    draft.statusAt[step] = status.at
    draft.touched = true
    if (step === 'failed' && status.error) draft.error = status.error
    draft.status = statusAfter(draft.status ?? 'queued', step)
    if (step === 'delivered' && draft.pricing) {
      usage.push({
        messageId: target.id,
        billable: draft.pricing.billable,
        category: draft.pricing.category,
        at: status.at,
      })
    }
  }

  function draftOf(message: KnownMessage): Draft {
    const draft = drafts.get(message.id) ?? {
      message,
      status: message.status,
      statusAt: { ...message.statusAt },
      error: message.error,
      pricing: message.pricing && { type: undefined, ...message.pricing },
      waMessageId: message.waMessageId,
      settled: message.dispatch?.state === 'accepted' || message.dispatch === undefined,
      touched: false,
    }
    drafts.set(message.id, draft)
    return draft
  }

  const touched = [...drafts.values()].filter((draft) => draft.touched)
  return {
    inserts: [...inserts.values()],
    changes: touched.map(changeOf),
    conversations: [...conversations.values()],
    parked,
    usage,
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** `played` is a read that was listened to; a deletion by the customer changes nothing for us. */
const stepOf = (status: InboundStatus['status']) =>
  status === 'played' ? 'read' : status === 'deleted' ? undefined : status

function changeOf({ message, status, statusAt, error, pricing, waMessageId, settled }: Draft): MessageChange {
  const leaves = settled && message.dispatch !== undefined && message.dispatch.state !== 'accepted'
  return {
    id: message.id,
    version: message.version,
    conversationId: message.conversationId,
    status,
    set: {
      ...(status && { status }),
      statusAt,
      ...(error && { error }),
      ...(pricing && {
        pricing: {
          billable: pricing.billable,
          category: pricing.category,
          ...(pricing.type && { type: pricing.type }),
        },
      }),
      ...(waMessageId !== undefined && { waMessageId }),
      ...(leaves && { 'dispatch.state': status === 'failed' ? 'failed' : 'accepted' }),
    },
    ...(leaves && { unset: ['sendLane', 'dispatch.claim', 'dispatch.leaseUntil'] }),
  }
}
