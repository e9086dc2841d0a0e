import { contactJobsApi } from '@parley/contracts/contacts/contact-job-endpoints'
import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { toast } from '../ui/toast.ts'
import { call } from './api.ts'
import { pauseForNetwork } from './pause.ts'
import { contactJobKeys } from './query-keys.ts'
import { useChange } from './use-change.ts'

/** Progress is not told by events. */
const watchMs = 1000

export const isWorking = ({ state }: Pick<ContactJob, 'state'>): boolean => state === 'waiting' || state === 'running'

const watched = ({ state: { data } }: { state: { data: readonly ContactJob[] | undefined } }) =>
  data?.some(isWorking) ? watchMs : false

/** The workspace's work over contacts. */
export const contactJobsOptions = () =>
  queryOptions({
    queryKey: contactJobKeys.list,
    queryFn: async ({ signal }) => (await call(contactJobsApi.list, { signal })).items,
    refetchInterval: watched,
  })

/** Exports of one conversation. */
export const chatExportsOptions = (id: string) =>
  queryOptions({
    queryKey: contactJobKeys.ofConversation(id),
    queryFn: async ({ signal }) => (await call(contactJobsApi.chatExports, { params: { id }, signal })).items,
    refetchInterval: watched,
  })

/** The list that a job is in. */
const listKey = ({ task }: ContactJob) =>
  task.kind === 'chat_export' ? contactJobKeys.ofConversation(task.conversationId) : contactJobKeys.list

const readList = (client: QueryClient, { task }: ContactJob): Promise<readonly ContactJob[]> =>
  task.kind === 'chat_export'
    ? client.fetchQuery({ ...chatExportsOptions(task.conversationId), staleTime: 0 })
    : client.fetchQuery({ ...contactJobsOptions(), staleTime: 0 })

/** Takes in a job as the server has answered with it. */
export function receiveJob(client: QueryClient, job: ContactJob): void {
  client.setQueryData<ContactJob[]>(listKey(job), (before = []) => [job, ...before.filter(({ id }) => id !== job.id)])
  void client.invalidateQueries({ queryKey: contactJobKeys.all })
}

export function useCancelJob() {
  const client = useQueryClient()
  return useChange({
    run: (id: string, intent) => call(contactJobsApi.cancel, { params: { id }, ...intent }),
    onSuccess: (job) => receiveJob(client, job),
    // It may have ended just then.
    onError: () => client.invalidateQueries({ queryKey: contactJobKeys.all }),
  })
}

/**
 * Waits until a job has ended, wherever in the app the person goes meanwhile.
 * @returns the job as it ended; undefined where that could not be found out.
 */
export async function whenEnded(client: QueryClient, job: ContactJob): Promise<ContactJob | undefined> {
  let now: ContactJob | undefined = job
  while (now && isWorking(now)) {
    await pauseForNetwork(watchMs)
    const jobs = await readList(client, job).catch(() => [])
    now = jobs.find(({ id }) => id === job.id)
  }
  return now
}

/** Returns the address to download an export's file from. */
export const exportFile = (id: string): string => contactJobsApi.download.path.replace(':id', id)

/** Says how an export has ended, and hands its file to the browser's downloads. */
export function reportExport({ id, state, file, problem }: ContactJob, done: string): void {
  if (state === 'cancelled') return
  if (!file) {
    toast.error(problem ?? 'The export did not finish, so no file was made. Try again.')
    return
  }
  const link = document.createElement('a')
  link.href = exportFile(id)
  link.download = file.name
  link.click()
  toast.success(done)
}
