import { segmentsApi } from '@parley/contracts/contacts/segments'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceStaleMs } from './stale.ts'

/** Segments of contacts, the built-in ones first. */
export const segmentChoices = () =>
  queryOptions({
    queryKey: choiceKeys.segments,
    queryFn: async ({ signal }) => (await call(segmentsApi.list, { signal })).items,
    staleTime: choiceStaleMs,
  })
