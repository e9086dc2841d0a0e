import { type NewSavedReply, repliesApi, type SavedReply } from '@parley/contracts/inbox/replies'
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

/** Saves a new reply, or changes one. */
export function useSaveReply(reply: SavedReply | undefined) {
  const client = useQueryClient()
  return useChange({
    run: ({ file, ...fields }: NewSavedReply, intent) =>
      reply
        ? call(repliesApi.update, {
            params: { id: reply.id },
            // A file that the reply has already is not told again.
            body: { ...fields, ...changeOf(file, reply.file), version: reply.version },
            ...intent,
          })
        : call(repliesApi.create, { body: { ...fields, ...(file && { file }) }, ...intent }),
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

const changeOf = (file: NewSavedReply['file'], before: SavedReply['file']) =>
  file?.mediaId === before?.mediaId ? {} : { file: file ?? null }
