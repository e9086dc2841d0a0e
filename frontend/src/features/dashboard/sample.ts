import { dashboardApi } from '@parley/contracts/dashboard'
import { dashboardOf } from '@parley/sample/dashboard'
import { answer, sampleCall } from '../../lib/sample/sample-call.ts'

/** Stands in for the service that will own the numbers. */
export const call = sampleCall([answer(dashboardApi.read, (_, story) => dashboardOf(story, new Date()))])
