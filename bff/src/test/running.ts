import { onTestFinished } from 'vitest'

/** Starts something for the running test alone; it is stopped when the test has finished, however it ended. */
export async function forThisTest<T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T> {
  const started = await starting
  onTestFinished(async () => {
    await started.stop()
  })
  return started
}
