import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { InboundStatus } from '../../whatsapp/inbound-status.ts'
import type { ParkedStatus } from './decide.ts'
import { type ParkedRecord, parkedSchema } from './parked.model.ts'

/** Statuses of messages that are not known yet, kept for 7 days. */
export function createParkedStatuses(connection: ServiceConnection) {
  const parked = workspaceCollection<ParkedRecord>({ connection, name: 'parkedStatuses', schema: parkedSchema })

  async function park(scope: WorkspaceScope, statuses: readonly ParkedStatus[], { session }: Tx): Promise<void> {
    const writes = statuses.map(({ waMessageId, status }) => ({
      updateOne: {
        filter: { waMessageId },
        update: { $addToSet: { statuses: plain(status) }, $setOnInsert: { createdAt: new Date() } },
        upsert: true,
      },
    }))
    await parked(scope).bulkWrite(writes, { session, ordered: true })
  }
  return { park }
}

const plain = (status: InboundStatus): Record<string, unknown> =>
  Object.fromEntries(Object.entries(status).filter(([, value]) => value !== undefined))
