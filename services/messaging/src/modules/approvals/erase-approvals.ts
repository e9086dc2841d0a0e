import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Person } from '../../platform/person.ts'
import { type ApprovalRecord, approvalSchema } from './approvals.model.ts'

/** Deletes requests whose filter or texts name a person: what was asked for has to be asked for again. */
export function createEraseApprovals(connection: ServiceConnection) {
  const approvals = workspaceCollection<ApprovalRecord>({ connection, name: 'approvals', schema: approvalSchema })
  return async (scope: WorkspaceScope, { contactId, trace }: Person): Promise<void> => {
    for await (const { id, asked, note, reason } of approvals(scope).find({}).hint('state')) {
      const told = JSON.stringify([asked, note, reason])
      if (told.includes(contactId) || trace.anything.test(told)) await approvals(scope).deleteOne({ _id: id })
    }
  }
}
