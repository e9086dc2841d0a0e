import { botsApi } from '@parley/contracts/bots'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceLimit, choiceStaleMs } from './stale.ts'

export const botChoices = () =>
  queryOptions({
    queryKey: choiceKeys.bots,
    queryFn: async ({ signal }) => (await call(botsApi.list, { query: { limit: choiceLimit }, signal })).items,
    staleTime: choiceStaleMs,
  })
