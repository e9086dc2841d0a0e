import { visibilityApi } from '@parley/contracts/inbox/visibility'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api.ts'
import { visibilityKeys } from '../query-keys.ts'
import { useUser } from '../user.ts'

export const visibilityOptions = () =>
  queryOptions({
    queryKey: visibilityKeys.all,
    queryFn: ({ signal }) => call(visibilityApi.read, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Returns whether the person is an agent who sees their own conversations alone, and contacts by these. */
export function useSeesOwnOnly(): boolean {
  const isAgent = useUser().data?.role === 'agent'
  const { data } = useQuery({ ...visibilityOptions(), enabled: isAgent })
  return isAgent && data?.agentSees === 'own'
}
