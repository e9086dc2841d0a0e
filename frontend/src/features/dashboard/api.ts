import { dashboardApi } from '@parley/contracts/platform/dashboard'
import { usageApi } from '@parley/contracts/usage/usage'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { dashboardKeys, usageKeys } from '../../lib/query-keys.ts'

/** The dashboard's one query; read anew whenever the screen is opened, since every other screen changes what it counts. */
export const dashboardOptions = () =>
  queryOptions({
    queryKey: dashboardKeys.all,
    queryFn: ({ signal }) => call(dashboardApi.read, { signal }),
    refetchOnMount: 'always',
  })

/** Reads the usage by day; read anew each time, like the remaining credits. */
export const usageDaysOptions = () =>
  queryOptions({
    queryKey: usageKeys.days,
    queryFn: ({ signal }) => call(usageApi.days, { signal }),
    staleTime: 0,
  })
