import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Envelope } from '@parley/contracts/platform/public-events'

/** A call that a receiver has got. */
export interface Received {
  readonly headers: Record<string, string>
  readonly body: string
  readonly event: Envelope
}

type Reply = (response: ServerResponse, received: Received) => void

/** A receiver of webhooks on this machine, whose answers may be changed at any time. */
export async function startReceiver(reply: Reply = (response) => response.end('ok')) {
  const received: Received[] = []
  let answer = reply
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body = Buffer.concat(chunks).toString()
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const call = { headers, body, event: JSON.parse(body) }
    received.push(call)
    answer(response, call)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    /** Ids of events, each once, in the order in which they came first. */
    ids: () => [...new Set(received.map(({ event }) => event.id))],
    answerWith: (next: Reply) => {
      answer = next
    },
    status: (status: number, headers: Record<string, string> = {}) => {
      answer = (response) => response.writeHead(status, headers).end(`answer ${status}`)
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
