import type { InboundMessage } from '../../whatsapp/inbound-message.ts'
import type { InboundStatus } from '../../whatsapp/inbound-status.ts'
import type { StoredContent } from './content-of.ts'

/** A message in its place: of a customer, or one that a colleague has sent from the business's own phone. */
export interface MessageItem {
  readonly kind: 'message'
  readonly conversationId: string
  readonly numberId: string
  readonly contactId: string
  readonly direction: 'inbound' | 'outbound'
  readonly message: InboundMessage
  /** Set for a message from before the number was connected: it is shown, and has no consequences. */
  readonly history?: { readonly status: 'sent' | 'delivered' | 'read' | 'failed' | undefined } | undefined
}

/** A step of an outbound message. */
export interface StatusItem {
  readonly kind: 'status'
  readonly status: InboundStatus
}

/** Action of a person on an existing message; it is no message of its own. */
export interface MarkItem {
  readonly kind: 'mark'
  /** The message that it is about. */
  readonly waMessageId: string
  readonly by: 'customer' | 'member'
  readonly at: Date
  readonly mark:
    | { readonly type: 'reaction'; readonly emoji: string }
    | { readonly type: 'edit'; readonly content: StoredContent | undefined }
    | { readonly type: 'revoke' }
    /** The file of a message that came without it. */
    | { readonly type: 'file'; readonly content: StoredContent }
  readonly isHistory?: true | undefined
}

/** A message that is stored quotes one that was not known when it came. */
export interface QuoteItem {
  readonly kind: 'quote'
  /** The message that is quoted. */
  readonly waMessageId: string
  /** Our id of the message that quotes it. */
  readonly quotedBy: string
  readonly isHistory?: true | undefined
}

/** One piece of a webhook, read. */
export type AppliedItem = MessageItem | ItemAboutMessage
/** A piece about another message: it waits for that one where it comes first. */
export type ItemAboutMessage = StatusItem | MarkItem | QuoteItem

/** The message that a piece is about, as the platform names it. */
export const targetOf = (piece: ItemAboutMessage): string =>
  piece.kind === 'status' ? piece.status.waMessageId : piece.waMessageId

/** Returns whether a piece is a message of a shared history. */
export const isHistory = (piece: AppliedItem): boolean => piece.kind === 'message' && piece.history !== undefined

/** Returns when messages show contacts to be there. */
export const sightingsIn = (pieces: readonly AppliedItem[]) =>
  pieces.flatMap((piece) => (piece.kind === 'message' ? [{ contactId: piece.contactId, at: piece.message.at }] : []))

/** Returns the messages that pieces are about, or quote: by ids of WhatsApp, and by our own. */
export const namedBy = (pieces: readonly (AppliedItem | ItemAboutMessage)[]) => ({
  waMessageIds: [
    ...new Set(
      pieces.flatMap((piece) =>
        piece.kind === 'message' ? [piece.message.waMessageId, piece.message.replyTo ?? []].flat() : targetOf(piece),
      ),
    ),
  ],
  ids: [
    ...pieces.flatMap((piece) =>
      piece.kind === 'status' && isId(piece.status.callbackData) ? piece.status.callbackData : [],
    ),
    ...quotingIn(pieces),
  ],
})

export const quotingIn = (pieces: readonly (AppliedItem | ItemAboutMessage)[]): string[] =>
  pieces.flatMap((piece) => (piece.kind === 'quote' ? piece.quotedBy : []))
const isId = (value: string | undefined): value is string => value !== undefined && /^[0-9a-f]{24}$/.test(value)
