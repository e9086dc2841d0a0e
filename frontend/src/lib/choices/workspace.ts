import { workspaceApi } from '@parley/contracts/account/workspace'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { workspaceKeys } from '../query-keys.ts'

/** The workspace that the session is in. */
export const ownWorkspaceOptions = () =>
  queryOptions({
    queryKey: workspaceKeys.own,
    queryFn: ({ signal }) => call(workspaceApi.read, { signal }),
  })
