import type { EndpointRequest } from '@parley/contracts/endpoint'
import { type Workflow, workflowsApi } from '@parley/contracts/workflows'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { explain } from '../../lib/explain.ts'
import { offerUndo } from '../../lib/undo.ts'
import { toast } from '../../ui/toast.ts'
import { call } from './sample.ts'

export interface WorkflowQuery {
  readonly q?: string | undefined
  readonly status?: Workflow['status'] | undefined
}
type WorkflowPage = Awaited<ReturnType<typeof readPage>>
type WorkflowPatch = Omit<EndpointRequest<typeof workflowsApi.update>['body'], 'version'>

const workflowKeys = {
  all: ['workflows'] as const,
  lists: ['workflows', 'list'] as const,
  list: (query: WorkflowQuery) => ['workflows', 'list', query] as const,
  summary: ['workflows', 'summary'] as const,
  one: (id: string) => ['workflows', 'one', id] as const,
}
/** More than this are found by searching. */
const mostListed = 100
const readPage = (query: WorkflowQuery, signal: AbortSignal) =>
  call(workflowsApi.list, { query: { ...query, limit: mostListed }, signal })

/** Workflows by name. */
export const workflowListOptions = (query: WorkflowQuery) =>
  queryOptions({
    queryKey: workflowKeys.list(query),
    queryFn: ({ signal }) => readPage(query, signal),
    networkMode: 'always',
    placeholderData: (before) => before,
  })

/** Counters of all workflows together. */
export const workflowSummaryOptions = () =>
  queryOptions({
    queryKey: workflowKeys.summary,
    queryFn: ({ signal }) => call(workflowsApi.summary, { signal }),
    networkMode: 'always',
  })

/** One workflow with its steps. */
export const workflowOptions = (id: string) =>
  queryOptions({
    queryKey: workflowKeys.one(id),
    queryFn: ({ signal }) => call(workflowsApi.read, { params: { id }, signal }),
    networkMode: 'always',
  })

/** Puts a workflow into every list and view that shows it. */
function show(client: QueryClient, workflow: Workflow): void {
  client.setQueryData<Workflow>(workflowKeys.one(workflow.id), (known) => known && workflow)
  client.setQueriesData<WorkflowPage>(
    { queryKey: workflowKeys.lists },
    (page) => page && { ...page, items: page.items.map((item) => (item.id === workflow.id ? workflow : item)) },
  )
}

/** Lists and counters are read again. */
const refresh = (client: QueryClient) =>
  Promise.all([workflowKeys.lists, workflowKeys.summary].map((queryKey) => client.invalidateQueries({ queryKey })))

/** Pauses or starts a workflow: it is shown at once, and taken back if it fails. Lists and counters are read again. */
export function useSetWorkflowStatus() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ workflow, status }: { workflow: Workflow; status: Workflow['status'] }) =>
      call(workflowsApi.update, { params: { id: workflow.id }, body: { status, version: workflow.version } }),
    onMutate: async ({ workflow, status }) => {
      await client.cancelQueries({ queryKey: workflowKeys.all })
      show(client, { ...workflow, status })
    },
    onSuccess: (workflow) => show(client, workflow),
    onError: (error, { workflow }) => {
      show(client, workflow)
      toast.error(explain(error, `${workflow.name} could not be changed.`))
    },
    onSettled: () => refresh(client),
  })
}

/** Renames a workflow or saves its flow. Lists and counters are read again. */
export function useUpdateWorkflow() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ workflow, patch }: { workflow: Workflow; patch: WorkflowPatch }) =>
      call(workflowsApi.update, { params: { id: workflow.id }, body: { ...patch, version: workflow.version } }),
    onSuccess: (workflow) => show(client, workflow),
    onError: (error, { workflow }) => toast.error(explain(error, `${workflow.name} could not be saved.`)),
    onSettled: () => refresh(client),
  })
}

/** Creates a paused workflow. Lists and counters are read again. */
export function useCreateWorkflow() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: EndpointRequest<typeof workflowsApi.create>['body']) => call(workflowsApi.create, { body }),
    onSettled: () => refresh(client),
  })
}

/** Deletes a workflow, and offers to bring it back. Lists and counters are read again. */
export function useRemoveWorkflow() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (workflow: Workflow) => call(workflowsApi.remove, { params: { id: workflow.id } }),
    onMutate: async (workflow) => {
      await client.cancelQueries({ queryKey: workflowKeys.lists })
      client.setQueriesData<WorkflowPage>(
        { queryKey: workflowKeys.lists },
        (page) => page && { ...page, items: page.items.filter(({ id }) => id !== workflow.id), total: page.total - 1 },
      )
    },
    onSuccess: (_, workflow) => {
      client.removeQueries({ queryKey: workflowKeys.one(workflow.id) })
      offerUndo(`${workflow.name} deleted.`, async () => {
        await call(workflowsApi.restore, { params: { id: workflow.id } })
        await refresh(client)
      })
    },
    onError: (error, workflow) => toast.error(explain(error, `${workflow.name} could not be deleted.`)),
    onSettled: () => refresh(client),
  })
}
