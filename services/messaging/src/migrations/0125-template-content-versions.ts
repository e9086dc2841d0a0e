import type { Connection } from 'mongoose'

/** Templates tell the number of what they say: that of the last version that was sent for review. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('templateVersions')
    .aggregate([
      { $group: { _id: { $toObjectId: '$templateId' }, contentVersion: { $max: '$number' } } },
      { $merge: { into: 'templates', on: '_id', whenMatched: 'merge', whenNotMatched: 'discard' } },
    ])
    .toArray()
}
