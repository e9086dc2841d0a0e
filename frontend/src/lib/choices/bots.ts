import { botsLiveApi } from '@parley/contracts/automation/bot-endpoints'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceLimit, choiceStaleMs } from './stale.ts'

/** Bots by name. */
export const botChoices = () =>
  queryOptions({
    queryKey: choiceKeys.bots,
    queryFn: async ({ signal }) => (await call(botsLiveApi.list, { query: { limit: choiceLimit }, signal })).items,
    staleTime: choiceStaleMs,
  })
