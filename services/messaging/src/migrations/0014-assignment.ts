import type { Connection } from 'mongoose'

/** One setting of each workspace, and whose turn it was. A transaction finds the collections made. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  for (const name of ['assignments', 'assignmentTurns'])
    await db.collection(name).createIndex({ workspaceId: 1 }, { unique: true, name: 'workspace' })
}
