import type { Connection } from 'mongoose'

/** Makes the index that finds workspaces with conversations of which messaging has not been told. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('feedCursors')
    .createIndex({ watch: 1 }, { name: 'watch', partialFilterExpression: { watch: { $exists: true } } })
  await db.collection('feedCursors').updateMany({ 'passed.0': { $exists: true } }, { $set: { watch: 'passed' } })
}
