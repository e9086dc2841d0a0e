import { onTestFinished, vi } from 'vitest'

export interface RecordedAnswer {
  readonly method: string
  /** Requested path and query. */
  readonly path: string
  /** Headers but those that set cookies. */
  readonly headers: string
  readonly cookies: readonly string[]
  readonly body: string
}

/** Keeps every answer that `fetch` gets from an address, until the test has finished. */
export function recordAnswersOf(base: string): RecordedAnswer[] {
  const answers: RecordedAnswer[] = []
  const realFetch = globalThis.fetch
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await realFetch(input, init)
    const url = String(input instanceof Request ? input.url : input)
    if (!url.startsWith(base)) return response
    answers.push({
      method: init?.method ?? 'GET',
      path: url.slice(base.length),
      headers: JSON.stringify([...response.headers].filter(([name]) => name !== 'set-cookie')),
      cookies: response.headers.getSetCookie(),
      body: await response.clone().text(),
    })
    return response
  })
  onTestFinished(() => spy.mockRestore())
  return answers
}
