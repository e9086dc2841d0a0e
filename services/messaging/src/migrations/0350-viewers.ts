import type { Connection } from 'mongoose'

/** Members who see each conversation, from its owner, and the setting that limits agents to their own. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const conversations = db.collection('conversations')
  const isOwner = (kind: string) => ({ $eq: ['$owner.kind', kind] })
  const ownerId = { $cond: [{ $gt: ['$owner.id', null] }, ['$owner.id'], []] }
  const viewers = { $cond: [isOwner('nobody'), [''], { $cond: [isOwner('member'), ownerId, []] }] }
  await conversations.updateMany({ viewers: { $exists: false } }, [{ $set: { viewers } }])
  await conversations.createIndex(
    { workspaceId: 1, viewers: 1, 'lastMessage.at': -1, _id: -1, status: 1, unreadCount: 1 },
    { name: 'viewers' },
  )
  await db.collection('visibility').createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
}
