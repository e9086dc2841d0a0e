import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type OrphanUpdatesRecord, orphanUpdatesSchema } from './orphan-updates.model.ts'
import { type ItemAboutMessage, targetOf } from './webhook-items.ts'

/** Pieces kept at most for one message, in case it is never reported. */
const maxPieces = 50

export type OrphanUpdates = ReturnType<typeof createOrphanUpdates>

/** Statuses, reactions, edits, deletions and quotes of messages that are not known yet, kept for 7 days. */
export function createOrphanUpdates(connection: ServiceConnection) {
  const parked = workspaceCollection<OrphanUpdatesRecord>({ connection, name: 'parked', schema: orphanUpdatesSchema })

  async function park(scope: WorkspaceScope, pieces: readonly ItemAboutMessage[], { session }: Tx): Promise<void> {
    const writes = [...Map.groupBy(pieces, targetOf)].map(([waMessageId, updates]) => ({
      updateOne: {
        filter: { waMessageId },
        update: {
          $push: { pieces: { $each: updates.map(plain), $slice: -maxPieces } },
          $setOnInsert: { createdAt: new Date() },
        },
        upsert: true,
      },
    }))
    await parked(scope).bulkWrite(writes, { session, ordered: true })
  }

  /** Returns the updates that wait for these messages. */
  const waitingFor = async (
    scope: WorkspaceScope,
    waMessageIds: readonly string[],
    options: Partial<Pick<Tx, 'session'>> = {},
  ): Promise<ItemAboutMessage[]> => {
    if (waMessageIds.length === 0) return []
    const found = await parked(scope)
      .find({ waMessageId: { $in: waMessageIds } })
      .session(options.session ?? null)
      .hint('wamid')
    return found.flatMap(({ pieces }) => pieces)
  }

  /** Deletes updates that have been applied. */
  const forget = (scope: WorkspaceScope, waMessageIds: readonly string[], { session }: Tx) =>
    parked(scope).deleteMany({ waMessageId: { $in: waMessageIds } }, { session })

  return { park, waitingFor, forget }
}

/** Omits undefined values: the database would store them as null. */
const plain = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (inner === undefined) return []
      const nested = typeof inner === 'object' && inner !== null && !(inner instanceof Date) && !Array.isArray(inner)
      return [[name, nested ? plain(inner) : inner]]
    }),
  )
