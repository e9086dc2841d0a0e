import { type FlowJob, flowJobsApi, type SkipReason, type StartAction } from '@parley/contracts/automation/flow-jobs'
import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from './api.ts'
import { counted, formatCount } from './format.ts'
import { pauseForNetwork } from './pause.ts'
import { workflowKeys } from './query-keys.ts'
import { useChange } from './use-change.ts'

/** Progress is not told by events. */
const watchMs = 1000

export const isAtWork = ({ state }: Pick<FlowJob, 'state'>): boolean => state === 'waiting' || state === 'running'

/** Starts by hand of a workflow, and other work over its runs, the newest first. */
export const flowJobsOptions = (workflowId: string) =>
  queryOptions({
    queryKey: workflowKeys.jobs(workflowId),
    queryFn: async ({ signal }) => (await call(flowJobsApi.list, { params: { id: workflowId }, signal })).items,
    refetchInterval: ({ state: { data } }) => (data?.some(isAtWork) ? watchMs : false),
  })

/** Takes in a job as the server has answered with it. */
function receiveFlowJob(client: QueryClient, job: FlowJob): void {
  client.setQueryData<FlowJob[]>(workflowKeys.jobs(job.workflowId), (before = []) => [
    job,
    ...before.filter(({ id }) => id !== job.id),
  ])
  void client.invalidateQueries({ queryKey: workflowKeys.jobs(job.workflowId) })
}

/** Starts a workflow for a contact, or a segment. */
export function useStartRuns() {
  const client = useQueryClient()
  return useChange({
    run: ({ workflowId, action }: { workflowId: string; action: StartAction }, intent) =>
      call(flowJobsApi.start, { params: { id: workflowId }, body: { action }, ...intent }),
    onSuccess: (job) => receiveFlowJob(client, job),
  })
}

/** Changes all runs of a workflow that a filter matches. */
export function useChangeRuns(workflowId: string) {
  const client = useQueryClient()
  return useChange({
    run: (body: EndpointRequest<typeof flowJobsApi.bulk>['body'], intent) =>
      call(flowJobsApi.bulk, { params: { id: workflowId }, body, ...intent }),
    onSuccess: (job) => receiveFlowJob(client, job),
  })
}

export function useCancelFlowJob() {
  const client = useQueryClient()
  return useChange({
    run: ({ id }: Pick<FlowJob, 'id' | 'workflowId'>, intent) =>
      call(flowJobsApi.cancel, { params: { id }, ...intent }),
    onSuccess: (job) => receiveFlowJob(client, job),
    // It may have ended just then.
    onError: (_error, { workflowId }) => client.invalidateQueries({ queryKey: workflowKeys.jobs(workflowId) }),
  })
}

/** Waits until a job has ended. @returns the job as it ended; undefined where that could not be found out. */
export async function whenFlowJobEnded(client: QueryClient, job: FlowJob): Promise<FlowJob | undefined> {
  let now: FlowJob | undefined = job
  while (now && isAtWork(now)) {
    await pauseForNetwork(watchMs)
    const jobs = await client
      .fetchQuery({ ...flowJobsOptions(job.workflowId), staleTime: 0 })
      .catch((): FlowJob[] => [])
    now = jobs.find(({ id }) => id === job.id)
  }
  return now
}

const reasons: Readonly<Record<SkipReason, (count: number) => string>> = {
  enrolled: (count) => `${formatCount(count)} ${count === 1 ? 'takes' : 'take'} part already, or did`,
  cool_down: (count) => `${formatCount(count)} started it too short a time ago`,
  filter: (count) => `${formatCount(count)} ${count === 1 ? 'does' : 'do'} not fit the trigger’s filter`,
  gone: (count) => `${formatCount(count)} cannot be reached`,
  node_gone: (count) => `for ${formatCount(count)} the version lacks the step`,
  uncertain: (count) => `${formatCount(count)} with a step that may have been done`,
  limit_reached: (count) => `${formatCount(count)} above the runs that a workspace has under way`,
  wrong_state: (count) => `${formatCount(count)} changed meanwhile, or ${count === 1 ? 'was' : 'were'} tried again`,
}

const done: Readonly<Record<FlowJob['task'], (count: number) => string>> = {
  start: (count) => `Started for ${counted(count, 'contact')}.`,
  retry: (count) => `Tried ${counted(count, 'run')} again.`,
  cancel: (count) => `Ended ${counted(count, 'run')}.`,
  release: (count) => `Let ${counted(count, 'run')} go on.`,
}

/** Says what a job has done: `Started for 12 contacts. 3 left out: 2 take part already, or did; 1 cannot be reached.` */
export function flowJobResult({ task, state, changed, held, skipped, problem }: FlowJob): string {
  const out = skipped.reduce((sum, { count }) => sum + count, 0)
  return [
    `${state === 'cancelled' ? 'Stopped. ' : ''}${done[task](changed)}`,
    ...(held > 0 ? [`${formatCount(held)} of these wait for you: it has started too often within an hour.`] : []),
    ...(out > 0
      ? [`${formatCount(out)} left out: ${skipped.map(({ reason, count }) => reasons[reason](count)).join('; ')}.`]
      : []),
    ...(problem === null ? [] : [problem]),
  ].join(' ')
}
