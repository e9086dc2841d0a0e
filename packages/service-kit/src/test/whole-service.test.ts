import { randomBytes } from 'node:crypto'
import { type Role, roleSchema } from '@parley/contracts/account/permissions'
import type { FastifyInstance } from 'fastify'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import { createEventIndexes } from '../data/event-log.ts'
import { createIdempotencyIndex, createIdempotencyStore } from '../data/idempotency-store.ts'
import { stopServiceApp } from '../http/base-app.ts'
import { mount } from '../http/mount.ts'
import { createServiceApp } from '../http/service-app.ts'
import { createMediaFiles, createMediaIndexes } from '../media/media-files.ts'
import { createQueues, type Queues } from '../queue/queues.ts'
import { createLibrary, libraryApi, workOnLibrary } from '../testing/library-service.ts'
import { portOf, userClaims } from '../testing/shop-app.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { emptyTestRedis } from '../testing/test-redis.ts'

const logger = createLogger({ name: 'library', level: 'silent' })
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let database: TestDatabase
let redisUrl: string
let redis: Redis
let app: FastifyInstance
let library: ReturnType<typeof createLibrary>
let url: string
let workspaceId: string
let open: Queues[]

const newQueues = () => {
  const queues = createQueues({ url: redisUrl, service: 'library', logger, metrics: createMetrics('library') })
  open.push(queues)
  return queues
}
const startWorker = () => workOnLibrary({ mongo: database.connection, redis, queues: newQueues() })

beforeEach(async () => {
  open = []
  workspaceId = randomBytes(12).toString('hex')
  redisUrl = await emptyTestRedis(inject('stack').urls.redis)
  redis = new Redis(redisUrl)
  database = await openTestDatabase(inject('stack').urls.mongodb)
  const { db } = database.connection
  if (!db) throw new Error('the database is not open')
  await Promise.all([
    createEventIndexes(db),
    createIdempotencyIndex(db),
    createMediaIndexes(db),
    db.createCollection('books'),
  ])
  const mongo = database.connection
  library = createLibrary({ mongo, redis, media: createMediaFiles(mongo), queues: newQueues() })
  app = await createServiceApp({
    name: 'library',
    logger,
    metrics: createMetrics('library-http'),
    // A token of this test names role and workspace.
    verifyToken: async (token) => {
      const [role, wid = ''] = token.split('.')
      return { kind: 'user', claims: { ...userClaims, wid, role: roleSchema.parse(role) } }
    },
    idempotency: createIdempotencyStore(mongo),
    probes: [],
    modules: (scope) => {
      mount(scope, libraryApi.add, ({ ctx, body }) => library.add(ctx, body))
      mount(scope, libraryApi.read, ({ ctx, params }) => library.find(ctx, params.id))
      mount(scope, libraryApi.rename, ({ ctx, params, body }) => library.rename(ctx, params.id, body))
      mount(scope, libraryApi.setCover, ({ ctx, params, body }) => library.setCover(ctx, params.id, body))
      mount(scope, libraryApi.cover, ({ ctx, params }) => library.cover(ctx, params.id))
      mount(scope, libraryApi.events, ({ ctx, lastEventId, signal }) => library.events(ctx, lastEventId, signal))
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${portOf(app)}`
})
afterEach(async () => {
  await stopServiceApp(app)
  await library.close()
  await Promise.all(open.map((queues) => queues.close(5000)))
  redis.disconnect()
  await database.drop()
})

interface Call {
  readonly role?: Role
  readonly workspace?: string
  readonly headers?: Record<string, string>
  readonly json?: unknown
  readonly bytes?: Buffer<ArrayBuffer>
}
async function call(method: string, path: string, { role = 'owner', workspace = workspaceId, ...call }: Call = {}) {
  const body = call.bytes ?? (call.json === undefined ? undefined : JSON.stringify(call.json))
  return fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${role}.${workspace}.x`,
      ...(call.json !== undefined && { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(body !== undefined && { body }),
  })
}
const add = async (title: string, options: Call = {}) => {
  const answer = await call('POST', '/api/books', { json: { title }, ...options })
  return libraryApi.add.response.parse(await answer.json())
}
const read = async (id: string) => libraryApi.read.response.parse(await (await call('GET', `/api/books/${id}`)).json())

test('a record that is added is worked on in the background and told to readers, in order and once', async () => {
  startWorker()
  const stream = await call('GET', '/api/events', { headers: { 'last-event-id': '0' } })
  const events = collect(stream)
  const repeated = { headers: { 'idempotency-key': 'one-intent' } }
  const book = await add('The Left Hand of Darkness', repeated)
  expect(await add('The Left Hand of Darkness', repeated)).toEqual(book)
  await expect.poll(async () => (await read(book.id)).words).toBe(5)
  await expect.poll(events).toEqual([{ id: 1, bookId: book.id }])
  expect(await database.connection.collection('books').countDocuments()).toBe(1)

  const { version } = await read(book.id)
  const changed = await call('PATCH', `/api/books/${book.id}`, { json: { title: 'The Dispossessed', version } })
  expect(changed.status).toBe(200)
  await expect.poll(async () => (await read(book.id)).words).toBe(2)
  await expect.poll(events).toEqual([1, 2].map((id) => ({ id, bookId: book.id })))
  // A reader that was away comes back with the last number, and misses nothing.
  const later = collect(await call('GET', '/api/events', { headers: { 'last-event-id': '1' } }))
  await expect.poll(later).toEqual([{ id: 2, bookId: book.id }])
})

test('of two people who change one record the second is told', async () => {
  const book = await add('Solaris')
  const rename = (title: string) => call('PATCH', `/api/books/${book.id}`, { json: { title, version: book.version } })
  const answers = await Promise.all([rename('Eden'), rename('Fiasco')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  // The refusal carries the record as the first one has left it.
  const refused = answers.find(({ status }) => status === 409)
  expect(await refused?.json()).toMatchObject({ code: 'stale_version', current: await read(book.id) })
})

test('an upload is stored and served, and belongs to its workspace', async () => {
  const book = await add('Roadside Picnic')
  const headers = { 'content-type': 'application/octet-stream' }
  expect((await call('PUT', `/api/books/${book.id}/cover`, { bytes: png, headers })).status).toBe(200)
  const cover = await call('GET', `/api/books/${book.id}/cover`)
  expect([cover.status, cover.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(Buffer.from(await cover.arrayBuffer()).equals(png)).toBe(true)
  const theirs = await call('GET', `/api/books/${book.id}/cover`, { workspace: randomBytes(12).toString('hex') })
  expect(theirs.status).toBe(404)
  const page = await call('PUT', `/api/books/${book.id}/cover`, { bytes: Buffer.from('<script>'), headers })
  expect(page.status).toBe(415)
})

test('what a role may not do is refused before anything is read or written', async () => {
  const refused = await call('POST', '/api/books', { role: 'viewer', json: { title: 'x' } })
  expect(refused.status).toBe(403)
  expect(await database.connection.collection('events').countDocuments()).toBe(0)
})

test('with Redis emptied and the worker down, everything is done once the worker is back', async () => {
  const books = await Promise.all(['One', 'Two words', 'Three words here'].map((title) => add(title)))
  await redis.flushdb()
  startWorker()
  await expect
    .poll(async () => (await Promise.all(books.map(({ id }) => read(id)))).map(({ words }) => words))
    .toEqual([1, 2, 3])
})

/** Returns a function that reads the events so far. */
function collect(answer: Response): () => { id: number; bookId: string }[] {
  let text = ''
  void (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString()
  })().catch(() => undefined)
  return () =>
    [...text.matchAll(/id: (\d+)\nevent: .*\ndata: (.*)\n\n/g)].map(([, id, data = '{}']) => ({
      id: Number(id),
      bookId: String(JSON.parse(data).recordId),
    }))
}
