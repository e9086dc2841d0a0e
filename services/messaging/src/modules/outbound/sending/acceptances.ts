import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Acceptance } from '../../inbox/messages/accepted-messages.ts'
import { type AcceptanceRecord, acceptanceSchema, begun } from './acceptances.model.ts'

/** Acceptances that one sweep takes. */
const maxFound = 50

export type Acceptances = ReturnType<typeof createAcceptances>

/** Messages that WhatsApp has accepted and that are being settled: each record goes with the last step, and a sweep finishes what a process has left. */
export function createAcceptances(connection: ServiceConnection) {
  const definition = { connection, name: 'acceptances', schema: acceptanceSchema, bookkeeping: true } as const
  const acceptances = workspaceCollection<AcceptanceRecord>(definition)
  // The sweep works for every workspace.
  const ofAll = scopedCollection<object, AcceptanceRecord>(definition, () => ({ state: begun }))

  const oldest = (before: Date, limit: number): PromiseLike<AcceptanceRecord[]> =>
    ofAll({})
      .find({ at: { $lte: before } })
      .sort({ at: 1 })
      .limit(limit)
      .hint('age')

  return {
    begin: async (scope: WorkspaceScope, acceptance: Omit<Acceptance, 'id'>): Promise<Acceptance | undefined> => {
      const [stored] = await acceptances(scope).insertPlain([{ ...acceptance, state: begun }])
      return stored
    },
    /** @returns whether it was still there: what follows from it is written in the same transaction, once. */
    end: async (scope: WorkspaceScope, id: string, { session }: Pick<Tx, 'session'>): Promise<boolean> =>
      (await acceptances(scope).deleteOne({ _id: id }, { session })).deletedCount === 1,
    /** The oldest ones of before a moment. */
    begunBefore: (before: Date): PromiseLike<AcceptanceRecord[]> => oldest(before, maxFound),
    /** Returns since when the oldest one is there. */
    oldestAt: async (now: Date): Promise<Date | undefined> => (await oldest(now, 1))[0]?.at,
  }
}
