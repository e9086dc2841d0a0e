import { connectionsApi } from '@parley/contracts/automation/connections'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceStaleMs } from './stale.ts'

/** Connections to other systems, by name. */
export const connectionChoices = () =>
  queryOptions({
    queryKey: choiceKeys.connections,
    queryFn: async ({ signal }) => (await call(connectionsApi.list, { signal })).items,
    staleTime: choiceStaleMs,
  })
