import { setTimeout as wait } from 'node:timers/promises'
import { errors } from '@parley/service-kit/core/errors'

export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: string | URLSearchParams
  /** True where a second try does no harm: nothing is created and no mail is sent. */
  readonly repeatable: boolean
}

export interface ProviderAnswer {
  readonly status: number
  /** The parsed JSON; `undefined` where there was none. */
  readonly body: unknown
  readonly location: string | undefined
}

export type Fetch = typeof globalThis.fetch

const timeoutMs = 8000
const maxAnswerCharacters = 1_000_000
const retryDelaysMs = [100, 300]
const passing = new Set([502, 503, 504])

/**
 * One call to the identity provider, 8 s at most. A repeatable call is tried up to three times when the connection fails or
 * a gateway answers for the provider; a time-out is not repeated, or the caller would wait for minutes.
 * @throws `identity_provider_unavailable` when there is no answer from the provider itself.
 */
export async function sendToProvider(fetch: Fetch, request: ProviderRequest): Promise<ProviderAnswer> {
  for (const delayMs of request.repeatable ? retryDelaysMs : []) {
    const answer = await send(fetch, request).catch((error: unknown) => {
      if (isTimeout(error)) throw errors.identityProviderUnavailable(error)
      return undefined
    })
    if (answer && !passing.has(answer.status)) return answer
    await wait(delayMs * (0.5 + Math.random()))
  }
  const answer = await send(fetch, request).catch((error: unknown) => {
    throw errors.identityProviderUnavailable(error)
  })
  if (passing.has(answer.status)) throw errors.identityProviderUnavailable(new Error(`it answered ${answer.status}`))
  return answer
}

async function send(fetch: Fetch, { method, url, headers, body }: ProviderRequest): Promise<ProviderAnswer> {
  const response = await fetch(url, {
    method,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, body: parseJson(text), location: response.headers.get('location') ?? undefined }
}

function parseJson(text: string): unknown {
  if (text === '' || text.length > maxAnswerCharacters) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'
