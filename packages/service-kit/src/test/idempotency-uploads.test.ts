import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { defineEndpoint } from '@parley/contracts/core/endpoint'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createIdempotencyIndex, createIdempotencyStore } from '../data/idempotency-store.ts'
import { mount } from '../http/mount.ts'
import { startBareApp } from '../testing/bare-app.ts'
import { asUser } from '../testing/shop-app.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const upload = defineEndpoint({
  operation: 'orders.attach',
  method: 'POST',
  path: '/files',
  access: 'session',
  permission: 'member',
  summary: 'Stores a file.',
  bodyType: 'stream',
  bodyLimitBytes: 1024,
  status: 201,
  response: z.object({ number: z.number() }),
  errors: [],
})

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  if (database.connection.db) await createIdempotencyIndex(database.connection.db)
})
afterAll(() => database.drop())

async function startUploads() {
  const stored: string[] = []
  const { app, url } = await startBareApp({
    idempotency: createIdempotencyStore(database.connection),
    modules: (scope) =>
      mount(scope, upload, async ({ body }) => {
        stored.push(await text(body))
        return { number: stored.length }
      }),
  })
  onTestFinished(() => app.close())
  const key = randomBytes(12).toString('hex')
  const headers = { ...asUser, 'content-type': 'application/octet-stream', 'idempotency-key': key }
  return {
    stored,
    headers,
    url: `${url}/files`,
    send: async (body: string) => {
      const answer = await fetch(`${url}/files`, { method: 'POST', headers, body })
      return { status: answer.status, body: await answer.json() }
    },
  }
}

test('an upload that is repeated with its key is stored once', async () => {
  const { send, stored } = await startUploads()
  expect(await send('a file')).toEqual({ status: 201, body: { number: 1 } })
  expect(await send('a file')).toEqual({ status: 201, body: { number: 1 } })
  expect((await send('another file')).status).toBe(422)
  expect(stored).toEqual(['a file'])
})

test('other bytes of the same length are no repetition', async () => {
  const { send, stored } = await startUploads()
  expect((await send('a file')).status).toBe(201)
  expect(await send('A FILE')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  expect(await send('a file')).toEqual({ status: 201, body: { number: 1 } })
  expect(stored).toEqual(['a file'])
})

test('an upload that broke off can be sent again with its key', async () => {
  const { url, headers, send, stored } = await startUploads()
  const broken = request(url, { method: 'POST', headers: { ...headers, 'content-length': 6 } })
  broken.on('error', () => {})
  broken.write('a f')
  const isKept = async () =>
    (await database.connection
      .collection('idempotencyKeys')
      .countDocuments({ lease: { $exists: true }, answer: { $exists: false } })) > 0
  await expect.poll(isKept).toBe(true)
  broken.destroy()
  await expect.poll(async () => (await send('a file')).status).toBe(201)
  expect(stored).toEqual(['a file'])
})
