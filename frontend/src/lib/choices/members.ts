import { membersApi } from '@parley/contracts/members'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceLimit, choiceStaleMs } from './stale.ts'

export const memberChoices = () =>
  queryOptions({
    queryKey: choiceKeys.members,
    queryFn: async ({ signal }) => (await call(membersApi.list, { query: { limit: choiceLimit }, signal })).items,
    staleTime: choiceStaleMs,
  })
