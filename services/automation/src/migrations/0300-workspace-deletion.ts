import { createAnswerIndex } from '@parley/service-kit/data/idempotency-store'
import type { Connection } from 'mongoose'

/** Kept answers of a workspace, for its erasure. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await createAnswerIndex(db)
}
