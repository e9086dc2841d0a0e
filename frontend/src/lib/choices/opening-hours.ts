import { openingHoursApi } from '@parley/contracts/inbox/opening-hours'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { openingHoursKeys } from '../query-keys.ts'

/** Query of the hours in which the workspace answers customers. */
export const openingHoursOptions = () =>
  queryOptions({
    queryKey: openingHoursKeys.all,
    queryFn: ({ signal }) => call(openingHoursApi.read, { signal }),
  })
