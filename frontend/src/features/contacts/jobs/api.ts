import { contactJobsApi } from '@parley/contracts/contacts/contact-job-endpoints'
import type { ContactAction, ExportFormat } from '@parley/contracts/contacts/contact-jobs'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { receiveJob } from '../../../lib/contact-jobs.ts'
import { useChange } from '../../../lib/use-change.ts'
import type { Selection } from '../api.ts'

interface ExportInput {
  readonly selection: Selection
  readonly format: ExportFormat
  readonly timeZone: string
}

export function useStartExport() {
  const client = useQueryClient()
  return useChange({
    run: (input: ExportInput, intent) => call(contactJobsApi.export, { body: input, ...intent }),
    onSuccess: (job) => receiveJob(client, job),
  })
}

/** Exports everything that is stored of one contact to a file. */
export function useExportPerson() {
  const client = useQueryClient()
  return useChange({
    run: (id: string, intent) => call(contactJobsApi.exportPerson, { params: { id }, ...intent }),
    onSuccess: (job) => receiveJob(client, job),
  })
}

/** Deletes everything that is stored of one contact, for good. @param name as a person has typed it. */
export function useEraseContact() {
  const client = useQueryClient()
  return useChange({
    run: ({ id, name }: { id: string; name: string }, intent) =>
      call(contactJobsApi.erase, { params: { id }, body: { name }, ...intent }),
    onSuccess: (job) => receiveJob(client, job),
  })
}

export function useStartChange() {
  const client = useQueryClient()
  return useChange({
    run: (
      input: { readonly selection: Selection; readonly action: ContactAction; readonly startWorkflows?: boolean },
      intent,
    ) => call(contactJobsApi.change, { body: input, ...intent }),
    onSuccess: (job) => receiveJob(client, job),
  })
}

/** A tag gets another name, or is merged into the tag of that name. */
export function useStartRename() {
  const client = useQueryClient()
  return useChange({
    run: (input: { readonly tag: string; readonly to: string }, intent) =>
      call(contactJobsApi.renameTag, { body: input, ...intent }),
    onSuccess: (job) => receiveJob(client, job),
  })
}

export function useUndoJob() {
  const client = useQueryClient()
  return useChange({
    run: (id: string, intent) => call(contactJobsApi.undo, { params: { id }, ...intent }),
    onSuccess: (job) => receiveJob(client, job),
  })
}
