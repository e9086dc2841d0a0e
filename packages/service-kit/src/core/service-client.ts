import { Readable } from 'node:stream'
import type { Endpoint, EndpointRequest, EndpointResponse } from '@parley/contracts/core/endpoint'
import { type ErrorCode, errorBodySchema, errorStatus } from '@parley/contracts/core/errors'
import { LRUCache } from 'lru-cache'
import { callAddress } from './call-address.ts'
import { AppError, errors } from './errors.ts'
import type { InternalTokenSigner } from './internal-token.ts'

const defaultTimeoutMs = 8000
const tokenReuseMs = 60_000
const maxTokens = 1000

/**
 * Calls the internal endpoints of one service in this process's own name (`sub: svc:<process>`).
 * @param options.process name of the calling process in the registry.
 * @param options.audience name of the called service.
 * @param options.requestId of the request at hand, so that the logs of both know it by one name.
 * @returns a function that answers with the endpoint's parsed response, and throws the service's error by its own code,
 * or `service_unavailable` where the service does not answer. With a `workspaceId` the token names the workspace that the call is about.
 * Its `stream` opens answers that are files.
 */
export function createServiceClient(options: {
  process: string
  baseUrl: string
  audience: string
  signer: Pick<InternalTokenSigner, 'sign'>
  /** 8 s where absent. */
  timeoutMs?: number
  requestId?: () => string | undefined
}) {
  /** Keyed by workspace, `''` where a call names none. */
  const tokens = new LRUCache<string, Promise<string>>({ max: maxTokens, ttl: tokenReuseMs })

  function ownToken(workspaceId = ''): Promise<string> {
    const known = tokens.get(workspaceId)
    if (known) return known
    const claims = { sub: `svc:${options.process}` as const, aud: options.audience }
    const signed = options.signer.sign(workspaceId === '' ? claims : { ...claims, wid: workspaceId })
    tokens.set(workspaceId, signed)
    signed.catch(() => tokens.delete(workspaceId))
    return signed
  }

  /** Sends a request. @throws the service's error by its own code, `service_unavailable` where it does not answer. */
  async function send(
    endpoint: Endpoint,
    { params = {}, query, body }: LooseRequest,
    { workspaceId, signal }: { readonly workspaceId?: string | undefined; readonly signal: AbortSignal },
  ): Promise<Response> {
    const requestId = options.requestId?.()
    const response = await fetch(`${options.baseUrl}${callAddress(endpoint.path, params, query)}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${await ownToken(workspaceId)}`,
        ...(requestId !== undefined && { 'x-request-id': requestId }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
    }).catch((cause: unknown) => {
      throw errors.serviceUnavailable(cause)
    })
    if (response.status !== endpoint.status) throw await refusal(endpoint, response)
    return response
  }

  async function call<E extends Endpoint>(
    endpoint: E,
    request: EndpointRequest<E>,
    { workspaceId }: { workspaceId?: string } = {},
  ): Promise<EndpointResponse<E>> {
    const signal = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)
    const response = await send(endpoint, request as LooseRequest, { workspaceId, signal })
    return endpoint.response
      ? (endpoint.response.parse(await response.json()) as EndpointResponse<E>)
      : (undefined as EndpointResponse<E>)
  }

  /**
   * Opens an answer of `responseType: 'stream'`. The timeout is that of its beginning; how long it lasts is the reader's to decide.
   * Its stream fails where the service breaks off.
   */
  async function stream<E extends Endpoint>(
    endpoint: E,
    request: EndpointRequest<E>,
    { workspaceId }: { workspaceId?: string } = {},
  ): Promise<Readable> {
    const opening = new AbortController()
    const timer = setTimeout(() => opening.abort(), options.timeoutMs ?? defaultTimeoutMs)
    const sent = send(endpoint, request as LooseRequest, { workspaceId, signal: opening.signal })
    const { body } = await sent.finally(() => clearTimeout(timer))
    return body ? Readable.fromWeb(body) : Readable.from([])
  }

  return Object.assign(call, { stream })
}
interface LooseRequest {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}
export type ServiceClient = ReturnType<typeof createServiceClient>

async function refusal(endpoint: Endpoint, response: Response): Promise<AppError> {
  const body = errorBodySchema.safeParse(await response.json().catch(() => undefined))
  const detail = `${endpoint.operation} answered ${response.status}`
  if (!body.success || !isErrorCode(body.data.code)) return errors.serviceUnavailable(new Error(detail))
  const { code, message, fields } = body.data
  // A refused internal token, or a fault of the other service, is no mistake of the person.
  if (code === 'unauthenticated' || code === 'internal_error') return errors.serviceUnavailable(new Error(detail))
  return new AppError(code, message, { detail, ...(fields && { fields }) })
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code)
