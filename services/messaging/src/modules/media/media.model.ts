import { Schema } from 'mongoose'

/** Thumbnail of a picture, stored like any other file; or the fact that none can be made. */
export interface ThumbnailRecord {
  readonly id: string
  readonly workspaceId: string
  readonly mediaId: string
  readonly thumbnailId?: string
  /** The picture cannot be decoded. */
  readonly isBroken?: true
}

/** A file of ours as the platform knows it for one number. */
export interface UploadRecord {
  readonly id: string
  readonly workspaceId: string
  readonly mediaId: string
  readonly numberId: string
  readonly waMediaId: string
  readonly uploadedAt: Date
}

/** A file that something has had; it goes unless something else has it too. */
export interface ReleasedFile {
  readonly id: string
  readonly workspaceId: string
  readonly mediaId: string
  readonly releasedAt: Date
  /** Set while it is being deleted: nothing can take it any more. */
  readonly isGoing?: true | undefined
}

/** A file that a member who does not see all conversations has uploaded of late: others may have the same content. */
export interface UploadedFile {
  readonly id: string
  readonly workspaceId: string
  readonly mediaId: string
  readonly memberId: string
  readonly uploadedAt: Date
}

const options = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const
const id = { type: Schema.Types.ObjectId, required: true }

export const thumbnailSchema = new Schema(
  { workspaceId: id, mediaId: id, thumbnailId: { type: Schema.Types.ObjectId }, isBroken: { type: Boolean } },
  options,
)
thumbnailSchema.index({ workspaceId: 1, mediaId: 1 }, { name: 'media', unique: true })
export const uploadSchema = new Schema(
  {
    workspaceId: id,
    mediaId: id,
    numberId: id,
    waMediaId: { type: String, required: true },
    uploadedAt: { type: Date, required: true },
  },
  options,
)
uploadSchema.index({ workspaceId: 1, mediaId: 1, numberId: 1 }, { name: 'media', unique: true })
uploadSchema.index({ uploadedAt: 1 }, { name: 'kept', expireAfterSeconds: 29 * 86_400 })

export const releasedFileSchema = new Schema(
  {
    workspaceId: id,
    mediaId: id,
    releasedAt: { type: Date, required: true },
    isGoing: { type: Boolean },
  },
  options,
)
releasedFileSchema.index({ workspaceId: 1, mediaId: 1 }, { name: 'file', unique: true })
releasedFileSchema.index({ releasedAt: 1 }, { name: 'released' })

export const uploadedFileSchema = new Schema(
  {
    workspaceId: id,
    mediaId: id,
    memberId: { type: String, required: true },
    uploadedAt: { type: Date, required: true },
  },
  options,
)
uploadedFileSchema.index({ workspaceId: 1, mediaId: 1, memberId: 1 }, { name: 'file', unique: true })
uploadedFileSchema.index({ uploadedAt: 1 }, { name: 'kept', expireAfterSeconds: 7 * 86_400 })
