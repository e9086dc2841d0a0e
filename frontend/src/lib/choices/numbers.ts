import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceLimit, choiceStaleMs } from './stale.ts'

/** Query of all numbers of the workspace, the default one first. */
export const numberChoices = () =>
  queryOptions({
    queryKey: choiceKeys.numbers,
    queryFn: async ({ signal }) =>
      (await call(numbersApi.list, { query: { limit: choiceLimit }, signal })).items.sort(
        (left, right) => Number(right.isDefault) - Number(left.isDefault),
      ),
    staleTime: choiceStaleMs,
  })

/** Numbers that can send, the default one first. */
export const sendingNumberChoices = () =>
  queryOptions({ ...numberChoices(), select: (numbers) => numbers.filter(({ status }) => status === 'active') })
