import { Refusal, refusal, type SampleAnswer } from './answer.ts'
import { forcedState } from './forced-state.ts'
import { currentSampleDataset } from './workspace.ts'

/** As long as a good connection takes, so that loading states and optimistic changes are seen for what they are. */
const answerTimeMs = import.meta.env.MODE === 'test' ? 0 : 140

/** The parts of a request, as text or already parsed. */
export interface SampleRequest {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/**
 * Answers a call like a server: parses the input by the endpoint's schemas, refuses with the same error bodies and keeps
 * changes until the session ends or the page is loaded anew. `?state=loading|empty|error` and `?records=n` show a state
 * where the build allows it.
 */
export async function respond({ endpoint, reply }: SampleAnswer, request: SampleRequest): Promise<Response> {
  try {
    const input = parseInput(endpoint, request)
    await pause(request.signal)
    if (endpoint.method === 'GET') {
      if (forcedState() === 'loading') return await new Promise(() => {})
      if (forcedState() === 'error') throw refusal('service_unavailable', 'The service cannot be reached right now.')
    }
    const answered = await reply(input, await currentSampleDataset())
    return endpoint.response
      ? Response.json(endpoint.response.parse(answered), { status: endpoint.status })
      : new Response(null, { status: endpoint.status })
  } catch (error) {
    if (error instanceof Refusal) return Response.json(error.body, { status: error.status })
    throw error
  }
}

function parseInput(endpoint: SampleAnswer['endpoint'], request: SampleRequest): Record<string, unknown> {
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
