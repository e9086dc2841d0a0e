import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import express from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import { errorHandler } from '../http/error-handler.ts'
import { createRequestLog } from '../http/request-log.ts'
import { createForwarder } from '../upstream/forward.ts'

const logger = createLogger({ name: 'proxy', level: 'silent' })

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A proxy in front of a service that behaves as told. @returns the proxy's port. */
async function inFrontOf(service: Parameters<typeof createServer>[1], basePath = ''): Promise<number> {
  const forward = createForwarder(`http://127.0.0.1:${await listening(createServer(service))}${basePath}`)
  const app = express()
  app.use(createRequestLog(logger, createMetrics('proxy')))
  app.use((req, res, next) => forward(req, res, next, { kind: 'json', address: '/things?a=1', token: 'internal' }))
  app.use(errorHandler)
  return listening(createServer(app))
}

const ask = (port: number, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}/outside?secret=1`, init)

test('method, body and answer pass through; the address is the service’s own, below its base', async () => {
  const port = await inFrontOf(async (req, res) => {
    res.writeHead(201, { etag: '"7"', 'keep-alive': 'timeout=9' })
    res.end(`${req.method} ${req.url} ${await text(req)}`)
  }, '/base/')
  const answer = await ask(port, { method: 'PATCH', body: 'x'.repeat(300_000) })
  expect(answer.status).toBe(201)
  expect(answer.headers.get('etag')).toBe('"7"')
  expect(answer.headers.get('keep-alive')).not.toBe('timeout=9')
  expect(await answer.text()).toBe(`PATCH /base/things?a=1 ${'x'.repeat(300_000)}`)
})

test('a body of unknown length is streamed: its beginning arrives before its end is sent', async () => {
  const { promise: arrived, resolve: seen } = Promise.withResolvers<void>()
  const port = await inFrontOf(async (req, res) => {
    req.once('data', () => seen())
    res.end(`${req.headers['transfer-encoding']} ${await text(req)}`)
  })
  const call = request({ port, host: '127.0.0.1', method: 'POST' })
  call.write('one ')
  await arrived
  call.end('two')
  const [answer] = await once(call, 'response')
  expect(await text(answer)).toBe('chunked one two')
})

test('a service may answer before it has read the body', async () => {
  const port = await inFrontOf((_req, res) => {
    res.writeHead(413, { 'content-type': 'application/json' }).end('{"code":"body_too_large"}')
  })
  const answer = await ask(port, { method: 'POST', body: 'x'.repeat(2_000_000) })
  expect(answer.status).toBe(413)
  expect(await answer.json()).toEqual({ code: 'body_too_large' })
})

test('a browser that leaves takes its call at the service with it', async () => {
  let begun = 0
  let ended = 0
  const port = await inFrontOf((_req, res) => {
    begun += 1
    res.once('close', () => {
      ended += 1
    })
  })
  const call = request({ port, host: '127.0.0.1' }).on('error', () => undefined)
  call.end()
  await vi.waitFor(() => expect(begun).toBe(1))
  call.destroy()
  await vi.waitFor(() => expect(ended).toBe(1))
})

test('an answer that breaks off is broken off for the browser too, never completed', async () => {
  const port = await inFrontOf((_req, res) => {
    res.writeHead(200, { 'content-length': '100' })
    res.write('half', () => res.destroy())
  })
  await expect(ask(port).then((answer) => answer.text())).rejects.toThrow()
})

test('a service that cannot be reached is a 502 that does not say where it is', async () => {
  const port = await inFrontOf((req) => {
    req.socket.destroy()
  })
  const answer = await ask(port)
  expect(answer.status).toBe(502)
  const body = await answer.text()
  expect(JSON.parse(body)).toMatchObject({ code: 'upstream_failed' })
  expect(body).not.toContain('127.0.0.1')
})

/** A service whose process dies with its first call, and is another one by the next. */
function dyingOnce(calls: string[]): Parameters<typeof inFrontOf>[0] {
  return async (req, res) => {
    calls.push(`${req.method} ${await text(req)}`)
    if (calls.length === 1) req.socket.destroy()
    else res.end('answered')
  }
}

test('a read whose service dies is answered by the next one', async () => {
  const calls: string[] = []
  const answer = await ask(await inFrontOf(dyingOnce(calls)))
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('answered')
  expect(calls).toEqual(['GET ', 'GET '])
})

test('a change whose service dies is not sent again: it may have been made', async () => {
  const calls: string[] = []
  const port = await inFrontOf(dyingOnce(calls))
  expect((await ask(port, { method: 'PATCH', body: 'x' })).status).toBe(502)
  expect((await ask(port, { method: 'POST' })).status).toBe(200)
  expect(calls).toEqual(['PATCH x', 'POST '])
})

test('a read is repeated once only', async () => {
  let calls = 0
  const port = await inFrontOf((req) => {
    calls += 1
    req.socket.destroy()
  })
  expect((await ask(port)).status).toBe(502)
  expect(calls).toBe(2)
})
