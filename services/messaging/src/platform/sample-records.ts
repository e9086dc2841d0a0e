import { createHash } from 'node:crypto'
import type { Filter, Update } from '@parley/service-kit/data/collection-types'
import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'

interface Marked {
  readonly id: string
  readonly sample?: true | undefined
}

const batchSize = 2000

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
    /** Inserts records; those that exist already stay as they are. */
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
