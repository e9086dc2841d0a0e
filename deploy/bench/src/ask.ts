import { randomUUID } from 'node:crypto'

/** Calls of one origin, with JSON, or bytes as they are. @throws where an answer is a refusal. */
export const createAsk =
  (origin: string, headers: Record<string, string> = {}) =>
  async (method: string, path: string, body?: object | Uint8Array<ArrayBuffer>): Promise<unknown> => {
    const isBytes = body instanceof Uint8Array
    const type = isBytes ? 'application/octet-stream' : 'application/json'
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': type, 'idempotency-key': randomUUID() }) },
      ...(body && { body: isBytes ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
export type Ask = ReturnType<typeof createAsk>
