import { recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import { queryOptions } from '@tanstack/react-query'
import { call } from './api.ts'
import { contactKeys } from './query-keys.ts'

/** Campaigns that a contact was chosen for, the latest first. */
export const campaignsOfContactOptions = (id: string) =>
  queryOptions({
    queryKey: contactKeys.campaigns(id),
    queryFn: async ({ signal }) => (await call(recipientsApi.ofContact, { params: { id }, signal })).items,
  })
