import type { Connection } from 'mongoose'

/** Indexes of conversations that wait for a member with room, and of members who are away; every rule has a turn. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('conversations')
    .createIndex(
      { workspaceId: 1, 'assignment.state': 1, 'assignment.at': 1, _id: 1 },
      { name: 'queue', partialFilterExpression: { 'assignment.state': { $exists: true } } },
    )
  await db.collection('absences').createIndex({ workspaceId: 1, userId: 1 }, { name: 'member', unique: true })
  const turns = db.collection('assignmentTurns')
  await turns.createIndex(
    { 'queue.state': 1, 'queue.at': 1 },
    { name: 'queue', partialFilterExpression: { 'queue.state': { $exists: true } } },
  )
  for await (const { workspaceId } of db.collection('assignments').find({}, { projection: { workspaceId: 1 } }))
    await turns.updateOne({ workspaceId }, { $setOnInsert: { round: 0 } }, { upsert: true })
}
