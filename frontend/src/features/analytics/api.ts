import { type AnalyticsPeriod, analyticsApi } from '@parley/contracts/platform/analytics'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { analyticsKeys } from '../../lib/query-keys.ts'

/** The figures of a period. What other screens change counts at once: they are read anew when the screen is opened. */
export const analyticsOptions = (period: AnalyticsPeriod) =>
  queryOptions({
    queryKey: analyticsKeys.read(period),
    queryFn: ({ signal }) => call(analyticsApi.read, { query: { period }, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  })
