import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** A conversation that a bot has taken over, until it ended it or somebody else took it. */
export interface TakeOverRecord {
  readonly id: string
  readonly workspaceId: string
  readonly numberId: string
  readonly botId: string
  /** Absent once the person was erased, like the contact. */
  readonly conversationId?: string | undefined
  readonly contactId?: string | undefined
  readonly since: Date
  readonly endedAt?: Date | undefined
  /** Set where the bot has come to its drawn end, and it was no person's within a day. */
  readonly resolved?: true | undefined
  /** Set for the last one of its conversation. */
  readonly latest?: true | undefined
}

const id = Schema.Types.ObjectId

export const takeOverSchema = new Schema(
  {
    workspaceId: { type: id, required: true },
    numberId: { type: id, required: true },
    botId: { type: String, required: true },
    conversationId: { type: id },
    contactId: { type: id },
    since: { type: Date, required: true },
    endedAt: { type: Date },
    resolved: { type: Boolean },
    latest: { type: Boolean },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
takeOverSchema.index({ workspaceId: 1, conversationId: 1 }, { name: 'latest', unique: true, ...whereExists('latest') })
takeOverSchema.index({ workspaceId: 1, since: -1, _id: -1 }, { name: 'since' })
for (const [name, key] of [
  ['of-bot', { botId: 1 }],
  ['of-number', { numberId: 1 }],
] as const)
  takeOverSchema.index({ workspaceId: 1, ...key, since: -1, _id: -1 }, { name })
for (const [name, key] of [
  ['resolved', {}],
  ['resolved-of-bot', { botId: 1 }],
  ['resolved-of-number', { numberId: 1 }],
] as const)
  takeOverSchema.index({ workspaceId: 1, ...key, since: -1, _id: -1 }, { name, ...whereExists('resolved') })
takeOverSchema.index({ workspaceId: 1, contactId: 1 }, { name: 'contact', ...whereExists('contactId') })
