import { Schema } from 'mongoose'

/** A template that is to be read from WhatsApp, by its id there. */
export interface TemplateReadRecord {
  readonly id: string
  readonly workspaceId: string
  readonly businessAccountId: string
  readonly waTemplateId: string
  readonly watch: 'templates'
  readonly nextAt: Date
  /** Rises each time that it is asked for: a read that is under way does not answer a later one. */
  readonly asked: number
  readonly attempts: number
}

export const templateReadSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    businessAccountId: { type: String, required: true },
    waTemplateId: { type: String, required: true },
    watch: { type: String, required: true },
    nextAt: { type: Date, required: true },
    asked: { type: Number, required: true },
    attempts: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
templateReadSchema.index({ workspaceId: 1, waTemplateId: 1 }, { name: 'template', unique: true })
templateReadSchema.index({ watch: 1, nextAt: 1 }, { name: 'due' })
