import type { Types } from 'mongoose'
import { fullConnection, type ServiceConnection } from './mongo.ts'

/** A lane with work, and the time since which its first record in the order of the index has waited. */
export interface PendingLane {
  readonly lane: number
  readonly since: Date
}

/**
 * Finds the lanes of all workspaces that have work: one jump through an index, however much waits.
 * @param options.field holds the number of the lane as text, in records that wait; other texts are left out.
 * @param options.index its name; it begins with the field.
 */
export function pendingLanes(
  database: ServiceConnection,
  { collection, field, index }: { collection: string; field: string; index: string },
): () => Promise<PendingLane[]> {
  const connection = fullConnection(database)
  return async () => {
    const found = await connection
      .collection(collection)
      .aggregate<{ _id: string; first: Types.ObjectId }>(
        [
          { $match: { [field]: { $gte: '' } } },
          { $sort: { [field]: 1 } },
          { $group: { _id: `$${field}`, first: { $first: '$_id' } } },
        ],
        { hint: index },
      )
      .toArray()
    return found
      .filter(({ _id }) => /^\d+$/.test(_id))
      .map(({ _id, first }) => ({ lane: Number(_id), since: first.getTimestamp() }))
  }
}
