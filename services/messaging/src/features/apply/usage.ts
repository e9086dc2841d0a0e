import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Plan } from './decide.ts'
import { type UsageRecord, usageSchema } from './usage.model.ts'

/** One row for each delivered message with a price: what credits and quota are sums of. */
export function createUsage(connection: ServiceConnection) {
  const usage = workspaceCollection<UsageRecord>({ connection, name: 'usage', schema: usageSchema })

  async function record(scope: WorkspaceScope, rows: Plan['usage'], { session }: Tx): Promise<void> {
    const writes = rows.map(({ messageId, at, ...row }) => ({
      updateOne: {
        filter: { messageId },
        // It may be told of as read before it is told of as delivered.
        update: { $setOnInsert: { ...row, kind: 'message' as const }, $min: { at } },
        upsert: true,
      },
    }))
    await usage(scope).bulkWrite(writes, { session, ordered: true })
  }
  return { record }
}
