/**
 * Shares one answer among all callers: while it is being determined, and for a while after. A question that anyone may ask costs
 * the parts behind it the same, however often it is asked.
 * @param keptMs milliseconds for which an answer is reused.
 * @returns a function that asks, or gives the latest answer; a rejection is not kept.
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
