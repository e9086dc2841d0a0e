import { type Dashboard, dashboardSchema } from '@parley/contracts/dashboard'
import { queryOptions } from '@tanstack/react-query'
import { emptyDashboard, sampleDashboard } from './sample.ts'

const dashboardKeys = { all: ['dashboard'] as const }

/** The dashboard's one query. It answers from the samples; once a service owns the numbers, only this file changes. */
export const dashboardOptions = () =>
  queryOptions({
    queryKey: dashboardKeys.all,
    queryFn: async () => dashboardSchema.parse(await read(new Date())),
    // The samples need no network.
    networkMode: 'always',
  })

/** In development `?state=loading`, `empty` or `error` shows that state of the screen. */
function read(now: Date): Dashboard | Promise<Dashboard> {
  const state = import.meta.env.DEV ? new URLSearchParams(window.location.search).get('state') : null
  if (state === 'loading') return new Promise(() => {})
  if (state === 'error') throw new Error('This is what a failed read looks like.')
  return state === 'empty' ? emptyDashboard(now) : sampleDashboard(now)
}
