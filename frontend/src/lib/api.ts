import { csrfHeader, subjectHeader, workspaceHeader } from '@parley/contracts/account/auth'
import type { Endpoint, EndpointRequest, EndpointResponse } from '@parley/contracts/core/endpoint'
import { errorBodySchema } from '@parley/contracts/core/errors'
import { idempotencyKeyHeader, lastEventIdHeader } from '@parley/contracts/core/headers'
import { parseAnswer } from '@parley/contracts/core/parse-answer'
import type { QueryFunctionContext } from '@tanstack/react-query'
import type { z } from 'zod'

const defaultTimeoutMs = 15_000
const readableErrorSchema = errorBodySchema.partial()
type ReadableError = z.infer<typeof readableErrorSchema>

/** An answer other than 2xx. `message` reads `status: body`; `body.message` is for people. */
export class ApiError extends Error {
  readonly status: number
  /** The error envelope as far as it could be read; `{}` if the answer was something else. */
  readonly body: ReadableError

  constructor(status: number, statusText: string, text: string) {
    super(`${status}: ${text || statusText}`)
    this.name = 'ApiError'
    this.status = status
    this.body = readErrorBody(text)
  }
}

function readErrorBody(text: string): ReadableError {
  try {
    return readableErrorSchema.safeParse(JSON.parse(text)).data ?? {}
  } catch {
    return {}
  }
}

/** Answers that stay the same when asked for again: not found, not allowed. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500

async function throwIfNotOk(response: Response): Promise<void> {
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text())
}

let subject: () => string | undefined = () => undefined

/** Sets the source of who is signed in, as far as this page knows: every call sends it to the server. */
export const setSubjectSource = (read: () => string | undefined): void => {
  subject = read
}

let workspace: () => string | undefined = () => undefined

/** Sets the source of the workspace that this page shows: every call sends it to the server. */
export const setWorkspaceSource = (read: () => string | undefined): void => {
  workspace = read
}

/** Tells the server for whom the page speaks, and which workspace it shows. */
export const subjectHeaders = (): Record<string, string> => {
  const [sub, shown] = [subject(), workspace()]
  return {
    ...(sub !== undefined && { [subjectHeader]: sub }),
    ...(shown !== undefined && { [workspaceHeader]: shown }),
  }
}

/**
 * Default query function: GETs the path that the key's segments make, with cookies, as JSON. A 401 throws, or yields null where
 * the query has `meta: { on401: 'null' }`.
 * @throws ApiError for an answer other than 2xx.
 */
export async function getByKey({ queryKey, signal, meta }: QueryFunctionContext): Promise<unknown> {
  const response = await fetch(queryKey.join('/'), {
    headers: subjectHeaders(),
    credentials: 'include',
    signal: bounded(signal),
  })
  if (response.status === 401 && meta?.['on401'] === 'null') return null
  await throwIfNotOk(response)
  return response.json()
}

const bounded = (signal?: AbortSignal, timeoutMs = defaultTimeoutMs) => {
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

interface CallSettings {
  /** ID token for endpoints with access `session+bearer`: what `withIdToken` of `auth/session.ts` hands out. */
  bearer?: string
  signal?: AbortSignal
  /** Time limit; 15 s where absent. */
  timeoutMs?: number
  /** Names what the person wants: the same for every try of it. Each call is an intent of its own unless told. */
  idempotencyKey?: string
}

type CallArguments<E extends Endpoint> = keyof EndpointRequest<E> extends never
  ? [settings?: CallSettings]
  : [request: EndpointRequest<E> & CallSettings]

interface LooseRequest extends CallSettings {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * Calls an endpoint of `@parley/contracts` and parses its answer; a record of a list that this page cannot read is left out of it
 * and counted in `leftOut`.
 * @returns the parsed body, `undefined` where the endpoint declares none.
 * @throws ApiError for an answer other than 2xx; TypeError or DOMException where none came in time.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...[request]: CallArguments<E>
): Promise<EndpointResponse<E>> {
  const looseRequest: LooseRequest = request ?? {}
  const response = await send(endpoint, looseRequest)
  await throwIfNotOk(response)
  // The schema decides what comes out; TypeScript cannot follow it through the generic parameter.
  return parseAnswer(endpoint.response, endpoint.response && (await response.json())).body as EndpointResponse<E>
}

/**
 * Opens a stream of server-sent events. No time limit applies: the caller ends it by `signal`.
 * @param lastEventId the last event that was seen; the stream continues after it.
 * @throws ApiError for an answer other than 2xx; TypeError or DOMException where none came.
 */
export async function openEvents(
  endpoint: Endpoint,
  { lastEventId, signal }: { lastEventId: string | undefined; signal: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  const headers: Record<string, string> = { Accept: 'text/event-stream', [csrfHeader]: '1', ...subjectHeaders() }
  if (lastEventId !== undefined) headers[lastEventIdHeader] = lastEventId
  const response = await fetch(endpoint.path, { headers, credentials: 'include', cache: 'no-store', signal })
  await throwIfNotOk(response)
  if (!response.body) throw new TypeError('The stream has no body.')
  return response.body
}

function send(endpoint: Endpoint, request: LooseRequest): Promise<Response> {
  const { params, query, body, bearer, signal, timeoutMs, idempotencyKey = crypto.randomUUID() } = request
  const headers: Record<string, string> = { Accept: 'application/json', [csrfHeader]: '1', ...subjectHeaders() }
  if (endpoint.method !== 'GET') {
    headers['Content-Type'] = 'application/json'
    headers[idempotencyKeyHeader] = idempotencyKey
  }
  if (bearer !== undefined) headers['Authorization'] = `Bearer ${bearer}`
  return fetch(urlOf(endpoint, params, query), {
    method: endpoint.method,
    headers,
    credentials: 'include',
    signal: bounded(signal, timeoutMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

function urlOf(endpoint: Endpoint, params: Record<string, unknown> = {}, query: Record<string, unknown> = {}): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined)
  return parameters.length === 0
    ? path
    : `${path}?${new URLSearchParams(parameters.map(([key, value]) => [key, String(value)]))}`
}
