import { type FormSummary, formStates } from '@parley/contracts/templates/forms'
import { Schema } from 'mongoose'

/** A form (flow) of an account, as WhatsApp has reported it last. One that is gone there stays, for what names it. */
export interface FormRecord {
  readonly id: string
  readonly workspaceId: string
  readonly businessAccountId: string
  /** Id at WhatsApp. */
  readonly waFlowId: string
  readonly name: string
  readonly state: FormSummary['state']
  readonly hasEndpoint: boolean
}

export const formSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    businessAccountId: { type: String, required: true },
    waFlowId: { type: String, required: true },
    name: { type: String, required: true },
    state: { type: String, enum: formStates, required: true },
    hasEndpoint: { type: Boolean, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
formSchema.index({ workspaceId: 1, waFlowId: 1 }, { name: 'form', unique: true })
formSchema.index({ workspaceId: 1, name: 1 }, { name: 'name' })
