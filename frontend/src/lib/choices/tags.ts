import { tagsApi } from '@parley/contracts/contacts/tags'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceStaleMs } from './stale.ts'

export const tagChoices = () =>
  queryOptions({
    queryKey: choiceKeys.tags,
    queryFn: async ({ signal }) => (await call(tagsApi.list, { signal })).items,
    staleTime: choiceStaleMs,
  })

/** Returns the tags of the workspace; none while they are read. */
export const useTags = () => useQuery(tagChoices()).data ?? []
