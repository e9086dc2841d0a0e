import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createOutboundHttp, type OutboundHttp } from '../core/outbound-http.ts'

/** Serves on this machine until the test has ended. @returns the port, and how many requests have come. */
export async function serve(handler: RequestListener): Promise<{ port: number; seen: () => number }> {
  let seen = 0
  const server = createServer((request, response) => {
    seen += 1
    handler(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return { port: (server.address() as AddressInfo).port, seen: () => seen }
}

/** Creates a client that is closed with the test. */
export function client(options: Parameters<typeof createOutboundHttp>[0] = {}): OutboundHttp {
  const http = createOutboundHttp(options)
  onTestFinished(http.close)
  return http
}

export const get = (http: OutboundHttp, url: string) => http.send({ url, method: 'GET' })
