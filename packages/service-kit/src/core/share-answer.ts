/**
 * Shares one answer among all callers: while it is being determined, and for a while after. A question that anyone may ask costs
 * the parts behind it the same, however often it is asked.
 * @param keptMs milliseconds for which an answer is reused, by the answer and the milliseconds that it took.
 * @returns a function that asks, or gives the latest answer; a rejection is not kept.
 */
export function shareAnswer<T>(ask: () => Promise<T>, keptMs: (answer: T, tookMs: number) => number): () => Promise<T> {
  let latest: { readonly answer: Promise<T>; until: number } | undefined

  async function askAndKeep(): Promise<T> {
    const began = performance.now()
    const current = { answer: ask(), until: Number.POSITIVE_INFINITY }
    latest = current
    try {
      const answer = await current.answer
      current.until = performance.now() + keptMs(answer, performance.now() - began)
      return answer
    } catch (error) {
      current.until = 0
      throw error
    }
  }

  return () => (latest && performance.now() < latest.until ? latest.answer : askAndKeep())
}
