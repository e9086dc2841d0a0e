import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServiceMessage } from '@parley/contracts/platform/service-messages'
import { z } from 'zod'

const bodySchema = z.object({ messages: z.array(z.looseObject({ id: z.string() })) })

/** Messaging as profile meets it: a plan, and an inbox that keeps what it is told. */
export async function startMessagingPeer() {
  const received: ServiceMessage[] = []
  const state = { plan: { teamMembers: 5, ended: false } as object, isAway: false }
  const server = createServer(async (request, response) => {
    const answer = (status: number, json?: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(json && JSON.stringify(json))
    if (state.isAway) return answer(503, { code: 'service_unavailable', message: 'Away.', requestId: 'r' })
    if (request.url === '/internal/plan-limits') return answer(200, state.plan)
    const text = (await request.toArray()).map(String).join('')
    received.push(...(bodySchema.parse(JSON.parse(text)).messages as unknown as ServiceMessage[]))
    return answer(204)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    received,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
