import type { JobRecords } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Person } from '../../../platform/person.ts'
import { type ChangedBatchRecord, changedBatchSchema } from './changed-contacts.model.ts'

/** Deletes jobs whose filter names a person, and takes them out of what jobs have changed. */
export function createEraseJobs(connection: ServiceConnection, jobs: JobRecords) {
  const changed = workspaceCollection<ChangedBatchRecord>({
    connection,
    name: 'changedContacts',
    schema: changedBatchSchema,
  })
  return async (scope: WorkspaceScope, { contactId, trace }: Person): Promise<void> => {
    for await (const { id, input } of jobs.collection(scope).find({}).hint('kind'))
      if (trace.anything.test(JSON.stringify(input))) await jobs.collection(scope).deleteOne({ _id: id })
    // The whole list is not replaced: another erasure may take others out of it at the same moment.
    for await (const { id } of changed(scope).find({ 'contacts.id': contactId }).select('_id').hint('batch'))
      await changed(scope).updateOne({ _id: id }, { $pull: { contacts: { id: contactId } } })
  }
}
