import { type AnalyticsPeriod, analyticsApi } from '@parley/contracts/platform/analytics'
import { teamReportApi } from '@parley/contracts/platform/team-report'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { analyticsKeys } from '../../lib/query-keys.ts'

/** Days of figures: until today where no last day is named. */
export interface Days {
  readonly period: AnalyticsPeriod
  readonly to?: string | undefined
}

/** Reads how members answer customers in a period. */
export const teamReportOptions = (query: Days) =>
  queryOptions({
    queryKey: analyticsKeys.team(query),
    queryFn: ({ signal }) => call(teamReportApi.read, { query, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  })

/** The figures of a period. What other screens change counts at once: they are read anew when the screen is opened. */
export const analyticsOptions = (query: Days & { scope: string }) =>
  queryOptions({
    queryKey: analyticsKeys.read(query),
    queryFn: ({ signal }) => call(analyticsApi.read, { query, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  })
