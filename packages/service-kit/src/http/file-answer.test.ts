import { Readable } from 'node:stream'
import { defineEndpoint } from '@parley/contracts/core/endpoint'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startBareApp } from '../testing/bare-app.ts'
import { asUser } from '../testing/shop-app.ts'
import type { ByteRange } from './file-answer.ts'
import { mount } from './mount.ts'

const content = Buffer.from('0123456789')
/** Larger than the buffer that is kept back until it is read. */
const largeBytes = 1_000_000
const download = defineEndpoint({
  operation: 'media.read',
  method: 'GET',
  path: '/api/media/:name',
  access: 'session',
  permission: 'member',
  summary: 'A file.',
  params: z.object({ name: z.string() }),
  status: 200,
  responseType: 'stream',
  errors: [],
})

let app: FastifyInstance
let url: string
let opened: (ByteRange | undefined)[]
beforeAll(async () => {
  const bare = await startBareApp({
    modules: (scope) =>
      mount(scope, download, ({ params }) => ({
        type: 'text/html',
        sizeBytes: params.name.startsWith('large') ? largeBytes : content.length,
        etag: 'abc',
        fileName: params.name,
        open: (range) => {
          opened.push(range)
          if (params.name === 'large and broken') return Readable.from(failing())
          if (params.name === 'large and cut') return Readable.from([Buffer.alloc(largeBytes / 2)])
          if (params.name === 'deleted') return Readable.from([])
          return Readable.from([range ? content.subarray(range.start, range.end + 1) : content])
        },
      })),
  })
  app = bare.app
  url = `${bare.url}/api/media`
})
afterAll(() => app.close())

async function* failing() {
  yield Buffer.alloc(largeBytes / 2)
  throw new Error('the store is away')
}

async function read(headers: Record<string, string> = {}, name = 'page.html') {
  opened = []
  const answer = await fetch(`${url}/${encodeURIComponent(name)}`, { headers: { ...asUser, ...headers } })
  return { status: answer.status, text: await answer.text(), header: (key: string) => answer.headers.get(key) }
}

test('a file that somebody uploaded cannot act as a page of ours', async () => {
  const answer = await read()
  expect([answer.status, answer.text, answer.header('content-length')]).toEqual([200, '0123456789', '10'])
  expect(answer.header('x-content-type-options')).toBe('nosniff')
  expect(answer.header('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(answer.header('content-disposition')).toBe('attachment; filename=page.html')
})

test('a file name cannot write headers or leave its quotes', async () => {
  const { header } = await read({}, 'résumé"; x=".html\r\nset-cookie: a=b')
  expect(header('set-cookie')).toBeNull()
  expect(header('content-disposition')).toMatch(/^attachment; filename="[^"\\]*(\\"[^"\\]*)*"; filename\*=UTF-8''/)
})

test.each([
  ['bytes=2-4', '234', 'bytes 2-4/10'],
  ['bytes=7-', '789', 'bytes 7-9/10'],
  ['bytes=-3', '789', 'bytes 7-9/10'],
  ['bytes=8-99', '89', 'bytes 8-9/10'],
  ['bytes=-99', '0123456789', 'bytes 0-9/10'],
])('%s is answered with that part', async (range, expected, contentRange) => {
  const answer = await read({ range })
  expect([answer.status, answer.text, answer.header('content-range')]).toEqual([206, expected, contentRange])
  expect(answer.header('content-length')).toBe(String(expected.length))
})

test.each(['bytes=10-', 'bytes=-0'])('%s lies outside the file', async (range) => {
  const answer = await read({ range })
  expect([answer.status, answer.header('content-range'), opened]).toEqual([416, 'bytes */10', []])
})

test.each(['bytes=1-2,4-5', 'bytes=5-2', 'lines=1-2', 'bytes=a-b', 'bytes=-'])(
  '%s gets the whole file',
  async (range) => {
    expect(await read({ range })).toMatchObject({ status: 200, text: '0123456789' })
  },
)

test.each([
  ['"abc"', 304],
  ['W/"abc"', 304],
  ['"other", "abc"', 304],
  ['"other"', 200],
])('a copy named %s is %i', async (ifNoneMatch, status) => {
  const answer = await read({ 'if-none-match': ifNoneMatch })
  expect([answer.status, opened.length]).toEqual([status, status === 200 ? 1 : 0])
})

test.each(['large and broken', 'large and cut'])('a file that is %s is not taken for whole', async (name) => {
  for (const headers of [{}, { range: 'bytes=2-' }]) {
    const outcome = await read(headers, name).then(
      ({ text }) => JSON.parse(text).code,
      () => 'broken off',
    )
    expect(['broken off', 'internal_error']).toContain(outcome)
  }
})

test('one that is deleted before its first byte is not found', async () => {
  for (const headers of [{}, { range: 'bytes=2-4' }]) {
    const answer = await read(headers, 'deleted')
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([404, 'not_found'])
    expect(['etag', 'content-range', 'content-disposition'].map(answer.header)).toEqual([null, null, null])
  }
})
