import { createIdempotencyIndex } from '@parley/service-kit/data/idempotency-store'
import type { Connection } from 'mongoose'

/** Answers to calls with an `Idempotency-Key` are kept for a day. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await createIdempotencyIndex(db)
}
