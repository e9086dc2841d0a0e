import { Schema } from 'mongoose'

/** Contacts of a large workspace at one moment, counted by what its lists are chosen by. */
export interface ContactCountsRecord {
  readonly id: string
  readonly workspaceId: string
  readonly all: number
  /** A list, since a tag may be named as no field may. */
  readonly tags: readonly { readonly name: string; readonly count: number }[]
  /** Counts by id and version of the segment, since a changed one is counted again; null where that took too long. */
  readonly segments: readonly { readonly name: string; readonly count: number | null }[]
  readonly countedAt: Date
}

const counted = { type: [new Schema({ name: String, count: Number }, { _id: false, id: false })], required: true }

export const contactCountsSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    all: { type: Number, required: true },
    tags: counted,
    segments: counted,
    countedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
contactCountsSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
