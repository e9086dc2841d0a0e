import type { AttributeType } from '@parley/contracts/contacts/contact-attributes'
import { Schema } from 'mongoose'

/** A field that a workspace has defined for its contacts. */
export interface AttributeRecord {
  readonly id: string
  readonly workspaceId: string
  /** The `k` of contacts' attributes. */
  readonly name: string
  /** Folded name ({@link labelKey}): no two fields of a workspace differ in case or accents only. */
  readonly nameKey: string
  readonly label: string
  readonly labelKey: string
  readonly type: AttributeType
  readonly choices: readonly string[]
  /** The import that has defined it for a column of its file. */
  readonly importId?: string | undefined
  readonly version: number
}

export const attributeSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    label: { type: String, required: true },
    labelKey: { type: String, required: true },
    type: { type: String, required: true },
    choices: { type: [String], required: true },
    importId: { type: Schema.Types.ObjectId },
    version: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
attributeSchema.index({ workspaceId: 1, labelKey: 1 }, { name: 'label', unique: true })
attributeSchema.index({ workspaceId: 1, nameKey: 1 }, { name: 'name', unique: true })
