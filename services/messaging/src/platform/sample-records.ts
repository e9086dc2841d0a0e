import { createHash } from 'node:crypto'
import type { Filter, Update } from '@parley/service-kit/data/collection-types'
import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'

interface Marked {
  readonly id: string
  readonly sample?: true | undefined
}

const batchSize = 2000

/**
 * The id that a record of the sample has in a workspace, the same whenever it is loaded, so that a load that was cut off goes on
 * where it was and links between records hold. Like every id it begins with a time, by which lists are sorted.
 * @param place below 16 million: the order of records of one moment.
 */
export const sampleId = (scope: WorkspaceScope, name: string, at: Date, place = 0): string =>
  sampleIds(scope, name)(at, place)

/** The same for many records of one name. */
export function sampleIds({ workspaceId }: WorkspaceScope, name: string): (at: Date, place: number) => string {
  const own = createHash('sha256').update(`${workspaceId}/${name}`).digest('hex').slice(0, 10)
  return (at, place) => {
    const seconds = Math.floor(at.getTime() / 1000)
    return seconds.toString(16).padStart(8, '0') + own + place.toString(16).padStart(6, '0')
  }
}

/** An id of WhatsApp's kind, 15 digits, that a sample record has in a workspace. */
export function sampleDigits({ workspaceId }: WorkspaceScope, name: string): string {
  const hash = createHash('sha256').update(`${workspaceId}/${name}`).digest('hex')
  return `9${(BigInt(`0x${hash.slice(0, 16)}`) % 10n ** 14n).toString().padStart(14, '0')}`
}

/** WhatsApp's account of a workspace's sample data. */
export const sampleAccountId = (scope: WorkspaceScope): string => sampleDigits(scope, 'account')

/** Operations on the sample records of one collection; each step may be repeated. */
export function sampleRecords<T extends Marked>(collection: (scope: WorkspaceScope) => ScopedCollection<T>) {
  const sample: Filter<Marked> = { sample: true }
  const marked = sample as Filter<T>
  return {
    /** Those that are there already stay as they are. */
    insert: async (
      scope: WorkspaceScope,
      records: Parameters<ScopedCollection<T>['insertPlain']>[0],
    ): Promise<void> => {
      for (let start = 0; start < records.length; start += batchSize)
        await collection(scope).insertPlain(records.slice(start, start + batchSize))
    },
    ids: async (scope: WorkspaceScope): Promise<string[]> =>
      (await collection(scope).find(marked).select('_id').hint('sample')).map(({ id }) => id),
    /** Makes records the workspace's own. */
    keep: async (scope: WorkspaceScope, ids: readonly string[]): Promise<void> => {
      if (ids.length === 0) return
      const update: Update<Marked> = { $unset: { sample: 1 } }
      await collection(scope).updateMany({ ...marked, _id: { $in: ids } } as Filter<T>, update as Update<T>)
    },
    remove: async (scope: WorkspaceScope): Promise<void> => {
      await collection(scope).deleteMany(marked)
    },
  }
}
