import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Person } from '../../../platform/person.ts'
import { createRemoveAccountEvents } from '../../channel/account-events/person-account-events.ts'
import { createRemoveEvents } from '../../channel/ingest/person-events.ts'
import { createRemoveOrphanUpdates } from '../../inbound/person-orphan-updates.ts'

/** Deletes what WhatsApp has sent about a person, wherever it is kept. */
export function createEraseReceived(mongo: ServiceConnection) {
  const [events, parked, accountEvents] = [
    createRemoveEvents(mongo),
    createRemoveOrphanUpdates(mongo),
    createRemoveAccountEvents(mongo),
  ]
  return async (scope: WorkspaceScope, { trace }: Pick<Person, 'trace'>): Promise<void> => {
    await events.naming(scope, trace.identity)
    await parked.naming(scope, trace.identity)
    await accountEvents(scope, trace.identity)
  }
}
