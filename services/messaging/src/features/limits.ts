import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { Schema } from 'mongoose'

/** What a workspace has at most so many of. */
type Limited = 'segments' | 'attributes' | 'views'

interface LimitRecord {
  readonly id: string
  readonly workspaceId: string
  readonly of: Limited
  /** How often something was added. */
  readonly turns: number
}

const limitSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    of: { type: String, required: true },
    turns: { type: Number },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)

export type HoldLimit = ReturnType<typeof createHoldLimit>

/**
 * Makes transactions that count before they add wait for each other: of two at once one runs again and counts what the other has
 * added. Without it both would see the same room.
 */
export function createHoldLimit(connection: ServiceConnection) {
  const limits = workspaceCollection<LimitRecord>({ connection, name: 'limits', schema: limitSchema })
  return async (scope: WorkspaceScope, of: Limited, { session }: Pick<Tx, 'session'>): Promise<void> => {
    await limits(scope).updateOne({ of }, { $inc: { turns: 1 } }, { session, upsert: true })
  }
}
