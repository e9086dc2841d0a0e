import type { Endpoint, EndpointInput, EndpointResponse } from '@parley/contracts/endpoint'
import { type ErrorCode, errorStatus } from '@parley/contracts/errors'
import type { Story } from '@parley/sample/story'
import { ApiError, type call } from '../api.ts'
import { forcedState } from './forced-state.ts'
import { currentStory } from './workspace.ts'

/** As long as a good connection takes, so that loading states and optimistic changes are seen for what they are. */
const answerTimeMs = import.meta.env.MODE === 'test' ? 0 : 140

/** What answers one endpoint from the sample. */
export interface SampleAnswer {
  readonly operation: string
  readonly reply: (input: unknown, story: Story) => unknown
}

/** Answers an endpoint of a domain that has no service yet, from the story, which it may change as a server would. */
export const answer = <E extends Endpoint>(
  endpoint: E,
  reply: (input: EndpointInput<E>, story: Story) => EndpointResponse<E>,
): SampleAnswer => ({
  operation: endpoint.operation,
  // `sampleCall` has parsed the input with this endpoint's own schemas.
  reply: (input, story) => reply(input as EndpointInput<E>, story),
})

/** The error that a server would answer with: throw it from a reply. */
export function refusal(code: ErrorCode, message: string, fields?: Record<string, string>): ApiError {
  const body = { code, message, requestId: 'sample', ...(fields && { fields }) }
  return new ApiError(errorStatus[code], '', JSON.stringify(body))
}

interface LooseRequest {
  params?: unknown
  query?: unknown
  body?: unknown
  signal?: AbortSignal
}

/**
 * Stands in for `call` of `../api.ts` until the domain's service exists: same arguments, same answers, same errors, but
 * nothing leaves the page. `?state=loading|empty|error` and `?records=n` show a state where the build allows it.
 */
export function sampleCall(answers: readonly SampleAnswer[]): typeof call {
  const byOperation = new Map(answers.map(({ operation, reply }) => [operation, reply]))
  async function respond(endpoint: Endpoint, request: LooseRequest = {}): Promise<unknown> {
    const reply = byOperation.get(endpoint.operation)
    if (!reply) throw new Error(`The sample does not answer ${endpoint.operation}.`)
    const input = parseInput(endpoint, request)
    await pause(request.signal)
    if (endpoint.method === 'GET') {
      if (forcedState() === 'loading') return new Promise(() => {})
      if (forcedState() === 'error') throw refusal('service_unavailable', 'The service cannot be reached right now.')
    }
    const answered = reply(input, await currentStory())
    // A copy, as from a wire: whoever holds an answer does not see it change when the story does.
    return endpoint.response?.parse(structuredClone(answered))
  }
  // The endpoint's schemas give input and output their types, which TypeScript cannot follow through the generic parameter.
  return respond as typeof call
}

function parseInput(endpoint: Endpoint, request: LooseRequest): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const part of ['params', 'query', 'body'] as const) {
    const parsed = endpoint[part]?.safeParse(request[part] ?? {})
    if (parsed?.error) {
      const fields = Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]))
      throw refusal('validation_failed', 'Some of the input is not valid.', fields)
    }
    input[part] = parsed?.data
  }
  return input
}

function pause(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(resolve, answerTimeMs)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
