import type { Endpoint, EndpointRequest, EndpointResponse } from '@parley/contracts/endpoint'
import { type ErrorCode, errorBodySchema, errorStatus } from '@parley/contracts/errors'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { InternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { currentRequest } from '../http/current-request.ts'
import { callAddress } from './call-address.ts'

const defaultTimeoutMs = 8000
const tokenReuseMs = 60_000

/**
 * Calls the internal endpoints of one service in the BFF's own name (`sub: svc:bff`).
 * @returns a function that answers with the endpoint's parsed response, and throws the service's error by its own code,
 * or `service_unavailable` where the service does not answer.
 */
export function createServiceClient(options: {
  baseUrl: string
  audience: string
  signer: Pick<InternalTokenSigner, 'sign'>
  /** 8 s unless told otherwise. */
  timeoutMs?: number
}) {
  let token: { value: Promise<string>; until: number } | undefined

  function ownToken(): Promise<string> {
    if (!token || token.until < Date.now()) {
      const value = options.signer.sign({ sub: 'svc:bff', aud: options.audience })
      token = { value, until: Date.now() + tokenReuseMs }
      value.catch(() => {
        if (token?.value === value) token = undefined
      })
    }
    return token.value
  }

  return async function call<E extends Endpoint>(
    endpoint: E,
    request: EndpointRequest<E>,
  ): Promise<EndpointResponse<E>> {
    const { params = {}, query, body } = request as LooseRequest
    const requestId = currentRequest.getStore()?.requestId
    const response = await fetch(`${options.baseUrl}${callAddress(endpoint.path, params, query)}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${await ownToken()}`,
        ...(requestId !== undefined && { 'x-request-id': requestId }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs),
    }).catch((cause: unknown) => {
      throw errors.serviceUnavailable(cause)
    })
    if (response.status !== endpoint.status) throw await refusal(endpoint, response)
    return endpoint.response
      ? (endpoint.response.parse(await response.json()) as EndpointResponse<E>)
      : (undefined as EndpointResponse<E>)
  }
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
  // A refused internal token or a fault over there is not the person's doing.
  if (code === 'unauthenticated' || code === 'internal_error') return errors.serviceUnavailable(new Error(detail))
  return new AppError(code, message, { detail, ...(fields && { fields }) })
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code)
