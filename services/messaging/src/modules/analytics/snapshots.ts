import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { placeOf } from './levels.ts'
import type { Snapshot, WorkspaceFiguresRepository } from './workspace-figures.repository.ts'

/** Sums the snapshots of each day: that of the workspace's own records and that of the sample data. */
export function sumSnapshots(records: readonly Snapshot[]): Snapshot[] {
  return [...Map.groupBy(records, ({ day }) => day)].map(([day, own]) =>
    own.reduce((left, right) => ({
      day,
      activeCampaigns: left.activeCampaigns + right.activeCampaigns,
      activeContacts: {
        in7: left.activeContacts.in7 + right.activeContacts.in7,
        in30: left.activeContacts.in30 + right.activeContacts.in30,
        in90: left.activeContacts.in90 + right.activeContacts.in90,
      },
    })),
  )
}

/** Origin of the records that are counted: sample data goes, and its part of every snapshot with it. */
export type CountedOf = 'own' | 'sample'

const dayMs = 86_400_000

/** Stores what a day has begun with. */
export function createTakeSnapshot({
  figures,
  campaignRecords,
  contactRecords,
}: {
  readonly figures: Pick<WorkspaceFiguresRepository, 'storeSnapshot'>
  readonly campaignRecords: { readonly countActive: (scope: WorkspaceScope, of: CountedOf) => Promise<number> }
  readonly contactRecords: {
    readonly countActiveSince: (scope: WorkspaceScope, since: Date, of: CountedOf) => Promise<number>
  }
}) {
  return async (scope: WorkspaceScope, at: Date): Promise<void> => {
    for (const whose of ['own', 'sample'] as const) {
      const within = (days: number) =>
        contactRecords.countActiveSince(scope, new Date(at.getTime() - days * dayMs), whose)
      const activeContacts = { in7: await within(7), in30: await within(30), in90: await within(90) }
      const snapshot = {
        day: placeOf(at).day,
        activeCampaigns: await campaignRecords.countActive(scope, whose),
        activeContacts,
      }
      if (whose === 'own' || snapshot.activeCampaigns > 0 || activeContacts.in90 > 0)
        await figures.storeSnapshot(scope, snapshot, whose)
    }
  }
}
