import { afterAll, beforeAll, test } from 'vitest'
import { checkAnyFlow } from './any-flow.ts'
import { type Runs, startRuns } from './start-runs.ts'

let database: Runs
beforeAll(async () => {
  database = await startRuns()
})
afterAll(() => database.stop())

test('very many flows, whatever happens: answered, with people, or on the list, and never over a person', () =>
  checkAnyFlow(database, {
    numRuns: Number(process.env['FLOWS'] ?? 250),
    ...(process.env['SEED'] !== undefined && { seed: Number(process.env['SEED']) }),
  }))
