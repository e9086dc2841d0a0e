import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenCall {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A system outside that flows call: answers by the handler, and keeps what it was asked. */
export async function serveOutside(handler: (call: SeenCall, ...rest: Parameters<RequestListener>) => void) {
  const seen: SeenCall[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const call = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    seen.push(call)
    handler(call, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  ((_: SeenCall, __: Parameters<RequestListener>[0], response: Parameters<RequestListener>[1]) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }) as Parameters<typeof serveOutside>[0]
