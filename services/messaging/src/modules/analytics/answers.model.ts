import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

export const watches = 'watches'

/**
 * A time that a customer waited for an answer: from their first message after our last one until somebody wrote to them, or the
 * conversation was closed.
 */
export interface AnswerRecord {
  readonly id: string
  readonly workspaceId: string
  readonly numberId: string
  /** Absent once the person was erased, like the contact and the message. */
  readonly conversationId?: string | undefined
  readonly contactId?: string | undefined
  /** The message with which it began. */
  readonly messageId?: string | undefined
  readonly since: Date
  readonly open?: true | undefined
  readonly answeredAt?: Date | undefined
  /** Author of the answer, whoever owned the conversation. */
  readonly by?: { readonly kind: string; readonly id: string } | undefined
  /** Set where the conversation was closed without an answer. */
  readonly closedAt?: Date | undefined
  /** Set where a bot has passed the customer on: none of its messages answers them any more. */
  readonly forPerson?: true | undefined
  /** Set where the wait began with that, after the bot's answer. */
  readonly handedOver?: true | undefined
  /** Set for the first wait since the customer began the conversation, or opened it again. */
  readonly first?: true | undefined
  /** Time by which the response target wanted it answered. */
  readonly dueAt?: Date | undefined
  /** Seconds of opening hours that the answer took. */
  readonly openSeconds?: number | undefined
  /** Set where it counts as answered: within 24 hours, and not after a bot had answered. */
  readonly inTime?: true | undefined
  /** Set where it was answered after `dueAt`. */
  readonly late?: true | undefined
  /** Next act about `dueAt`, and when: show it in the inbox, tell its member that it is near, then that it has passed. */
  readonly watch?:
    | { readonly state: typeof watches; readonly step: 'show' | 'near' | 'due'; readonly at: Date }
    | undefined
}

const id = Schema.Types.ObjectId

export const answerSchema = new Schema(
  {
    workspaceId: { type: id, required: true },
    numberId: { type: id, required: true },
    conversationId: { type: id },
    contactId: { type: id },
    messageId: { type: id },
    since: { type: Date, required: true },
    open: { type: Boolean },
    answeredAt: { type: Date },
    by: { type: new Schema({ kind: String, id: String }, { _id: false, id: false }) },
    closedAt: { type: Date },
    forPerson: { type: Boolean },
    handedOver: { type: Boolean },
    first: { type: Boolean },
    dueAt: { type: Date },
    openSeconds: { type: Number },
    inTime: { type: Boolean },
    late: { type: Boolean },
    watch: { type: new Schema({ state: String, step: String, at: Date }, { _id: false, id: false }) },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
answerSchema.index({ workspaceId: 1, conversationId: 1 }, { name: 'open', unique: true, ...whereExists('open') })
answerSchema.index({ workspaceId: 1, since: 1 }, { name: 'waiting', ...whereExists('open') })
answerSchema.index({ workspaceId: 1, since: -1, _id: -1 }, { name: 'since' })
answerSchema.index({ workspaceId: 1, numberId: 1, since: -1, _id: -1 }, { name: 'of-number' })
answerSchema.index({ workspaceId: 1, 'by.id': 1, since: -1, _id: -1 }, { name: 'by-author', ...whereExists('by.id') })
answerSchema.index(
  { workspaceId: 1, 'by.id': 1, since: -1, _id: -1 },
  { name: 'late-by-author', ...whereExists('late') },
)
answerSchema.index(
  { workspaceId: 1, 'by.id': 1, since: -1, _id: -1 },
  { name: 'in-time-by-author', ...whereExists('inTime') },
)
answerSchema.index({ 'watch.state': 1, 'watch.at': 1 }, { name: 'watch', ...whereExists('watch.state') })
answerSchema.index({ workspaceId: 1, contactId: 1 }, { name: 'contact', ...whereExists('contactId') })
