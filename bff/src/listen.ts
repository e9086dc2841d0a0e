import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { errorStatus } from '@parley/contracts/core/errors'
import { boundRequestBodies } from '@parley/service-kit/core/request-bodies'
import type { Express } from 'express'

const keepAliveTimeoutMs = 75_000
/** Time for an upload on a slow connection. Every other body has the time that `boundRequestBodies` gives it. */
const maxRequestMs = 15 * 60_000

/** Listens, and resolves once the port is ours. */
export function listen(app: Express, host: string, port: number): Promise<Server> {
  const server = createServer(app)
  // Longer than what load balancers keep a connection for, so that they never write into one we have just closed.
  server.keepAliveTimeout = keepAliveTimeoutMs
  server.headersTimeout = keepAliveTimeoutMs + 1000
  server.requestTimeout = maxRequestMs
  boundRequestBodies(server)
  server.on('clientError', answerClientError)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

/** Stops taking connections and lets running requests end; what still runs after `graceMs` is cut off. */
export async function stopListening(server: Server, graceMs = 10_000): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(cut)
}

/** A request that Node's parser refuses never reaches the app: it gets the same envelope from here. */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'bad_request'
  const message = code === 'headers_too_large' ? 'The request headers are too large.' : 'The request is not valid HTTP.'
  const body = JSON.stringify({ code, message, requestId: 'none' })
  socket.end(
    `HTTP/1.1 ${errorStatus[code]} Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
