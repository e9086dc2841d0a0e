import { workflowsApi } from '@parley/contracts/workflows'
import { queryOptions } from '@tanstack/react-query'
import { flowQueries } from '../../flow-builder/flow-queries.ts'
import { call } from '../../lib/api.ts'
import { workflowKeys } from '../../lib/query-keys.ts'

/** Workflows by name. */
export const workflows = flowQueries(workflowKeys, {
  list: (query, signal) => call(workflowsApi.list, { query, signal }),
  read: (id, signal) => call(workflowsApi.read, { params: { id }, signal }),
  create: (body) => call(workflowsApi.create, { body }),
  update: (id, body) => call(workflowsApi.update, { params: { id }, body }),
  remove: (id) => call(workflowsApi.remove, { params: { id } }),
  restore: (id) => call(workflowsApi.restore, { params: { id } }),
})

/** Counters of all workflows together. */
export const workflowSummaryOptions = () =>
  queryOptions({
    queryKey: workflowKeys.summary,
    queryFn: ({ signal }) => call(workflowsApi.summary, { signal }),
  })
