import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type SampleDataRecord, sampleDataSchema } from './sample-data.model.ts'

/** End of the lease, which the loading or clearing process renews. */
const leaseMs = 20_000
const simulatingMs = 60_000

type Change = 'loading' | 'clearing'
export type SampleDataRepository = ReturnType<typeof createSampleDataRepository>

export function createSampleDataRepository(connection: ServiceConnection) {
  const states = workspaceCollection<SampleDataRecord>({ connection, name: 'sampleData', schema: sampleDataSchema })
  const lease = () => new Date(Date.now() + leaseMs)

  return {
    read: (scope: WorkspaceScope) => states(scope).findOne({}, { hint: 'workspace' }),
    /** Stores the initial state of a workspace, unless it has one. */
    begin: (scope: WorkspaceScope, state: 'none' | 'loading') =>
      states(scope).findOneAndUpdate(
        {},
        {
          $setOnInsert: {
            state,
            toldAt: new Date(),
            // The first one to look takes it.
            ...(state === 'loading' && { leaseUntil: new Date(0) }),
          },
        },
        { upsert: true },
      ),
    /** Moves a settled state into one that is under way. @returns `null` where the state is another. */
    start: (scope: WorkspaceScope, from: readonly SampleDataRecord['state'][], to: Change) =>
      states(scope).findOneAndUpdate(
        { state: { $in: from } },
        {
          $set: { state: to, leaseUntil: new Date(0), ...(to === 'loading' && { toldAt: new Date() }) },
          ...(to === 'loading' && { $unset: { simulated: 1, simulatingUntil: 1, inboxReady: 1, searchable: 1 } }),
        },
      ),
    /** Claims work in progress whose lease no process holds. @returns `null` where another process holds it. */
    claim: (scope: WorkspaceScope) =>
      states(scope).findOneAndUpdate(
        { state: { $in: ['loading', 'clearing'] }, leaseUntil: { $lt: new Date() } },
        { $set: { leaseUntil: lease() } },
      ),
    /** @returns `null` where it is not loaded, or not any more. */
    isSearchable: (scope: WorkspaceScope, toldAt: Date) =>
      states(scope).findOneAndUpdate({ state: 'loaded', toldAt }, { $set: { searchable: true } }),
    inboxIsReady: (scope: WorkspaceScope) =>
      states(scope).updateOne({ state: 'loading' }, { $set: { inboxReady: true } }),
    renew: (scope: WorkspaceScope, from: Change) =>
      states(scope).updateOne({ state: from }, { $set: { leaseUntil: lease() } }),
    end: (scope: WorkspaceScope, from: Change) =>
      states(scope).findOneAndUpdate(
        { state: from },
        { $set: { state: from === 'loading' ? 'loaded' : 'cleared' }, $unset: { leaseUntil: 1, inboxReady: 1 } },
      ),
    /** Lets the next one take it at once. */
    release: (scope: WorkspaceScope, from: Change) =>
      states(scope).updateOne({ state: from }, { $set: { leaseUntil: new Date(0) } }),
    claimNumbers: (scope: WorkspaceScope) =>
      states(scope).findOneAndUpdate(
        {
          state: 'loaded',
          simulated: { $exists: false },
          $or: [{ simulatingUntil: { $exists: false } }, { simulatingUntil: { $lt: new Date() } }],
        },
        { $set: { simulatingUntil: new Date(Date.now() + simulatingMs) } },
      ),
    numbersAreSimulated: (scope: WorkspaceScope) => states(scope).updateOne({}, { $set: { simulated: true } }),
  }
}
