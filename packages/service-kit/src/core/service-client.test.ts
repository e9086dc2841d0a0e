import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineEndpoint } from '@parley/contracts/core/endpoint'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import type { InternalTokenSigner } from './internal-token.ts'
import { createServiceClient } from './service-client.ts'

const find = defineEndpoint({
  operation: 'things.find',
  method: 'GET',
  path: '/internal/things/:id',
  access: 'service',
  callers: ['bff'],
  summary: '',
  params: z.object({ id: z.string() }),
  query: z.object({ q: z.string().optional(), tags: z.array(z.string()).optional() }),
  status: 204,
  errors: [],
})

async function startClient({ requestId }: { requestId?: () => string } = {}) {
  const seen: { url: string | undefined; headers: IncomingHttpHeaders }[] = []
  const service = createServer(({ url, headers }, res) => {
    seen.push({ url, headers })
    res.writeHead(204).end()
  })
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  onTestFinished(() => void service.close())
  const sign = vi.fn<InternalTokenSigner['sign']>(async () => 'token')
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const options = { process: 'bff', baseUrl, audience: 'things', signer: { sign }, ...(requestId && { requestId }) }
  return { seen, sign, call: createServiceClient(options) }
}

test('parameters and query reach the service, encoded', async () => {
  const { seen, call } = await startClient()
  await call(find, { params: { id: 'a/b' }, query: { q: 'x y', tags: ['vip', 'lead'] } })
  await call(find, { params: { id: '7' }, query: {} })
  expect(seen.map(({ url }) => url)).toEqual(['/internal/things/a%2Fb?q=x+y&tags=vip&tags=lead', '/internal/things/7'])
})

test('the id of the request at hand goes along, so that all logs know it by one name', async () => {
  const { seen, call } = await startClient({ requestId: () => 'request-1' })
  await call(find, { params: { id: '7' }, query: {} })
  expect(seen[0]?.headers['x-request-id']).toBe('request-1')
})

test('a token is signed once for many calls, and once more after a failure', async () => {
  const { sign, call } = await startClient()
  const ask = () => call(find, { params: { id: '7' }, query: {} })
  sign.mockRejectedValueOnce(new Error('no key'))
  await expect(ask()).rejects.toThrow('no key')
  await ask()
  await ask()
  expect(sign).toHaveBeenCalledTimes(2)
})

test('a token names the workspace that the call is about, and serves that one alone', async () => {
  const { sign, call } = await startClient()
  const ask = (workspaceId?: string) =>
    call(find, { params: { id: '7' }, query: {} }, workspaceId === undefined ? {} : { workspaceId })
  for (const workspaceId of ['one', 'two', 'one', undefined]) await ask(workspaceId)
  const claims = { sub: 'svc:bff', aud: 'things' }
  expect(sign.mock.calls).toEqual([[{ ...claims, wid: 'one' }], [{ ...claims, wid: 'two' }], [claims]])
})
