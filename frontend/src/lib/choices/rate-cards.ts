import { rateCardsApi } from '@parley/contracts/usage/rate-cards'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { rateCardKeys } from '../query-keys.ts'

/** What WhatsApp charges for messages, as the workspace has entered it. */
export const rateCardsOptions = () =>
  queryOptions({
    queryKey: rateCardKeys.all,
    queryFn: ({ signal }) => call(rateCardsApi.list, { signal }),
  })
