import { botList } from '@parley/contracts/automation/bot-summary'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
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

/** @returns what a bot is called; `Bot` while that is read. */
export function useBotName(): (id: string) => string {
  const bots = useQuery(botChoices()).data
  return useCallback((id) => (bots ? (bots.find((bot) => bot.id === id)?.name ?? 'A deleted bot') : 'Bot'), [bots])
}
