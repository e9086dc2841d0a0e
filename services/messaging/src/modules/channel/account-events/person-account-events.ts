import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type AccountEventRecord, accountEventSchema } from './account-events.model.ts'

/** Deletes events of an account that name a person. */
export function createRemoveAccountEvents(connection: ServiceConnection) {
  const events = workspaceCollection<AccountEventRecord>({
    connection,
    name: 'accountEvents',
    schema: accountEventSchema,
  })
  return async (scope: WorkspaceScope, person: RegExp): Promise<void> => {
    for await (const { id, value } of events(scope).find({}).hint('key'))
      if (person.test(value)) await events(scope).deleteOne({ _id: id })
  }
}
