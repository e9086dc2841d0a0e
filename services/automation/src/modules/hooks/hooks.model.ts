import { type HookResult, hookResults } from '@parley/contracts/automation/hooks'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** Address by which other systems start a workflow, of one trigger. Its token is not kept, only the hash. */
export interface HookRecord {
  readonly id: string
  readonly workspaceId: string
  readonly flowId: string
  readonly nodeId: string
  /** SHA-256 of the token, base64url. */
  readonly tokenHash: string
  readonly last4: string
  readonly createdAt: Date
  readonly lastCallAt?: Date | undefined
}

/** Calls of an address within a minute. */
export interface HookMinuteRecord extends HookRecord {
  /** The minute, counted since 1970. */
  readonly minute?: number | undefined
  readonly calls?: number | undefined
}

/** One call, without the values of its body. */
export interface HookCallRecord {
  readonly id: string
  readonly flowId: string
  readonly nodeId: string
  readonly at: Date
  readonly result: HookResult
  readonly problem?: string | undefined
  readonly fields: readonly string[]
  /** SHA-256 of what names its intent; absent where it was refused, so that it can come again. */
  readonly key?: string | undefined
  readonly repeats: number
  readonly runId?: string | undefined
  readonly contactId?: string | undefined
  readonly expireAt: Date
}

const text = { type: String, required: true }
const id = { type: Schema.Types.ObjectId, required: true }
const options = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const

export const hookSchema = new Schema(
  {
    workspaceId: id,
    flowId: id,
    nodeId: text,
    tokenHash: text,
    last4: text,
    createdAt: { type: Date, required: true },
    lastCallAt: { type: Date },
    minute: { type: Number },
    calls: { type: Number },
  },
  options,
)
hookSchema.index({ workspaceId: 1, flowId: 1, nodeId: 1 }, { name: 'node', unique: true })
hookSchema.index({ tokenHash: 1 }, { name: 'token', unique: true })

export const hookCallSchema = new Schema(
  {
    workspaceId: id,
    flowId: id,
    nodeId: text,
    at: { type: Date, required: true },
    result: { type: String, enum: hookResults, required: true },
    problem: { type: String, maxlength: 300 },
    fields: { type: [String], required: true },
    key: { type: String },
    repeats: { type: Number, required: true },
    runId: { type: Schema.Types.ObjectId },
    contactId: { type: Schema.Types.ObjectId },
    expireAt: { type: Date, required: true },
  },
  options,
)
hookCallSchema.index(
  { workspaceId: 1, flowId: 1, nodeId: 1, key: 1 },
  { name: 'key', unique: true, ...whereExists('key') },
)
hookCallSchema.index({ workspaceId: 1, flowId: 1, nodeId: 1, at: -1, _id: -1 }, { name: 'newest' })
hookCallSchema.index({ workspaceId: 1, contactId: 1 }, { name: 'contact', ...whereExists('contactId') })
hookCallSchema.index({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 })
