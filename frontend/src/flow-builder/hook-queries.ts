import { hooksApi } from '@parley/contracts/automation/hooks'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { hookKeys } from '../lib/query-keys.ts'
import { type Intent, useChange } from '../lib/use-change.ts'

/** Addresses of a workflow's triggers. */
export const hooksOptions = (workflowId: string) =>
  queryOptions({
    queryKey: hookKeys.of(workflowId),
    queryFn: async ({ signal }) => (await call(hooksApi.list, { params: { id: workflowId }, signal })).items,
    staleTime: 0,
  })

/** The last calls of an address. */
export const hookCallsOptions = (workflowId: string, nodeId: string) =>
  queryOptions({
    queryKey: hookKeys.calls(workflowId, nodeId),
    queryFn: async ({ signal }) => (await call(hooksApi.calls, { params: { id: workflowId, nodeId }, signal })).items,
    staleTime: 0,
  })

function useHookChange<O>(
  workflowId: string,
  run: (params: { id: string; nodeId: string }, intent: Intent) => Promise<O>,
) {
  const client = useQueryClient()
  return useChange({
    run: (nodeId: string, intent) => run({ id: workflowId, nodeId }, intent),
    onSuccess: () => client.invalidateQueries({ queryKey: hookKeys.of(workflowId) }),
  })
}

/** Makes the address of a trigger, in place of the one that it has. */
export const useReplaceHook = (workflowId: string) =>
  useHookChange(workflowId, (params, intent) => call(hooksApi.replace, { params, ...intent }))
export const useRevokeHook = (workflowId: string) =>
  useHookChange(workflowId, (params, intent) => call(hooksApi.revoke, { params, ...intent }))
