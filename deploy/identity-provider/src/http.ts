import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'

const bodyLimitBytes = 64 * 1024

/** One request on its way to a handler. */
export interface Call {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly url: URL
  /** Named groups of the route's path. */
  readonly params: Readonly<Record<string, string>>
}

/** What a handler answers with; `body` is JSON unless it is a string. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A handler that answers by itself returns undefined. */
export type Handler = (call: Call) => Promise<Reply | undefined> | Reply | undefined

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly pattern: URLPattern
  readonly handle: Handler
}

export const route = (method: Route['method'], pathname: string, handle: Handler): Route => ({
  method,
  pattern: new URLPattern({ pathname }),
  handle,
})

/** An answer in Keycloak's words, thrown from anywhere below a handler. */
export class HttpError extends Error {
  readonly reply: Reply
  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(`answered ${status}`)
    this.reply = { status, body, headers }
  }
}

const notFound = () => new HttpError(404, { error: 'Unable to find matching target resource method' })

/** The route for a request, with its path parameters; a known path under another method is 405. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  url: URL,
): { route: Route; params: Record<string, string> } {
  const wanted = method === 'HEAD' ? 'GET' : method
  let known: string | undefined
  for (const candidate of routes) {
    const match = candidate.pattern.exec({ pathname: url.pathname })
    if (!match) continue
    // A later, wider pattern is for paths that no other one knows.
    if (known !== undefined && known !== candidate.pattern.pathname) break
    known = candidate.pattern.pathname
    if (candidate.method !== wanted) continue
    const groups = Object.entries(match.pathname.groups).map(([name, value]) => [name, decodePart(value ?? '')])
    return { route: candidate, params: Object.fromEntries(groups) }
  }
  throw known !== undefined ? new HttpError(405, { error: 'HTTP 405 Method Not Allowed' }) : notFound()
}

function decodePart(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new HttpError(400, { error: 'HTTP 400 Bad Request' })
  }
}

export function send(call: Pick<Call, 'req' | 'res'>, reply: Reply): void {
  const { res, req } = call
  if (res.headersSent) return
  const isText = typeof reply.body === 'string'
  const text = reply.body === undefined ? '' : isText ? String(reply.body) : JSON.stringify(reply.body)
  res.statusCode = reply.status
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Referrer-Policy', 'no-referrer')
  if (reply.body !== undefined && !isText) res.setHeader('Content-Type', 'application/json')
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value)
  // An unread body would be taken for the next request on this connection.
  if (!req.complete) res.setHeader('Connection', 'close')
  res.end(req.method === 'HEAD' ? '' : text)
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of req) {
    const part = Buffer.from(chunk)
    received += part.length
    if (received > bodyLimitBytes) throw new HttpError(413, { error: 'HTTP 413 Request Entity Too Large' })
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const mediaType = (req: IncomingMessage) => (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()

/** The JSON body, unparsed by any schema. An absent body is undefined. */
export async function readJson(req: IncomingMessage): Promise<unknown> {
  const text = await readBody(req)
  if (text === '') return undefined
  if (mediaType(req) !== 'application/json') throw new HttpError(415, { error: 'HTTP 415 Unsupported Media Type' })
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError(400, { error: 'invalid_request', error_description: 'Cannot parse the JSON' })
  }
}

/** The fields of a submitted form; of a field sent twice the first counts. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const text = await readBody(req)
  if (mediaType(req) !== 'application/x-www-form-urlencoded') {
    throw new HttpError(415, { error: 'HTTP 415 Unsupported Media Type' })
  }
  return new URLSearchParams(text)
}

/** The client's address as the caller forwards it, else the caller's own. */
export function clientIp(req: IncomingMessage): string {
  const forwarded = req.headers['x-forwarded-for']
  const first = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',')[0]?.trim() ?? ''
  return isIP(first) ? first : (req.socket.remoteAddress ?? '')
}

/** The token of an `Authorization: Bearer` header. */
export function bearerToken(req: IncomingMessage): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(req.headers.authorization ?? '')?.[1]
}
