import { workflowsApi } from '@parley/contracts/automation/workflows'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceLimit, choiceStaleMs } from './stale.ts'

/** Workflows that can be started by hand, by name. */
export const startableWorkflows = () =>
  queryOptions({
    queryKey: choiceKeys.workflows,
    queryFn: async ({ signal }) => {
      const { items } = await call(workflowsApi.list, { query: { status: 'active', limit: choiceLimit }, signal })
      return items.filter(({ publishedVersion }) => publishedVersion !== undefined)
    },
    staleTime: choiceStaleMs,
  })
