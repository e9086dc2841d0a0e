import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Joined, type Runs, startRuns } from './start-runs.ts'

/** Starts the stores of a suite, and begins each test in a workspace of its own. @returns the stores, once they are started. */
export function joinEach(begin: (joined: Joined) => void): () => Runs {
  let runs: Runs
  beforeAll(async () => {
    runs = await startRuns()
  })
  afterAll(() => runs.stop())
  beforeEach(async () => {
    const joined = runs.join()
    await joined.feed.begin(joined.scope)
    begin(joined)
  })
  return () => runs
}
