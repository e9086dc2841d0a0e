import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type ParkedRecord, parkedSchema } from './parked.model.ts'
import { type PieceAbout, targetOf } from './pieces.ts'

/** Of one message that is never told of, no more is kept than this. */
const maxPieces = 50

export type Parked = ReturnType<typeof createParked>

/** Statuses, reactions, edits, deletions and quotes of messages that are not known yet, kept for 7 days. */
export function createParked(connection: ServiceConnection) {
  const parked = workspaceCollection<ParkedRecord>({ connection, name: 'parked', schema: parkedSchema })

  async function park(scope: WorkspaceScope, pieces: readonly PieceAbout[], { session }: Tx): Promise<void> {
    const writes = [...Map.groupBy(pieces, targetOf)].map(([waMessageId, own]) => ({
      updateOne: {
        filter: { waMessageId },
        update: {
          $push: { pieces: { $each: own.map(plain), $slice: -maxPieces } },
          $setOnInsert: { createdAt: new Date() },
        },
        upsert: true,
      },
    }))
    await parked(scope).bulkWrite(writes, { session, ordered: true })
  }

  /** What waits for these messages. */
  const waitingFor = async (
    scope: WorkspaceScope,
    waMessageIds: readonly string[],
    options: Partial<Pick<Tx, 'session'>> = {},
  ): Promise<PieceAbout[]> => {
    if (waMessageIds.length === 0) return []
    const found = await parked(scope)
      .find({ waMessageId: { $in: waMessageIds } })
      .session(options.session ?? null)
      .hint('wamid')
    return found.flatMap(({ pieces }) => pieces)
  }

  /** They have been applied. */
  const forget = (scope: WorkspaceScope, waMessageIds: readonly string[], { session }: Tx) =>
    parked(scope).deleteMany({ waMessageId: { $in: waMessageIds } }, { session })

  return { park, waitingFor, forget }
}

/** Without what is undefined: the database would keep it as null. */
const plain = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (inner === undefined) return []
      const nested = typeof inner === 'object' && inner !== null && !(inner instanceof Date) && !Array.isArray(inner)
      return [[name, nested ? plain(inner) : inner]]
    }),
  )
