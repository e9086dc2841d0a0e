import { rateCardsApi } from '@parley/contracts/usage/rate-cards'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { rateCardKeys } from '../query-keys.ts'

/** Reads WhatsApp's message prices, as the workspace has entered them. */
export const rateCardsOptions = () =>
  queryOptions({
    queryKey: rateCardKeys.all,
    queryFn: ({ signal }) => call(rateCardsApi.list, { signal }),
  })
