import { Schema } from 'mongoose'

/** The small picture of a picture; the file itself lies in the media store like any other. */
export interface ThumbnailRecord {
  readonly id: string
  readonly workspaceId: string
  readonly mediaId: string
  readonly thumbnailId: string
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

const options = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const
const id = { type: Schema.Types.ObjectId, required: true }

export const thumbnailSchema = new Schema({ workspaceId: id, mediaId: id, thumbnailId: id }, options)
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
