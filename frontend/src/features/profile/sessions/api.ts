import type { ActiveSession } from '@parley/contracts/account/auth'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '../../../lib/api.ts'
import { sessionKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'

interface Listed {
  readonly sessions: readonly ActiveSession[]
}

/** Lists the account's sessions. They come and go elsewhere, so they are read again whenever they are shown. */
export const sessionsOptions = () =>
  queryOptions({
    queryKey: sessionKeys.all,
    queryFn: ({ signal }): Promise<Listed> => call(authApi.sessions, { signal }),
    staleTime: 0,
  })

/** Ends one session, or all but this one. The list loses them at once and is read again: this invalidates it. */
export function useEndSessions(on: { ended: () => void; failed: (message: string) => void }) {
  const client = useQueryClient()
  return useChange({
    again: 'queued',
    run: (id: string | 'others', intent) =>
      id === 'others'
        ? call(authApi.endOtherSessions, { query: { others: '1' }, ...intent })
        : call(authApi.endSession, { params: { id }, ...intent }).catch(unlessGone),
    onSuccess: (_, gone) => {
      const stays = ({ id, current }: ActiveSession) => (gone === 'others' ? current : id !== gone)
      client.setQueryData<Listed>(sessionKeys.all, (listed) => listed && { sessions: listed.sessions.filter(stays) })
      on.ended()
    },
    onError: (error) => {
      const message = error instanceof ApiError ? error.body.message : undefined
      on.failed(message || 'The session could not be ended. Check your connection and try again.')
    },
    onSettled: () => client.invalidateQueries({ queryKey: sessionKeys.all }),
  })
}

/** A session that has ended by itself is what was wanted. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}
