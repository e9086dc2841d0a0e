import { botsApi } from '@parley/contracts/automation/bots'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { hasService } from '../sample-data.ts'
import { choiceLimit, choiceStaleMs } from './stale.ts'

/** Until a service runs bots, no conversation is given to one. */
export const botsAnswer = hasService('bots')

export const botChoices = () =>
  queryOptions({
    queryKey: choiceKeys.bots,
    queryFn: async ({ signal }) => (await call(botsApi.list, { query: { limit: choiceLimit }, signal })).items,
    staleTime: choiceStaleMs,
  })
