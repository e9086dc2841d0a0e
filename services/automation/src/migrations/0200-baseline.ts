import { createIdempotencyIndex } from '@parley/service-kit/data/idempotency-store'
import type { Connection } from 'mongoose'

const unique = true
const index = (name: string, key: Record<string, 1 | -1>, options: object = {}) => ({ name, key, ...options })

const exists = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })

const indexes = {
  automationSettings: [index('workspace', { workspaceId: 1 }, { unique })],
  bots: [
    index('name', { workspaceId: 1, deletedAt: 1, nameKey: 1, _id: 1 }),
    index('removal', { removal: 1, deletedAt: 1 }, exists('removal')),
    index('sample', { workspaceId: 1, sample: 1 }, exists('sample')),
  ],
  flowVersions: [index('number', { workspaceId: 1, flowId: 1, number: -1 }, { unique })],
  flows: [index('number', { workspaceId: 1, flowId: 1, number: -1 }, { unique })],
  routing: [index('workspace', { workspaceId: 1 }, { unique }), index('due', { watch: 1, tellAt: 1 }, exists('watch'))],
  triggers: [
    index('owner', { workspaceId: 1, match: 1, key: 1, numberIds: 1 }, { unique }),
    index('flow', { workspaceId: 1, flowId: 1 }),
  ],
}

/** Makes the collections of 0.2.0, which transactions find made, and the indexes that their models declare. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  for (const [name, specifications] of Object.entries(indexes)) await db.collection(name).createIndexes(specifications)
  await createIdempotencyIndex(db)
}
