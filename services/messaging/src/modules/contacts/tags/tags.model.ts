import type { Tag } from '@parley/contracts/contacts/tags'
import { Schema } from 'mongoose'

/** A tag that contacts carry or have carried. */
export interface TagRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly colour: Tag['colour']
  readonly sample?: true | undefined
  readonly version: number
}

export const tagSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    colour: { type: String, required: true },
    sample: { type: Boolean },
    version: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
tagSchema.index({ workspaceId: 1, name: 1 }, { name: 'name', unique: true })
tagSchema.index({ workspaceId: 1, _id: 1 }, { name: 'oldest' })
tagSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
