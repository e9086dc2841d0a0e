import { dateAfter } from '@parley/contracts/core/zoned-time'
import type { StoryFigures } from '@parley/sample/figures'
import { shares } from '@parley/sample/shares'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { sampleRecords } from '../../platform/sample-records.ts'
import type { Activity } from './activity.ts'
import { createSums, momentOfPlace, ofBot, ofNumber, placeOf, type Sums, workspaceFigures } from './levels.ts'
import { startOf, todayIn } from './local-days.ts'
import { type RollupRecord, rollupSchema } from './rollups.model.ts'
import {
  type SnapshotRecord,
  snapshotSchema,
  type WorkspaceFiguresRecord,
  workspaceFiguresSchema,
} from './workspace-figures.model.ts'

/** Everything that is counted of the sample data, with the ids that its records have in a workspace. */
export interface SampleFigures extends Omit<StoryFigures, 'activities'> {
  readonly activities: readonly Activity[]
  /** The number that all of it is counted of. */
  readonly numberId: string
}

const slotMs = 15 * 60_000

/** Figures of the sample data: a past that no stored message tells. */
export function createSampleFigures(
  connection: ServiceConnection,
  { zoneOf }: { readonly zoneOf: (scope: WorkspaceScope) => Promise<string> },
) {
  const rollups = sampleRecords(
    workspaceCollection<RollupRecord>({ connection, name: 'rollups', schema: rollupSchema }),
  )
  const figures = sampleRecords(
    workspaceCollection<WorkspaceFiguresRecord>({ connection, name: 'figures', schema: workspaceFiguresSchema }),
  )
  const snapshots = sampleRecords(
    workspaceCollection<SnapshotRecord>({ connection, name: 'snapshots', schema: snapshotSchema }),
  )
  const all = [rollups, figures, snapshots] as const
  const sample = true as const

  return {
    insert: async (scope: WorkspaceScope, told: SampleFigures, toldAt: Date): Promise<void> => {
      const counted = rollupsOf(told, { toldAt, zone: await zoneOf(scope) })
      await rollups.insert(
        scope,
        counted.map((each) => ({ ...each, part: 'sample' as const, sample })),
      )
      const today = placeOf(toldAt).day
      await snapshots.insert(
        scope,
        told.snapshots.map(({ daysAgo, ...values }) => ({ ...values, day: dateAfter(today, -daysAgo), sample })),
      )
      await figures.insert(scope, [{ activities: told.activities, sample }])
    },
    remove: async (scope: WorkspaceScope): Promise<void> => {
      for (const records of all) await records.remove(scope)
    },
  }
}

/** Lays each day into its quarters of an hour, by day and evening more than at night; of today, those that have begun. */
function rollupsOf({ days, bots, numberId }: SampleFigures, { toldAt, zone }: { toldAt: Date; zone: string }) {
  const sums = createSums()
  const today = todayIn(zone, toldAt)
  const now = momentOfPlace(placeOf(toldAt))
  const everywhere = [workspaceFigures, ofNumber(numberId)]
  const slotsOf = (daysAgo: number) => {
    const date = dateAfter(today, -daysAgo)
    const [from, to] = [startOf(date, zone).getTime(), startOf(dateAfter(date, 1), zone).getTime()]
    return Array.from({ length: (Math.min(to, now + slotMs) - from) / slotMs }, (_, place) => ({
      at: new Date(from + place * slotMs),
      weight: weightAt((place * slotMs) / 3_600_000),
    }))
  }
  for (const { daysAgo, ...counts } of days) addDay(slotsOf(daysAgo), counts, { sums, scopes: everywhere })
  for (const { id, days: own } of bots)
    for (const { daysAgo, ...counts } of own)
      addDay(slotsOf(daysAgo), counts, { sums, scopes: [...everywhere, ofBot(id)] })
  return sums.all()
}

function addDay(
  slots: readonly { readonly at: Date; readonly weight: number }[],
  counts: Readonly<Record<string, number>>,
  { sums, scopes }: { sums: Sums; scopes: readonly string[] },
): void {
  for (const [metric, count] of Object.entries(counts)) {
    const parts = shares(
      count,
      slots.map(({ weight }) => weight),
    )
    for (const [place, { at }] of slots.entries()) sums.add(scopes, at, { [metric]: parts[place] ?? 0 })
  }
}

const weightAt = (hour: number): number => (hour >= 9 && hour < 21 ? 1 : 0.05)
