/**
 * Asks every fifth of a second until there is an answer.
 * @param ask gives undefined where it is to be asked again.
 * @param missing what did not come within half a minute.
 * @throws with `missing`.
 */
export async function until<T>(missing: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + 30_000
  while (performance.now() < deadline) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`not within 30 s: ${missing}`)
}
