import { once } from 'node:events'
import { createServer } from 'node:http'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createGraphClients } from './graph-clients.ts'
import { measureGraph } from './measure-graph.ts'

test('calls are measured by their edge, without ids, and by what WhatsApp has answered', async () => {
  const answers: Record<string, [number, object | string]> = {
    '/123/messages': [400, { error: { code: 131047, message: 'Re-engagement message' } }],
    '/456/messages': [200, { id: 'x' }],
    '/456/message_templates?limit=1': [400, { error: { code: 987654321, message: 'New' } }],
    '/456': [502, 'Bad gateway'],
  }
  const server = createServer((request, response) => {
    const [status, body] = answers[request.url?.replace(/^\/v[\d.]+/, '') ?? ''] ?? [404, {}]
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const metrics = createMetrics('test')
  const graphs = createGraphClients(measureGraph(metrics))
  const graph = graphs.of(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  const call = (path: string, query?: Record<string, string>) =>
    graph
      .call('GET', path, { accessToken: 't', answer: z.object({ id: z.string() }), ...(query && { query }) })
      .catch(() => {})
  await call('123/messages')
  await call('456/messages')
  await call('456/message_templates', { limit: '1' })
  await call('456')
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await call('456/messages')
  await graphs.close()
  const { text } = await metrics.render()
  const counts = [
    ...text.matchAll(/^graph_request_duration_seconds_count\{process="test",call="(\w+)",code="(\w+)"\} (\d+)$/gm),
  ]
  expect(counts.map(([, edge, code, count]) => `${edge} ${code} ${count}`).sort()).toEqual([
    'message_templates unknown 1',
    'messages 131047 1',
    'messages http_500 0',
    'messages http_502 0',
    'messages http_503 0',
    'messages http_504 0',
    'messages no_answer 1',
    'messages ok 1',
    'node http_502 1',
  ])
})
