import type { Connection } from 'mongoose'

/** Moves of workspaces to other cells. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('workspaceMoves').createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
}
