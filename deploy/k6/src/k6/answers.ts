import type { RefinedResponse } from 'k6/http'

/** Parameters of a request whose body is read as text. @param name of its metrics. */
export const textParams = (name: string, headers: Record<string, string> = {}) => ({
  responseType: 'text' as const,
  redirects: 0,
  headers,
  tags: { name },
  timeout: '20s',
})
/** Headers that the app's page sends with its own calls: the last one is what a foreign form cannot set. */
export const pageHeaders = (target: string) => ({ origin: target, 'sec-fetch-site': 'same-origin', 'x-csrf': '1' })
export const json = { 'content-type': 'application/json' }

export type Answer = RefinedResponse<'text'>

/** An answer other than the one that an operation needs. */
export class Unexpected extends Error {
  /** Status; 0 where no answer came. */
  readonly status: number
  constructor(what: string, { status, error, body }: Answer) {
    super(`${what} answered ${status || error}${status >= 400 ? `: ${String(body).slice(0, 200)}` : ''}`)
    this.status = status
  }
}

/** @throws Unexpected for any other status. */
export function expectStatus(answer: Answer, status: number, what: string): Answer {
  if (answer.status !== status) throw new Unexpected(what, answer)
  return answer
}

/** A field of a JSON answer that has to be a text. */
export function textField(answer: Answer, field: string): string {
  const value = answer.json(field)
  if (typeof value === 'string') return value
  throw new Error(`${answer.url.split('?')[0]} answered without ${field}`)
}
