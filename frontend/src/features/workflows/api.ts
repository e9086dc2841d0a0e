import { workflowsApi } from '@parley/contracts/automation/workflows'
import { queryOptions } from '@tanstack/react-query'
import { flowQueries } from '../../flow-builder/flow-queries.ts'
import { call } from '../../lib/api.ts'
import { workflowKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'

const read = (id: string, signal?: AbortSignal) =>
  call(workflowsApi.read, { params: { id }, ...(signal && { signal }) })

/** Workflows by name. */
export const workflows = flowQueries(workflowKeys, {
  list: (query, signal) => call(workflowsApi.list, { query, signal }),
  read,
  create: (body, intent) => call(workflowsApi.create, { body, ...intent }),
  update: (id, body, intent) => call(workflowsApi.update, { params: { id }, body, ...intent }),
  setStatus: async (id, status, intent) => {
    const { version } = await read(id)
    return call(workflowsApi.update, { params: { id }, body: { status, version }, ...intent })
  },
  remove: (id, intent) => call(workflowsApi.remove, { params: { id }, ...intent }),
  restore: (id) => call(workflowsApi.restore, { params: { id } }),
  stale: (error) => staleRecord(error, workflowsApi.update),
})

/** Counters of all workflows together. */
export const workflowSummaryOptions = () =>
  queryOptions({
    queryKey: workflowKeys.summary,
    queryFn: ({ signal }) => call(workflowsApi.summary, { signal }),
  })
