import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { Activity } from './activity.ts'
import {
  type SnapshotRecord,
  snapshotSchema,
  type WorkspaceFiguresRecord,
  watchedDays,
  workspaceFiguresSchema,
} from './workspace-figures.model.ts'

type Session = Pick<Tx, 'session'>
export type Snapshot = Pick<SnapshotRecord, 'day' | 'activeCampaigns' | 'activeContacts'>
export type WorkspaceFiguresRepository = ReturnType<typeof createWorkspaceFigures>

const own = { sample: { $exists: false } }

export function createWorkspaceFigures(connection: ServiceConnection) {
  const definition = { connection, name: 'figures', schema: workspaceFiguresSchema }
  const figures = workspaceCollection<WorkspaceFiguresRecord>(definition)
  // A worker looks for work in every workspace.
  const everywhere = scopedCollection<object, WorkspaceFiguresRecord>(definition, () => ({ watch: watchedDays }))
  const snapshots = workspaceCollection<SnapshotRecord>({ connection, name: 'snapshots', schema: snapshotSchema })
  return {
    activities: async (scope: WorkspaceScope, { session }: Session): Promise<readonly Activity[]> =>
      (await figures(scope).findOne(own, { hint: 'workspace', session }))?.activities ?? [],
    /** Includes those of the sample data. */
    allActivities: async (scope: WorkspaceScope): Promise<Activity[]> =>
      (await figures(scope).find({}).hint('workspace')).flatMap(({ activities }) => activities),
    store: async (
      scope: WorkspaceScope,
      { activities, dueAt }: { activities: readonly Activity[]; dueAt: Date },
      { session }: Session,
    ): Promise<void> => {
      await figures(scope).findOneAndUpdate(
        own,
        { $set: { activities }, $setOnInsert: { watch: watchedDays, dueAt } },
        { upsert: true, session },
      )
    },
    /** Workspaces whose day is to be looked at. */
    due: async (at: Date): Promise<JobRecord[]> => {
      const found = await everywhere({})
        .find({ dueAt: { $lte: at } })
        .sort({ dueAt: 1 })
        .limit(100)
        .hint('due')
      return found.map(({ workspaceId, dueAt }) => ({ id: `${workspaceId}-${dueAt?.getTime()}`, workspaceId }))
    },
    looked: (scope: WorkspaceScope, dueAt: Date) => figures(scope).updateOne(own, { $set: { dueAt } }),
    storeSnapshot: async (scope: WorkspaceScope, { day, ...values }: Snapshot, of: 'own' | 'sample'): Promise<void> => {
      const filter = of === 'sample' ? { day, sample: true as const } : { day, ...own }
      await snapshots(scope).findOneAndUpdate(filter, { $set: values }, { upsert: true })
    },
    /** Snapshots of days, the earliest first; those of one day are summed by `sumSnapshots`. */
    snapshots: (scope: WorkspaceScope, { from, to }: { from: string; to: string }): PromiseLike<SnapshotRecord[]> =>
      snapshots(scope)
        .find({ day: { $gte: from, $lte: to } })
        .sort({ day: 1 })
        .hint('day'),
  }
}
