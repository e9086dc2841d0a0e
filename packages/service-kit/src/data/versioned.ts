import { errors } from '../core/errors.ts'
import type { Filter, SessionOption, Update } from './collection-types.ts'
import type { ScopedCollection } from './scoped-collection.ts'

interface Versioned {
  readonly id: string
  readonly version: number
}

/**
 * Changes a record that is still as the caller has seen it.
 * @param change `version` is the one that the caller has seen; `toAnswer` makes of a record what its endpoint answers with.
 * @returns the record after the change, its version one higher.
 * @throws `stale_version` with the record as it is now, where another change came first; `not_found` where there is none.
 */
export async function updateVersion<T extends Versioned>(
  collection: ScopedCollection<T>,
  change: {
    readonly id: string
    readonly version: number
    readonly update: Update<T>
    readonly toAnswer: (record: T) => unknown
  },
  options: SessionOption = {},
): Promise<T> {
  const { id, version, update, toAnswer } = change
  const changed = await collection.findOneAndUpdate({ _id: id, version } as Filter<T>, update, options)
  if (changed) return changed
  const current = await collection.findOne({ _id: id } as Filter<T>, options)
  if (!current) throw errors.notFound()
  throw errors.staleVersion(toAnswer(current))
}
