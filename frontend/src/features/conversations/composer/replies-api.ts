import { repliesApi, type SavedReply } from '@parley/contracts/inbox/replies'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { choiceStaleMs } from '../../../lib/choices/stale.ts'
import { replyKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'

const maxShown = 100

/** Saved replies that begin with these words or hold them, by shortcut. */
export const repliesOptions = (q: string) =>
  queryOptions({
    queryKey: replyKeys.list(q),
    queryFn: async ({ signal }) =>
      (await call(repliesApi.list, { query: { limit: maxShown, ...(q && { q }) }, signal })).items,
    placeholderData: keepPreviousData,
    staleTime: choiceStaleMs,
  })

export interface ReplyFields {
  readonly shortcut: string
  readonly text: string
}

/** Saves a new reply, or changes one. */
export function useSaveReply(reply: SavedReply | undefined) {
  const client = useQueryClient()
  return useChange({
    run: (body: ReplyFields, intent) =>
      reply
        ? call(repliesApi.update, { params: { id: reply.id }, body: { ...body, version: reply.version }, ...intent })
        : call(repliesApi.create, { body, ...intent }),
    onSuccess: () => client.invalidateQueries({ queryKey: replyKeys.all }),
  })
}

export function useDeleteReply() {
  const client = useQueryClient()
  return useChange({
    run: (id: string, intent) => call(repliesApi.remove, { params: { id }, ...intent }),
    onSuccess: () => client.invalidateQueries({ queryKey: replyKeys.all }),
  })
}
