import { afterAll, beforeAll, test } from 'vitest'
import { checkAnyFlow } from './any-flow.ts'
import { type Runs, startRuns } from './start-runs.ts'

let database: Runs
beforeAll(async () => {
  database = await startRuns()
})
afterAll(() => database.stop())

test('any flow, whatever happens: answered, with people, or on the list, and never over a person', () =>
  checkAnyFlow(database, { numRuns: 60 }))
