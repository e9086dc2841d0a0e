import { type DryRun, dryRunsApi, type NewDryRun } from '@parley/contracts/automation/dry-runs'
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { isAtWork } from '../../lib/flow-jobs.ts'
import { workflowKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'

/** Progress is not told by events. */
const watchMs = 1000

/** Latest dry runs of a workflow, the newest first. */
export const dryRunsOptions = (workflowId: string) =>
  queryOptions({
    queryKey: workflowKeys.dryRuns(workflowId),
    queryFn: async ({ signal }) => (await call(dryRunsApi.list, { params: { id: workflowId }, signal })).items,
    refetchInterval: ({ state: { data } }) => (data?.some(isAtWork) ? watchMs : false),
  })

/** Takes in a dry run as the server has answered with it. */
function receive(client: QueryClient, run: DryRun): void {
  client.setQueryData<DryRun[]>(workflowKeys.dryRuns(run.workflowId), (before = []) => [
    run,
    ...before.filter(({ id }) => id !== run.id),
  ])
  void client.invalidateQueries({ queryKey: workflowKeys.dryRuns(run.workflowId) })
}

export function useStartDryRun(workflowId: string) {
  const client = useQueryClient()
  return useChange({
    run: (body: NewDryRun, intent) => call(dryRunsApi.start, { params: { id: workflowId }, body, ...intent }),
    onSuccess: (run) => receive(client, run),
    // Another window may have begun one.
    onError: () => client.invalidateQueries({ queryKey: workflowKeys.dryRuns(workflowId) }),
  })
}

export function useCancelDryRun() {
  const client = useQueryClient()
  return useChange({
    run: ({ id }: Pick<DryRun, 'id' | 'workflowId'>, intent) => call(dryRunsApi.cancel, { params: { id }, ...intent }),
    onSuccess: (run) => receive(client, run),
    // It may have ended just then.
    onError: (_error, { workflowId }) => client.invalidateQueries({ queryKey: workflowKeys.dryRuns(workflowId) }),
  })
}
