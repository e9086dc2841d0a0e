import type { ConversationChange } from '../inbox/conversations/conversations.service.ts'
import type { KnownMessage, MessageChange, NewMessage } from '../inbox/messages/messages.service.ts'
import { newMessageId } from '../inbox/messages/messages.service.ts'
import { windowAfter } from '../inbox/messages/service-window.ts'
import { summaryLine } from '../inbox/messages/summary-line.ts'
import { ratingIn } from '../inbox/ratings/rating-choice.ts'
import type { Usage } from '../usage/ledger/usage.ts'
import { contentOf, type StoredContent } from './content-of.ts'
import { draftOf, type MessageDraft } from './message-draft.ts'
import { type AppliedItem, type ItemAboutMessage, type MessageItem, type QuoteItem, targetOf } from './webhook-items.ts'

/** All changes of a batch of pieces. */
export interface Plan {
  readonly inserts: readonly NewMessage[]
  /** Ids of those that are from before the number was connected. */
  readonly history: ReadonlySet<string>
  readonly changes: readonly MessageChange[]
  readonly conversations: readonly ConversationChange[]
  /** Updates of messages that are not known yet. */
  readonly parked: readonly ItemAboutMessage[]
  /** Sends that the platform has revoked, with its reason. */
  readonly refused: readonly Refused[]
  readonly usage: readonly Usage[]
  readonly edited: readonly Edited[]
}

/** A customer's message that says something else now. */
export interface Edited extends Pick<KnownMessage, 'contactId' | 'conversationId'> {
  readonly waMessageId: string
  readonly content: StoredContent
  readonly at: Date
}

/** A send that the platform has accepted and then failed. */
export interface Refused {
  readonly messageId: string
  readonly contactId: string
  readonly numberId: string
  readonly code: number
  /** The platform's words. */
  readonly reason: string
  readonly at: Date
}

/**
 * Plans what a batch changes in the store, without applying it. The same pieces again, in any order, lead to the same state.
 * @param known the messages that the pieces name, as they are stored.
 */
export function decide(pieces: readonly AppliedItem[], known: readonly KnownMessage[]): Plan {
  const byWamid = new Map<string, MessageDraft>()
  const byId = new Map<string, MessageDraft>()
  const stored = known.map((message) => {
    const draft = draftOf({ known: message })
    byId.set(message.id, draft)
    if (message.waMessageId !== undefined) byWamid.set(message.waMessageId, draft)
    return { message, draft }
  })
  const fresh: { message: NewMessage; draft: MessageDraft; piece: MessageItem }[] = []
  const parked: ItemAboutMessage[] = []
  const quotes: QuoteItem[] = []
  const edited: Edited[] = []

  for (const piece of pieces) {
    if (piece.kind !== 'message' || isAnsweredCall(piece)) continue
    const there = byWamid.get(piece.message.waMessageId)
    if (there) {
      if (piece.history) there.fill(contentOf(piece.message.content))
      continue
    }
    const message = newMessageOf(piece)
    const draft = draftOf({ fresh: message })
    byWamid.set(message.waMessageId, draft)
    byId.set(message.id, draft)
    fresh.push({ message, draft, piece })
    const { replyTo } = piece.message
    if (replyTo !== undefined)
      quotes.push({
        kind: 'quote',
        waMessageId: replyTo,
        quotedBy: message.id,
        ...(piece.history && { isHistory: true }),
      })
  }
  // Statuses first: of a message of ours they tell by which id the others name it.
  for (const piece of [...pieces.toSorted(statusesFirst), ...quotes]) {
    if (piece.kind === 'message') continue
    const ours = piece.kind === 'status' ? piece.status.callbackData : undefined
    // Steps of our reactions are not shown.
    if (ours?.startsWith('reaction:')) continue
    const draft = (ours !== undefined && byId.get(ours)) || byWamid.get(targetOf(piece))
    if (!draft) {
      parked.push(piece)
      continue
    }
    if (piece.kind === 'quote') {
      byId.get(piece.quotedBy)?.quote(draft.id, piece.isHistory)
      continue
    }
    draft.apply(piece)
    if (piece.kind === 'mark' && piece.by === 'customer' && piece.mark.type === 'edit' && piece.mark.content) {
      const { contactId, conversationId } = draft
      edited.push({
        contactId,
        conversationId,
        waMessageId: piece.waMessageId,
        content: piece.mark.content,
        at: piece.at,
      })
    }
    if (!byWamid.has(targetOf(piece))) byWamid.set(targetOf(piece), draft)
  }

  const touched = stored.filter(({ draft }) => draft.isTouched())
  return {
    history: new Set(fresh.flatMap(({ message, piece }) => (piece.history ? message.id : []))),
    inserts: fresh.map(({ message, draft }) => draft.toInsert(message)),
    changes: touched.map(({ message, draft }) => draft.toChange(message)),
    conversations: [...changesOf(fresh), ...windowsOf(pieces)],
    parked,
    edited,
    refused: touched.flatMap(({ message: { id: messageId, contactId, numberId }, draft: { now } }) => {
      if (!now.error || !now.statusAt.failed) return []
      const { code, details: reason } = now.error
      return [{ messageId, contactId, numberId, code, reason, at: now.statusAt.failed }]
    }),
    usage: [...touched, ...fresh].flatMap(({ draft }) => draft.usage()),
  }
}

function newMessageOf(piece: MessageItem): NewMessage {
  const { message, direction, conversationId, numberId, contactId, history } = piece
  const content = contentOf(message.content)
  return {
    id: newMessageId(),
    conversationId,
    numberId,
    contactId,
    direction,
    content,
    ...('waMediaId' in content && { mediaFetch: { state: 'due', tries: 0 } }),
    waMessageId: message.waMessageId,
    sentAt: message.at,
    // A message that a colleague sends from the phone has left already.
    ...(direction === 'outbound' ? progressOf(history ? history.status : 'sent', message.at) : { statusAt: {} }),
    ...(message.forwarded !== 'no' && { forwarded: message.forwarded }),
    ...(message.referral && { referral: message.referral }),
    ...(message.productId && { productId: message.productId }),
  }
}

/** Returns the status of an imported message, whose times of delivery and reading are not reported. */
const progressOf = (status: NewMessage['status'], at: Date): Pick<NewMessage, 'status' | 'statusAt'> => ({
  ...(status && { status }),
  statusAt: status === 'failed' ? { failed: at } : status ? { sent: at } : {},
})

const statusesFirst = (left: AppliedItem, right: AppliedItem): number =>
  Number(right.kind === 'status') - Number(left.kind === 'status')

/** Returns the effect of new messages on their conversations: one change for each, and one for history. */
function changesOf(fresh: readonly { draft: MessageDraft; message: NewMessage; piece: MessageItem }[]) {
  const changes = new Map<string, Mutable<ConversationChange>>()
  for (const { draft, message, piece } of fresh) {
    const { conversationId: id } = message
    const isHistory = piece.history !== undefined
    const key = `${id}/${isHistory}`
    const change = changes.get(key) ?? { id, unread: 0, messages: 0, reopens: false, ...(isHistory && { isHistory }) }
    changes.set(key, change)
    change.messages += 1
    const { type } = piece.message.content
    if (type === 'system') continue
    const { at, referral, opensWindow } = piece.message
    const last = {
      id: message.id,
      text: summaryLine(draft.now.content, draft.now.deletedAt),
      direction: piece.direction,
      at,
      ...(piece.direction === 'outbound' && { status: draft.now.status }),
    }
    if (!change.last || at >= change.last.at) change.last = last
    if (!change.firstAt || at < change.firstAt) change.firstAt = at
    if (piece.direction === 'outbound') {
      if (!change.answeredAt || at < change.answeredAt) change.answeredAt = at
      // A colleague has written from the phone.
      if (!isHistory && !(change.person && 'phoneAt' in change.person && change.person.phoneAt > at))
        change.person = { phoneAt: at }
      continue
    }
    // A rating is no question: the conversation stays closed.
    if (!isHistory && !ratingIn(message.content)) {
      change.unread += 1
      change.reopens = true
    }
    const expires = opensWindow ? windowAfter(at) : undefined
    if (expires && !(change.windowExpiresAt && change.windowExpiresAt > expires)) change.windowExpiresAt = expires
    if (referral && !(change.referredAt && change.referredAt > at)) change.referredAt = at
  }
  return [...changes.values()]
}

/** Returns the windows that answered calls have opened; the thread shows nothing of these. */
const windowsOf = (pieces: readonly AppliedItem[]): ConversationChange[] =>
  pieces.flatMap((piece) => {
    if (piece.kind !== 'message' || !isAnsweredCall(piece)) return []
    const windowExpiresAt = windowAfter(piece.message.at)
    return [{ id: piece.conversationId, unread: 0, messages: 0, reopens: false, windowExpiresAt }]
  })

const isAnsweredCall = ({ message }: MessageItem): boolean => message.content.type === 'answered_call'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
