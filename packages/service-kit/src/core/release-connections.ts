import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Lets go of a server's kept connections before it closes: from now on each answer says `Connection: close` (RFC 9112
 * section 9.6), so that the other side opens its next one elsewhere. Without it a busy connection is never idle and is cut in
 * the end, and an idle one may be closed at the moment in which a request is written into it.
 * Resolves when no connection is left or nothing has come for `quietMs`, after `atMostMs` in any case.
 */
export async function releaseConnections(server: Server, { quietMs = 500, atMostMs = 8000 } = {}): Promise<void> {
  let lastRequest = performance.now()
  server.prependListener('request', (_request, response) => {
    lastRequest = performance.now()
    response.setHeader('Connection', 'close')
  })
  const giveUpAt = lastRequest + atMostMs
  while (performance.now() < Math.min(giveUpAt, lastRequest + quietMs) && (await connectionsOf(server)) > 0) {
    await wait(20)
  }
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)))
