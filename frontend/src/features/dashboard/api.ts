import { dashboardApi } from '@parley/contracts/dashboard'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { dashboardKeys } from '../../lib/query-keys.ts'

/** The dashboard's one query; read anew whenever the screen is opened, since every other screen changes what it counts. */
export const dashboardOptions = () =>
  queryOptions({
    queryKey: dashboardKeys.all,
    queryFn: ({ signal }) => call(dashboardApi.read, { signal }),
    refetchOnMount: 'always',
  })
