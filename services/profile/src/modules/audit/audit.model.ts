import type { AuditRetention } from '@parley/contracts/account/audit'
import { fullConnection, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { Schema, Types } from 'mongoose'
import type { Checkpoint } from './chain.ts'

/** Last place and hash of a workspace's chain. */
interface AuditHead {
  readonly _id: Types.ObjectId
  readonly seq: number
  readonly hash: string
  /** Beginning of the chain, once older entries were removed. */
  readonly from?: Checkpoint
}

/** Days for which a workspace keeps entries. */
export interface RetentionRecord extends AuditRetention {
  readonly id: string
}

export const retentionSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    days: { type: Number, required: true },
    version: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
retentionSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })

/** The ends of the chains. Entries themselves are the kit's, which stores them in every service. */
export const auditHeads = (connection: ServiceConnection) =>
  fullConnection(connection).collection<AuditHead>('auditHeads')

/** An id as it is stored. */
export const storedId = (id: string): Types.ObjectId => new Types.ObjectId(id)
