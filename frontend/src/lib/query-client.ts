import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, getByKey } from './api.ts'
import { adoptSession, endSessionLocally } from './auth/session.ts'
import { onSessionEnd } from './auth/session-end.ts'

/**
 * A 401 means that the session is over. A refused Bearer does not: `withIdToken` has asked for another by then. Where somebody
 * else has signed in, asking who it is loads the page anew.
 */
export function noticeSessionEnd(error: unknown): void {
  if (error instanceof ApiError && error.body.code === 'session_changed') void adoptSession()
  if (error instanceof ApiError && error.status === 401 && error.body.code !== 'token_rejected')
    void endSessionLocally()
}

/** Server state with the defaults of specification section 7: never stale, no retries, no refetch by itself. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noticeSessionEnd }),
    mutationCache: new MutationCache({ onError: noticeSessionEnd }),
    defaultOptions: {
      queries: {
        queryFn: getByKey,
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchInterval: false,
        refetchOnWindowFocus: false,
      },
      // A save without network fails at once and in words, instead of happening at some later time.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

export const queryClient = createQueryClient()
onSessionEnd(() => queryClient.clear())
