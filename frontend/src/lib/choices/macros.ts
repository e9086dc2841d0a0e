import { macrosApi } from '@parley/contracts/inbox/macros'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceStaleMs } from './stale.ts'

/** Macros of the workspace, by name. */
export const macroChoices = () =>
  queryOptions({
    queryKey: choiceKeys.macros,
    queryFn: async ({ signal }) => (await call(macrosApi.list, { signal })).items,
    staleTime: choiceStaleMs,
  })
