import type { ServiceMessage } from '@parley/contracts/platform/service-messages'
import type { Connection } from 'mongoose'
import { fullConnection, isDuplicateKey, type ServiceConnection } from './mongo.ts'
import type { RunInTransaction, Tx } from './transaction.ts'

/** Days for which ids of messages are kept: longer than any sender keeps trying. */
const keptDays = 35

/** Creates the indexes of a service that takes messages; part of a migration. Safe to run again. */
export async function createInboxIndexes(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('inbox').createIndex({ appliedAt: 1 }, { expireAfterSeconds: keptDays * 86_400, name: 'kept' })
}

/**
 * Applies messages of other services, each once: its id is stored in the transaction of what it does.
 * @param apply what a message does, with the transaction's session.
 * @returns a function that applies messages of a workspace in their order. It throws where one of them could not be applied: the
 * sender sends that one and those after it again.
 */
export function createInbox(options: {
  connection: ServiceConnection
  transaction: RunInTransaction
  apply: (workspaceId: string, message: ServiceMessage, tx: Tx) => Promise<void>
}) {
  const { connection, transaction, apply } = options
  const applied = fullConnection(connection).collection<{ _id: string; appliedAt: Date }>('inbox')

  async function applyOnce(workspaceId: string, message: ServiceMessage): Promise<void> {
    const key = `${workspaceId}.${message.id}`
    if (await applied.findOne({ _id: key })) return
    await transaction(async (tx) => {
      await applied.insertOne({ _id: key, appliedAt: new Date() }, { session: tx.session })
      await apply(workspaceId, message, tx)
    }).catch(async (error: unknown) => {
      // Another call may have applied it meanwhile.
      if (!isDuplicateKey(error) || !(await applied.findOne({ _id: key }))) throw error
    })
  }

  return async function receive(workspaceId: string, messages: readonly ServiceMessage[]): Promise<void> {
    for (const message of messages) await applyOnce(workspaceId, message)
  }
}
