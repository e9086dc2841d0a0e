import { createIdempotencyIndex } from '@parley/service-kit/data/idempotency-store'
import type { Connection } from 'mongoose'

const unique = true
const index = (name: string, key: Record<string, 1 | -1>, options: object = {}) => ({ name, key, ...options })

const indexes = {
  automationSettings: [index('workspace', { workspaceId: 1 }, { unique })],
}

/** Makes the collections of 0.2.0, which transactions find made, and the indexes that their models declare. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  for (const [name, specifications] of Object.entries(indexes)) await db.collection(name).createIndexes(specifications)
  await createIdempotencyIndex(db)
}
