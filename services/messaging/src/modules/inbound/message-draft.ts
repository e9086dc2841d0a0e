import { countryOf } from '@parley/phone'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import { placeholder } from '../../whatsapp/history-message.ts'
import { statusAfter } from '../inbox/messages/message-status.ts'
import type { KnownMessage, MessageChange, NewMessage } from '../inbox/messages/messages.service.ts'
import type { Usage } from '../usage/ledger/usage.ts'
import type { StoredContent } from './content-of.ts'
import type { MarkItem, StatusItem } from './webhook-items.ts'

/** A message while pieces are applied to it: one that is stored, or one that this batch brings. */
export type MessageDraft = ReturnType<typeof draftOf>

/** Fields of a message that can change after it was written. */
type Fields = Pick<
  KnownMessage,
  | 'status'
  | 'statusAt'
  | 'error'
  | 'pricing'
  | 'payment'
  | 'waMessageId'
  | 'reactions'
  | 'editedAt'
  | 'deletedAt'
  | 'content'
  | 'replyTo'
  | 'mediaFetch'
>

/** The order of pieces does not matter: each is kept by the platform's own time. */
export function draftOf(origin: { readonly known: KnownMessage } | { readonly fresh: NewMessage }) {
  const stored = 'known' in origin ? origin.known : origin.fresh
  const now: { -readonly [K in keyof Fields]: Fields[K] } = {
    status: stored.status,
    statusAt: { ...stored.statusAt },
    error: stored.error,
    pricing: stored.pricing,
    payment: stored.payment,
    waMessageId: stored.waMessageId,
    reactions: stored.reactions,
    editedAt: stored.editedAt,
    deletedAt: stored.deletedAt,
    content: stored.content,
    replyTo: stored.replyTo,
    mediaFetch: stored.mediaFetch,
  }
  const changed = new Set<string>()
  let settles = false
  /** True where a current event has changed it, not only one of before the number was connected. */
  let isNews = false
  /** The recipient's number, as statuses tell it. */
  let waId: string | undefined
  const change = (fields: Partial<Fields>) => {
    Object.assign(now, fields)
    for (const name of Object.keys(fields)) changed.add(name)
  }

  function applyStatus({ status }: StatusItem): void {
    if ('known' in origin && origin.known.formerWaMessageIds?.includes(status.waMessageId)) return
    const dispatch = 'known' in origin ? origin.known.dispatch : undefined
    // A status that comes before our own answer proves that the send was accepted.
    if (now.waMessageId === undefined) change({ waMessageId: status.waMessageId })
    if (dispatch !== undefined && dispatch.state !== 'accepted') settles = true
    waId ??= status.waId
    if (status.pricing && !now.pricing) change({ pricing: omitUndefined(status.pricing) })
    if (status.payment) recordPayment(status.payment, status.at)
    const step = stepOf(status.status)
    const known = step && now.statusAt[step]
    // A voice note is read when it is opened, and again when it is listened to: the first of both counts, whichever comes first.
    if (step === undefined || (known && known <= status.at)) return
    // The status is of an earlier attempt whose answer was lost: that one has failed, the last one has not.
    if (step === 'failed' && now.waMessageId !== status.waMessageId) return
    change({
      statusAt: { ...now.statusAt, [step]: status.at },
      status: statusAfter(now.status ?? 'queued', step),
      ...(step === 'failed' && status.error && { error: status.error }),
    })
  }

  /** The file of a message that came as a placeholder. */
  function fill(content: StoredContent): void {
    if (now.content['named'] !== placeholder || !('waMediaId' in content)) return
    change({ content, mediaFetch: { state: 'due', tries: 0 } })
  }

  /** The latest counts; of two of one second what is more settled. */
  function recordPayment(state: NonNullable<Fields['payment']>['state'], at: Date): void {
    const before = now.payment
    if (before && (before.at > at || (before.at.getTime() === at.getTime() && settled(before.state) >= settled(state))))
      return
    change({ payment: { state, at } })
  }

  function applyMark({ by, at, mark }: MarkItem): void {
    if (mark.type === 'file') fill(mark.content)
    else if (mark.type === 'reaction') {
      const before = now.reactions?.find((reaction) => reaction.by === by)
      if (before && (before.at > at || (before.at.getTime() === at.getTime() && before.emoji === mark.emoji))) return
      const others = (now.reactions ?? []).filter((reaction) => reaction.by !== by)
      change({ reactions: [...others, { by, emoji: mark.emoji, at }] })
    } else if (mark.type === 'revoke') {
      if (!now.deletedAt) change({ deletedAt: at })
    } else if (mark.content && !(now.editedAt && now.editedAt >= at)) {
      const { content } = mark
      change({
        content: content.type === 'caption' ? { ...now.content, caption: content['caption'] } : content,
        editedAt: at,
      })
    }
  }

  return {
    id: stored.id,
    conversationId: stored.conversationId,
    contactId: stored.contactId,
    now,
    fill,
    apply: (piece: StatusItem | MarkItem) => {
      if (piece.kind === 'status') applyStatus(piece)
      else applyMark(piece)
      if (piece.kind === 'status' || !piece.isHistory) isNews = true
    },
    /** Records that it answers a message, by our id. */
    quote: (replyTo: string, isHistory = false) => {
      if (now.replyTo !== replyTo) change({ replyTo })
      if (!isHistory) isNews = true
    },
    isTouched: () => settles || changed.size > 0,
    /** Returns its usage, once it has arrived and its price is known. */
    usage: (): Usage[] => {
      const at = earliest(now.statusAt.delivered, now.statusAt.read)
      if (!now.pricing || !at) return []
      const { billable, category } = now.pricing
      const country = waId === undefined ? undefined : countryOf(`+${waId}`)
      const cause = 'known' in origin ? origin.known.cause : undefined
      const campaignId = cause?.kind === 'campaign' ? cause.id : undefined
      return [{ messageId: stored.id, billable, category, at, ...omitUndefined({ country, campaignId }) }]
    },
    /** A new message with what has come for it. */
    toInsert: (fresh: NewMessage): NewMessage => ({ ...fresh, ...omitUndefined(now) }),
    toChange: ({ id, version, conversationId, status }: KnownMessage): MessageChange => ({
      id,
      version,
      conversationId,
      from: status,
      set: {
        ...Object.fromEntries(Object.entries(now).filter(([name]) => changed.has(name))),
        ...(settles && { 'dispatch.state': 'accepted' }),
      },
      isHistory: !isNews,
      ...(settles && { unset: ['sendLane', 'dispatch.claim', 'dispatch.leaseUntil'] }),
    }),
  }
}

/** `played` is a read that was listened to; a deletion by the customer changes nothing for us. */
const stepOf = (status: StatusItem['status']['status']) =>
  status === 'played' ? 'read' : status === 'deleted' ? undefined : status

const settled = (state: 'paid' | 'failed' | 'pending'): number => ['pending', 'failed', 'paid'].indexOf(state)

const earliest = (...dates: (Date | undefined)[]): Date | undefined =>
  dates.reduce((first, date) => (first === undefined || (date !== undefined && date < first) ? date : first), undefined)
