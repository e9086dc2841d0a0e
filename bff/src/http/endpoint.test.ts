import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Access, defineEndpoint, type Endpoint } from '@parley/contracts/core/endpoint'
import { errors } from '@parley/service-kit/core/errors'
import express from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { createServe } from './endpoint.ts'
import { errorHandler } from './error-handler.ts'

const endpointFor = (access: Access) =>
  defineEndpoint({
    operation: 'things.add',
    method: 'POST',
    path: '/things',
    access,
    permission: 'self',
    callers: [],
    summary: '',
    body: z.object({ name: z.string() }),
    status: 204,
    errors: [],
  } as Endpoint)

async function start(access: Access, requireAlive: () => Promise<never>) {
  const handler = vi.fn(async () => undefined)
  const app = express()
  createServe(app, { requireAlive })(endpointFor(access), handler)
  app.use(errorHandler)
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const send = (body: string) =>
    fetch(`http://127.0.0.1:${port}/things`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return { handler, send }
}
const nobody = () => Promise.reject(errors.unauthenticated())

test.each(['session', 'session+bearer'] as const)(
  'a handler of a %s endpoint never runs for a stranger, whatever they send',
  async (access) => {
    const requireAlive = vi.fn(nobody)
    const { handler, send } = await start(access, requireAlive)
    for (const body of ['{"name":"x"}', '{"', '']) expect((await send(body)).status).toBe(401)
    expect(handler).not.toHaveBeenCalled()
    expect(requireAlive).toHaveBeenLastCalledWith(expect.anything(), expect.anything(), {
      bearer: access === 'session+bearer',
      countsAsUse: true,
    })
  },
)

test('a public endpoint asks for no session', async () => {
  const { handler, send } = await start('public', nobody)
  expect((await send('{"name":"x"}')).status).toBe(204)
  expect(handler).toHaveBeenCalledOnce()
})

test('an endpoint for processes is not served to browsers at all', () => {
  expect(() =>
    createServe(express(), { requireAlive: nobody })(endpointFor('service'), async () => undefined),
  ).toThrow()
})
