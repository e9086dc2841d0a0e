import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { defineEndpoint } from '@parley/contracts/core/endpoint'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { startBareApp } from '../testing/bare-app.ts'
import { asUser, portOf } from '../testing/shop-app.ts'
import { mount } from './mount.ts'

const hook = defineEndpoint({
  operation: 'hook.receive',
  method: 'POST',
  path: '/hooks/whatsapp/:number',
  access: 'public',
  summary: 'Bytes whose signature is checked.',
  bodyType: 'raw',
  bodyLimitBytes: 1000,
  status: 200,
  response: z.object({ signature: z.string(), bytes: z.number() }),
  errors: [],
})
const upload = defineEndpoint({
  operation: 'media.upload',
  method: 'POST',
  path: '/api/media',
  access: 'session',
  permission: 'member',
  summary: 'An upload.',
  bodyType: 'stream',
  bodyLimitBytes: 1_000_000,
  status: 201,
  response: z.object({ bytes: z.number(), type: z.string() }),
  errors: ['body_too_large'],
})

/** `expect.poll` gives up after a second by default. */
const patience = { timeout: 20_000 }
const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const uploads: { started: number; failed: unknown[] } = { started: 0, failed: [] }
async function start() {
  Object.assign(uploads, { started: 0, failed: [] })
  const bare = await startBareApp({
    modules: (scope) => {
      mount(scope, hook, ({ body }) => ({
        signature: createHmac('sha256', 'key').update(body).digest('hex'),
        bytes: body.length,
      }))
      mount(scope, upload, async ({ body, headers }) => {
        uploads.started += 1
        const bytes = await buffer(body).catch((error: unknown) => {
          uploads.failed.push(error)
          throw error
        })
        return { bytes: bytes.length, type: headers['content-type'] ?? '' }
      })
    },
  })
  open.push(bare.app)
  return bare
}

const post = async (url: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { method: 'POST', headers, body })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test.each([
  ['JSON', 'application/json; charset=utf-8', '{ "a":1,\n "b" : "é" }'],
  ['what only looks like JSON', 'application/json', '{"'],
  ['no content type that is known', 'application/x-something', '\u0000\u00ff'],
  ['nothing', 'application/json', ''],
])('a raw body reaches the handler byte for byte: %s', async (_name, type, sent) => {
  const { url } = await start()
  const bytes = Buffer.from(sent)
  const answer = await post(`${url}/hooks/whatsapp/1`, bytes, { 'content-type': type })
  const signature = createHmac('sha256', 'key').update(bytes).digest('hex')
  expect(answer).toEqual({ status: 200, body: { signature, bytes: bytes.length } })
})

test('a raw body above its limit is refused, and no line of the log holds a body', async () => {
  const { url, lines } = await start()
  expect((await post(`${url}/hooks/whatsapp/1`, 'y'.repeat(1001))).body).toMatchObject({ code: 'body_too_large' })
  await post(`${url}/hooks/whatsapp/4917612345678`, 'a private message')
  const ofHook = () => lines.filter((line) => line.includes('"operation":"hook.receive"'))
  await expect.poll(ofHook, patience).toHaveLength(2)
  expect(lines.join('')).not.toMatch(/private message|4917612345678|yyy/)
})

test('an upload reaches the handler as a stream, of any type', async () => {
  const { url } = await start()
  const answer = await post(`${url}/api/media`, 'x'.repeat(900_000), { ...asUser, 'content-type': 'image/png' })
  expect(answer).toEqual({ status: 201, body: { bytes: 900_000, type: 'image/png' } })
})

test('an upload without a token is refused before it is read', async () => {
  const { url } = await start()
  expect((await post(`${url}/api/media`, 'x')).status).toBe(401)
  expect(uploads.started).toBe(0)
})

test('an upload whose declared length is above the limit is refused at once', async () => {
  const { app } = await start()
  const { status, rest } = await rawUpload(app, { 'content-length': '1000001' }, ['only the start'])
  expect([status, rest.code]).toEqual([413, 'body_too_large'])
  expect(uploads.started).toBe(0)
})

test('an upload of unknown length is refused when the limit is passed, and the connection ends', async () => {
  const { app } = await start()
  const chunk = 'x'.repeat(100_000)
  const chunks = Array.from({ length: 11 }, () => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  // The last chunk, which would end the body, never comes.
  const { status, rest } = await rawUpload(app, { 'transfer-encoding': 'chunked' }, chunks)
  expect([status, rest.code]).toEqual([413, 'body_too_large'])
})

test('an upload that breaks off fails for its handler', async () => {
  const { app } = await start()
  const socket = connect(portOf(app), '127.0.0.1')
  socket.write(head({ 'content-length': '1000' }))
  socket.write('some of it')
  await expect.poll(() => uploads.started, patience).toBe(1)
  socket.destroy()
  await expect.poll(() => uploads.failed, patience).toHaveLength(1)
})

const head = (headers: Record<string, string>) =>
  `POST /api/media HTTP/1.1\r\nhost: x\r\nauthorization: ${asUser.authorization}\r\ncontent-type: image/png\r\n${Object.entries(
    headers,
  )
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** Sends and reads until the server closes: with a connection that stays open it would never end. */
async function rawUpload(app: FastifyInstance, headers: Record<string, string>, chunks: readonly string[]) {
  const socket = connect(portOf(app), '127.0.0.1')
  socket.write(head(headers))
  for (const chunk of chunks) socket.write(chunk)
  const answer = await text(socket)
  const [start = '', body = '{}'] = answer.split('\r\n\r\n')
  return { status: Number(start.split(' ')[1]), rest: JSON.parse(body) as { code?: string } }
}
