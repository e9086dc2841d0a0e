import type { Connection } from 'mongoose'

const name = 'scheduled'

/**
 * Makes the index of scheduled messages hold those alone: keys of all others in the outbox were added and removed for nothing. Until
 * it is built anew, the sweeps that look for them fail, and try again.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const messages = db.collection('messages')
  const found = (await messages.indexes()).find((index) => index.name === name)
  if (found?.['partialFilterExpression']?.['sendLane'] === name) return
  if (found) await messages.dropIndex(name)
  await messages.createIndex(
    { sendLane: 1, 'dispatch.notBefore': 1 },
    { name, partialFilterExpression: { sendLane: name } },
  )
}
