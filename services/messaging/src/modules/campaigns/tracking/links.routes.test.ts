import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import type { MoveState } from '@parley/service-kit/data/workspace-moves'
import { createPublicApp } from '@parley/service-kit/http/base-app'
import { expect, test } from 'vitest'
import { linksRoutes } from './links.routes.ts'

const link = { workspaceId: '1', messageId: '2', index: 0, url: 'https://chai.example/o', counted: true }

/** Starts ingest behind a number of proxies. */
async function startLinks({
  find = async () => link,
  move,
  trustProxyHops = 0,
}: {
  find?: () => Promise<typeof link>
  move?: MoveState
  trustProxyHops?: number
} = {}) {
  const counts: string[] = []
  const app = createPublicApp({
    logger: createLogger({ name: 'links', level: 'silent' }),
    metrics: createMetrics('links'),
    probes: [],
    trustProxyHops,
    secure: false,
  })
  const note = async () => void counts.push('noted')
  await app.register(linksRoutes, {
    linkVisits: { find, note, workspaceOf: () => link.workspaceId },
    gate: { of: async () => move ?? null, run: (_scope, work) => work() },
    countVisit: (result) => void counts.push(result),
  })
  const open = (forwardedFor: string) =>
    app.inject({ url: '/l/x', headers: { 'user-agent': 'Mozilla/5.0 Firefox/150.0', 'x-forwarded-for': forwardedFor } })
  return { open, counts }
}

test('an address opens 600 links a minute, and no name that it gives itself makes it another', async () => {
  const { open, counts } = await startLinks({ trustProxyHops: 1 })
  for (let nth = 0; nth < 600; nth += 1)
    expect((await open(`198.51.100.${nth % 250}, 203.0.113.7`)).statusCode).toBe(302)
  const refused = await open('203.0.113.7')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)])
  expect(counts.at(-1)).toBe('limited')
  expect((await open('203.0.113.8')).statusCode).toBe(302)
})

test('without a proxy in front nobody is believed', async () => {
  const { open } = await startLinks()
  for (let nth = 0; nth < 600; nth += 1) await open(`198.51.100.${nth % 250}`)
  expect((await open('203.0.113.8')).statusCode).toBe(429)
})

test('while links cannot be looked up, a visitor is told to come again', async () => {
  const { open, counts } = await startLinks({ find: () => Promise.reject(new Error('no database')) })
  const answer = await open('203.0.113.7')
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
  expect(answer.body).toContain('Try again soon')
  expect(counts).toEqual([])
})

test('a link of a workspace that has moved leads to the cell that has it, and one that leaves is led on uncounted', async () => {
  const to = { hooks: 'https://hooks.west.example', links: 'https://links.west.example' }
  const gone = await startLinks({ move: { state: 'gone', to } })
  const answer = await gone.open('203.0.113.7')
  expect([answer.statusCode, answer.headers.location]).toEqual([307, 'https://links.west.example/l/x'])
  expect(gone.counts).toEqual([])

  const leaving = await startLinks({ move: { state: 'leaving' } })
  expect((await leaving.open('203.0.113.7')).headers.location).toBe(link.url)
  expect(leaving.counts).toEqual(['fetched'])
  const arriving = await startLinks({ move: { state: 'arriving' } })
  expect((await arriving.open('203.0.113.7')).statusCode).toBe(503)
  const clearing = await startLinks({ move: { state: 'clearing' } })
  expect((await clearing.open('203.0.113.7')).statusCode).toBe(503)
  const before = await startLinks()
  expect((await before.open('203.0.113.7')).statusCode).toBe(302)
  expect(before.counts).toEqual(['opened', 'noted'])
})
