import { parseInput, Refusal, refusal, type SampleAnswer, type SampleRequest } from './answer.ts'
import { forcedState } from './forced-state.ts'
import { currentSampleDataset } from './workspace.ts'

/** Delay of answers, that of a good connection, so that loading states and optimistic changes can be seen. */
const answerTimeMs = import.meta.env.MODE === 'test' ? 0 : 140

/**
 * Answers a call like a server: parses the input by the endpoint's schemas, refuses with the same error bodies and keeps
 * changes until the session ends or the page is loaded again. `?state=loading|empty|error` shows a state where
 * the build allows it.
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
