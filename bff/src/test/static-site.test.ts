import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorHandler } from '../http/error-handler.ts'
import { staticSite } from '../http/static-site.ts'

const page = '<!doctype html><title>Parley</title>'
const script = 'export const answer = 42'
const files = {
  'index.html': page,
  'index.html.br': brotliCompressSync(page),
  'assets/app-1a2b.js': script,
  'assets/app-1a2b.js.br': brotliCompressSync(script),
  'assets/app-1a2b.js.gz': gzipSync(script),
  'assets/dot-1a2b.png': Buffer.from([0x89, 0x50]),
  '.vite/manifest.json': '{"internal":true}',
}
let server: Server
let url: string

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-site-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const app = express().disable('etag').use(staticSite(folder)).use(errorHandler)
  // The paths are those of a build in the same folder.
  rmSync(folder, { recursive: true })
  server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

/** Requests a path as it is written: `fetch` would normalise it, and add headers of its own to a conditional request. */
const statusOf = (path: string, headers: Record<string, string> = {}) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    request({ hostname, port, path, headers }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end()
  })

const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })

test.each(['/', '/index.html', '/login', '/campaigns/42', '/assets', '/.vite/manifest.json', '/index.html.br'])(
  '%s is the page, asked for each time',
  async (path) => {
    const answer = await get(path)
    expect(await answer.text()).toBe(page)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  },
)

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', null],
])('to a browser that takes %s the script goes out as %s, for ever', async (accepted, coding) => {
  const answer = await get('/assets/app-1a2b.js', { 'accept-encoding': accepted })
  expect(answer.headers.get('content-encoding')).toBe(coding)
  expect(answer.headers.get('vary')).toBe('Accept-Encoding')
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(await answer.text()).toBe(script)
})

test('what has no variant goes out as it is', async () => {
  const answer = await get('/assets/dot-1a2b.png')
  expect([answer.headers.get('content-encoding'), answer.headers.get('content-type')]).toEqual([null, 'image/png'])
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array([0x89, 0x50]))
})

test('what the browser has already is 304; another coding is another thing', async () => {
  const first = await get('/', { 'accept-encoding': 'br' })
  const etag = first.headers.get('etag') ?? ''
  await first.text()
  expect(await statusOf('/', { 'accept-encoding': 'br', 'if-none-match': etag })).toBe(304)
  expect(await statusOf('/', { 'accept-encoding': 'identity', 'if-none-match': etag })).toBe(200)
})

test.each(['/assets/gone-0000.js', '/assets/app-1a2b.js.br', '/assets/', '/assets/%2e%2e/index.html'])(
  '%s is 404',
  async (path) => {
    expect(await statusOf(path)).toBe(404)
  },
)

test('HEAD answers like GET, without the body', async () => {
  const answer = await fetch(`${url}/assets/app-1a2b.js`, { method: 'HEAD' })
  expect(answer.headers.get('content-length')).toBeTruthy()
  expect(await answer.text()).toBe('')
})

test('a folder without a page stops the start', () => {
  const empty = mkdtempSync(join(tmpdir(), 'parley-site-'))
  expect(() => staticSite(empty)).toThrow('index.html')
  rmSync(empty, { recursive: true })
})
