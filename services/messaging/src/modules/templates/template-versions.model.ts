import type { TemplateVersion } from '@parley/contracts/templates/template-versions'
import type { TemplateContent } from '@parley/contracts/templates/templates'
import { Schema } from 'mongoose'

/** Text of a template as it was submitted for review, and the outcome. */
export interface TemplateVersionRecord {
  readonly id: string
  readonly workspaceId: string
  readonly templateId: string
  /** Number from 1 on. */
  readonly number: number
  readonly content: TemplateContent
  readonly submittedBy?: string | undefined
  readonly submittedAt: Date
  readonly outcome: TemplateVersion['outcome']
  readonly reason?: string | undefined
  readonly decidedAt?: Date | undefined
}

export const templateVersionSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    templateId: { type: String, required: true },
    number: { type: Number, required: true },
    content: { type: Schema.Types.Mixed, required: true },
    submittedBy: { type: String },
    submittedAt: { type: Date, required: true },
    outcome: { type: String, required: true },
    reason: { type: String },
    decidedAt: { type: Date },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false },
)
templateVersionSchema.index({ workspaceId: 1, templateId: 1, number: -1 }, { name: 'number', unique: true })
