import { sampleDataApi } from '@parley/contracts/platform/sample-data'
import { answer } from '../answer.ts'

/** The pages of tests show neither that they are on sample data nor how to get it. */
const underWay = { state: 'loading' as const }

export const answers = [
  answer(sampleDataApi.state, () => underWay),
  answer(sampleDataApi.load, () => underWay),
  answer(sampleDataApi.clear, () => underWay),
]
