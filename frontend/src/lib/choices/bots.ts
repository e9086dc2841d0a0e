import { botList } from '@parley/contracts/automation/bot-summary'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceLimit, choiceStaleMs } from './stale.ts'

/** Bots by name. */
export const botChoices = () =>
  queryOptions({
    queryKey: choiceKeys.bots,
    queryFn: async ({ signal }) => (await call(botList, { query: { limit: choiceLimit }, signal })).items,
    staleTime: choiceStaleMs,
  })
