import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { AppError, errorBody } from '@parley/service-kit/core/errors'
import type { MessagingModel } from './messaging-model.ts'

const endpoints = Object.values(messagingInternalApi).map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/**
 * Answers the model's endpoints over HTTP, for workers that run as processes of their own.
 * @param traces `recorded` is the trace of every event; those of calls are added to `called`.
 */
export async function serveModel(
  model: Pick<MessagingModel, 'ask'>,
  traces?: { readonly recorded: string; readonly called: Map<string, string> },
) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://model')
    const found = endpoints.find(
      ({ endpoint, pattern }) => endpoint.method === request.method && pattern.test(pathname),
    )
    const answer = (status: number, body?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    if (!found) return answer(404, errorBody(new AppError('not_found', pathname), 'model'))
    const { endpoint } = found
    const text = await bodyOf(request)
    const query = 'query' in endpoint ? endpoint.query.parse(Object.fromEntries(searchParams)) : undefined
    const body = 'body' in endpoint ? endpoint.body.parse(JSON.parse(text)) : undefined
    await model.ask({ workspaceId: '' }, endpoint, { query, body } as never).then(
      (result) => {
        if (!traces) return answer(endpoint.status, result)
        traces.called.set(pathname, String(request.headers['traceparent']))
        const page = endpoint === messagingInternalApi.events ? (result as unknown as { items: object[] }) : undefined
        const items = page?.items.map((item) => ({ ...item, traceparent: traces.recorded }))
        answer(endpoint.status, page ? { ...page, items } : result)
      },
      (error: unknown) => answer(error instanceof AppError ? error.status : 500, errorBody(error, 'model')),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
