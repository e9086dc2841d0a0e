import { type AnalyticsPeriod, analyticsApi } from '@parley/contracts/platform/analytics'
import { teamReportApi } from '@parley/contracts/platform/team-report'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { analyticsKeys } from '../../lib/query-keys.ts'

/** Reads how members answer customers in a period. */
export const teamReportOptions = (period: AnalyticsPeriod) =>
  queryOptions({
    queryKey: analyticsKeys.team(period),
    queryFn: ({ signal }) => call(teamReportApi.read, { query: { period }, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  })

/** The figures of a period. What other screens change counts at once: they are read anew when the screen is opened. */
export const analyticsOptions = (query: { period: AnalyticsPeriod; scope: string }) =>
  queryOptions({
    queryKey: analyticsKeys.read(query),
    queryFn: ({ signal }) => call(analyticsApi.read, { query, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  })
