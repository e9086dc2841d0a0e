import { contactJobsApi } from '@parley/contracts/contacts/contact-job-endpoints'
import type { ChatFormat, ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { chatExportsOptions, receiveJob, reportExport, whenEnded } from '../../../lib/contact-jobs.ts'
import { explain } from '../../../lib/explain.ts'
import { useChange } from '../../../lib/use-change.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { toast } from '../../../ui/toast.ts'

/** Exports of a conversation, also those of before. @param wanted false where the person may not see them. */
export function useChatExports(id: string, wanted: boolean): { jobs: readonly ContactJob[]; readAt: number } {
  const { data = [], dataUpdatedAt } = useQuery({ ...chatExportsOptions(id), enabled: wanted })
  return { jobs: data, readAt: dataUpdatedAt }
}

/** Starts an export and downloads its file when it is written, wherever in the app the person is by then. */
export function useExportChat(id: string) {
  const client = useQueryClient()
  const { timeZone } = useClock(0)
  const { mutateAsync, isPending } = useChange({
    run: (format: ChatFormat, intent) =>
      call(contactJobsApi.exportChat, { params: { id }, body: { format, timeZone }, ...intent }),
    onSuccess: (job) => receiveJob(client, job),
  })
  const start = async (format: ChatFormat, onStarted: () => void): Promise<void> => {
    try {
      const job = await mutateAsync(format)
      onStarted()
      const ended = await whenEnded(client, job)
      if (ended) reportExport(ended, 'Chat exported.')
    } catch (error) {
      toast.error(explain(error, 'The export could not be started. Try again.'))
    }
  }
  return { start, isPending }
}
