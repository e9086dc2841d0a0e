import { sendingHoursApi } from '@parley/contracts/sending-hours'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { sendingHoursKeys } from '../query-keys.ts'

/** Between which hours the workspace sends marketing. */
export const sendingHoursOptions = () =>
  queryOptions({
    queryKey: sendingHoursKeys.all,
    queryFn: ({ signal }) => call(sendingHoursApi.read, { signal }),
  })
