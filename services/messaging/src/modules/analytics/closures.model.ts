import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** A conversation that a member or bot has closed, each time. */
export interface ClosureRecord {
  readonly id: string
  readonly workspaceId: string
  readonly numberId: string
  /** Absent once the person was erased, like the contact. */
  readonly conversationId?: string | undefined
  readonly contactId?: string | undefined
  readonly closedAt: Date
  readonly by: { readonly kind: 'member' | 'bot'; readonly id: string }
  /** Seconds of opening hours for which it was open; absent where no customer had begun it, nor anybody opened it again. */
  readonly openSeconds?: number | undefined
}

const id = Schema.Types.ObjectId

export const closureSchema = new Schema(
  {
    workspaceId: { type: id, required: true },
    numberId: { type: id, required: true },
    conversationId: { type: id },
    contactId: { type: id },
    closedAt: { type: Date, required: true },
    by: { type: new Schema({ kind: String, id: String }, { _id: false, id: false }), required: true },
    openSeconds: { type: Number },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
closureSchema.index({ workspaceId: 1, closedAt: -1, _id: -1 }, { name: 'closed-at' })
closureSchema.index({ workspaceId: 1, 'by.id': 1, closedAt: -1, _id: -1 }, { name: 'by-author' })
closureSchema.index({ workspaceId: 1, contactId: 1 }, { name: 'contact', ...whereExists('contactId') })
