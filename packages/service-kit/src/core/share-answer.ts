/**
 * Lets everybody who asks share one answer: while it is being found out, and for a while after. What anybody may ask for costs
 * the parts behind it the same, however often it is asked.
 * @param keptMs for how long an answer is given again, in milliseconds.
 * @returns asks, or gives the latest answer; a rejection is kept by nobody.
 */
export function shareAnswer<T>(ask: () => Promise<T>, keptMs: (answer: T) => number): () => Promise<T> {
  let latest: { readonly answer: Promise<T>; until: number } | undefined

  async function askAndKeep(): Promise<T> {
    const current = { answer: ask(), until: Number.POSITIVE_INFINITY }
    latest = current
    try {
      const answer = await current.answer
      current.until = performance.now() + keptMs(answer)
      return answer
    } catch (error) {
      current.until = 0
      throw error
    }
  }

  return () => (latest && performance.now() < latest.until ? latest.answer : askAndKeep())
}
