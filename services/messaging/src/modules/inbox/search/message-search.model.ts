import { Schema } from 'mongoose'

/** Words by which a message is found; the id is the message's. */
export interface MessageWords {
  readonly id: string
  readonly workspaceId: string
  readonly conversationId: string
  readonly at: Date
  readonly words: readonly string[]
  readonly sample?: true | undefined
}

export const messageWordsSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    conversationId: { type: Schema.Types.ObjectId, required: true },
    at: { type: Date, required: true },
    words: { type: [String], required: true },
    sample: { type: Boolean },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
// The id would be a third of it: messages of one moment are put into their order after they are read.
messageWordsSchema.index({ workspaceId: 1, words: 1, at: -1 }, { name: 'word-times' })
messageWordsSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
