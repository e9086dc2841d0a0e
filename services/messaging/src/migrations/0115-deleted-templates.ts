import type { Connection } from 'mongoose'

const restorableMs = 30 * 24 * 3600_000

/**
 * Templates that are hidden by the name that they keep, and by when they are deleted at WhatsApp. Those that were deleted before
 * are still there: they are deleted 30 days from now, and can be restored as long as before.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const templates = db.collection('templates')
  await templates.createIndex(
    { workspaceId: 1, hiddenKey: 1 },
    { partialFilterExpression: { hiddenKey: { $exists: true } }, name: 'hidden' },
  )
  await templates.createIndex(
    { purge: 1, purgeAt: 1 },
    { partialFilterExpression: { purge: { $exists: true } }, name: 'purge' },
  )
  const hidden = { removedAt: { $exists: true }, restorableUntil: { $exists: false } }
  const restorableUntil = { $add: ['$removedAt', restorableMs] }
  const hiddenKey = { $concat: ['$businessAccountId', '/', '$name', '/', '$language'] }
  const purgeAt = new Date(Date.now() + restorableMs)
  await templates.updateMany({ ...hidden, waTemplateId: { $exists: true } }, [
    { $set: { restorableUntil, hiddenKey, purge: 'due', purgeAt } },
  ])
  await templates.updateMany(hidden, [{ $set: { restorableUntil } }])
}
