import type { Endpoint, EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import { type HttpHandler, http } from 'msw'
import { parseInput, Refusal } from './refusal.ts'

/** Answers that break their endpoint's schema, and handlers that fail: `test-setup.ts` fails the test that has met one. */
const faults: unknown[] = []

/** @throws the first fault of a handler since the last call. */
export function throwHandlerFault(): void {
  const [fault] = faults.splice(0)
  if (fault) throw fault
}

/**
 * Answers an endpoint as its service would: input and answer are parsed by the endpoint's own schemas. A refusal is thrown.
 * @param resolve gets the parsed input, gives the body of a success.
 */
export function answer<E extends Endpoint>(
  endpoint: E,
  resolve: (input: EndpointInput<E>) => EndpointResponse<E> | Promise<EndpointResponse<E>>,
): HttpHandler {
  const method = endpoint.method.toLowerCase() as Lowercase<Endpoint['method']>
  return http[method](`*${endpoint.path}`, async ({ request, params }) => {
    try {
      const text = await request.clone().text()
      const query = Object.fromEntries(new URL(request.url).searchParams)
      const input = parseInput(endpoint, { params, query, body: text === '' ? undefined : JSON.parse(text) })
      // The endpoint's own schemas have parsed it; TypeScript cannot follow them through the generic parameter.
      const body = await resolve(input as unknown as EndpointInput<E>)
      const { response, status } = endpoint
      return response ? Response.json(response.parse(body), { status }) : new Response(null, { status })
    } catch (error) {
      if (error instanceof Refusal) return Response.json(error.body, { status: error.status })
      faults.push(new Error(`The handler of ${endpoint.operation} is wrong.`, { cause: error }))
      return Response.error()
    }
  })
}
