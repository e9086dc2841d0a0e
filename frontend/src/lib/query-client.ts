import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, getByKey, isRefusal, setWorkspaceSource } from './api.ts'
import { adoptSession, endSessionLocally } from './auth/session.ts'
import { onSessionEnd } from './auth/session-end.ts'
import { userKey } from './query-keys.ts'
import { workspaceIdOf } from './user.ts'
import { beginAnew } from './workspace.ts'

/**
 * Ends the session after a 401. A refused Bearer does not: `withIdToken` has requested another by then. Where another person has
 * signed in, reading the identity reloads the page; where the session is in another workspace, the page starts over there; where it
 * is being deleted, other members leave it.
 */
export function noticeSessionEnd(error: unknown): void {
  if (error instanceof ApiError && error.body.code === 'session_changed') void adoptSession()
  if (error instanceof ApiError && error.body.code === 'workspace_changed') beginAnew('changed')
  // The person's own record says who is still let in.
  if (error instanceof ApiError && error.body.code === 'workspace_closing')
    void queryClient.invalidateQueries({ queryKey: userKey })
  if (error instanceof ApiError && error.status === 401 && error.body.code !== 'token_rejected')
    void endSessionLocally()
}

/** Milliseconds until shown data is read again after a failed read, up to twice as long: not all pages at once. */
const rereadMs = 4000

/**
 * Keeps shown data while a later read fails, and repeats the read until it succeeds; otherwise the data would stay stale for
 * ever.
 */
function rereadShown(client: QueryClient, error: Error, query: Query<unknown, unknown>): void {
  if (query.state.data === undefined || query.state.fetchMeta || isRefusal(error)) return
  const { queryHash } = query
  setTimeout(
    () =>
      void client.refetchQueries({
        type: 'active',
        predicate: (other) => other.queryHash === queryHash && other.state.status === 'error',
      }),
    rereadMs * (1 + Math.random()),
  )
}

/** Server state. By default it is never stale, no retries, no refetch by itself. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        noticeSessionEnd(error)
        rereadShown(client, error, query)
      },
    }),
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
  return client
}

export const queryClient = createQueryClient()
onSessionEnd(() => queryClient.clear())
setWorkspaceSource(() => workspaceIdOf(queryClient.getQueryData(userKey)))
