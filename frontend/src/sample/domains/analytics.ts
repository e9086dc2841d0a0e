import { analyticsApi } from '@parley/contracts/platform/analytics'
import { analyticsOf } from '@parley/sample/analytics'
import { answer } from '../answer.ts'

/** Stands in for the service that will own the roll-ups. */
export const answers = [
  answer(analyticsApi.read, ({ query: { period = '30d' } }, sampleDataset) => analyticsOf(sampleDataset, period)),
]
