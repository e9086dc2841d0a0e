import type { Connection } from 'mongoose'

/** Snoozed conversations of all workspaces by the time at which they wake up. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('conversations')
    .createIndex(
      { timer: 1, snoozedUntil: 1 },
      { name: 'timer', partialFilterExpression: { timer: { $exists: true } } },
    )
}
