import { createOutboxIndexes } from '@parley/service-kit/data/outbox'
import type { Connection } from 'mongoose'

const isOpen = { partialFilterExpression: { state: 'open' } }
const daySeconds = 86_400

/** Invitations, seats, mails, and messages to other services. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const invitations = db.collection('invitations')
  await invitations.createIndex({ tokenHash: 1 }, { name: 'token', unique: true })
  await invitations.createIndex({ workspaceId: 1, email: 1 }, { name: 'open', unique: true, ...isOpen })
  await invitations.createIndex({ workspaceId: 1, _id: -1 }, { name: 'newest' })
  await invitations.createIndex({ email: 1, state: 1 }, { name: 'address' })
  await invitations.createIndex({ expiresAt: 1 }, { name: 'due', ...isOpen })
  await db.collection('seats').createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
  const mails = db.collection('mails')
  await mails.createIndex(
    { pending: 1, dueAt: 1 },
    { name: 'due', partialFilterExpression: { pending: { $exists: true } } },
  )
  await mails.createIndex({ createdAt: 1 }, { name: 'kept', expireAfterSeconds: 30 * daySeconds })
  await createOutboxIndexes(db)
}
