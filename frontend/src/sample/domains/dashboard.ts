import { dashboardApi } from '@parley/contracts/platform/dashboard'
import { dashboardOf } from '@parley/sample/dashboard'
import { answer } from '../answer.ts'

/** Stands in for the service that will own the numbers. */
export const answers = [answer(dashboardApi.read, (_, sampleDataset) => dashboardOf(sampleDataset, new Date()))]
