import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { MessageRecord } from '../inbox/messages/messages.service.ts'
import { createSums, levelsOf, scopesOfMessage } from './levels.ts'
import { createRollupsRepository } from './rollups.repository.ts'

/**
 * Notes what messages count as that are erased with their person, in the transaction that removes them: figures stay as they were,
 * and a recount finds what they are made of.
 */
export function createNoteErased(connection: ServiceConnection) {
  const rollups = createRollupsRepository(connection)
  return async (scope: WorkspaceScope, messages: readonly MessageRecord[], tx: Pick<Tx, 'session'>): Promise<void> => {
    const sums = createSums()
    for (const { sample, direction, content, status, sentAt, numberId, cause } of messages) {
      if (sample) continue
      if (direction === 'inbound' && content.type !== 'system')
        sums.add(scopesOfMessage({ numberId }), sentAt, { received: 1 })
      if (direction === 'outbound') sums.add(scopesOfMessage({ numberId, cause }), sentAt, levelsOf(status))
    }
    await rollups.add(scope, { part: 'erased', changes: sums.all() }, tx)
  }
}
