import type { JobRecords } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Person } from '../../erasure/person.ts'
import { type ChangedBatchRecord, changedBatchSchema } from './changed-contacts.model.ts'

/** Deletes jobs whose filter names somebody, and takes them out of what jobs have changed. */
export function createEraseJobs(connection: ServiceConnection, jobs: JobRecords) {
  const changed = workspaceCollection<ChangedBatchRecord>({
    connection,
    name: 'changedContacts',
    schema: changedBatchSchema,
  })
  return async (scope: WorkspaceScope, { contactId, trace }: Person): Promise<void> => {
    for await (const { id, input } of jobs.collection(scope).find({}).hint('kind'))
      if (trace.anything.test(JSON.stringify(input))) await jobs.collection(scope).deleteOne({ _id: id })
    const batches = changed(scope).find({ 'contacts.id': contactId }).hint('batch')
    for await (const { id, contacts } of batches)
      await changed(scope).updateOne(
        { _id: id },
        { $set: { contacts: contacts.filter((contact) => contact.id !== contactId) } },
      )
  }
}
