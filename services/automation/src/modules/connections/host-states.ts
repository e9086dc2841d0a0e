import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type HostStateRecord, hostStateSchema } from './connections.model.ts'

/** Failures in a row after which calls fail at once, and for how long. */
const maxFailures = 20
const closedMs = 60_000

export type HostStates = ReturnType<typeof createHostStates>

/** Counts failures of each connection's host in a row: one that does not answer is left alone for a minute. */
export function createHostStates(connection: ServiceConnection) {
  const states = workspaceCollection<HostStateRecord>({
    connection,
    name: 'hostStates',
    schema: hostStateSchema,
    bookkeeping: true,
  })
  const of = (scope: WorkspaceScope, connectionId: string) =>
    states(scope).findOne({ connectionId }, { hint: 'connection' })

  return {
    /** Returns until when a connection is not called, by its id. */
    closed: async (scope: WorkspaceScope): Promise<ReadonlyMap<string, Date>> => {
      const found = await states(scope)
        .find({ closedUntil: { $gt: new Date() } })
        .hint('connection')
      return new Map(
        found.flatMap(({ connectionId, closedUntil }) => (closedUntil ? [[connectionId, closedUntil]] : [])),
      )
    },
    isClosed: async (scope: WorkspaceScope, connectionId: string): Promise<boolean> =>
      ((await of(scope, connectionId))?.closedUntil ?? new Date(0)) > new Date(),
    /** Records how a call has ended. The first failure after a pause begins the next one. */
    note: async (scope: WorkspaceScope, connectionId: string, hostFailed: boolean): Promise<void> => {
      if (!hostFailed) {
        await states(scope).updateOne(
          { connectionId, failures: { $gt: 0 } },
          { $set: { failures: 0 }, $unset: { closedUntil: '' } },
        )
        return
      }
      await states(scope).updateOne({ connectionId }, { $inc: { failures: 1 } }, { upsert: true })
      await states(scope).updateOne(
        { connectionId, failures: { $gte: maxFailures } },
        { $set: { closedUntil: new Date(Date.now() + closedMs) } },
      )
    },
    forget: (scope: WorkspaceScope, connectionId: string) => states(scope).deleteOne({ connectionId }),
  }
}
