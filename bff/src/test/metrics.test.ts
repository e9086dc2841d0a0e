import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { processNames } from '@parley/processes/processes'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { createFlowBrowser } from './flow.ts'
import { newAddress } from './mailbox.ts'
import { startProviderGate } from './provider-gate.ts'
import { type Bff, startBff } from './start-bff.ts'

const { env, repoRoot } = inject('stack')
/** The BFF's is of this test. */
const processesWithMetrics = processNames.filter((name) => name !== 'bff')
let gate: Awaited<ReturnType<typeof startProviderGate>>
let bff: Bff
beforeAll(async () => {
  gate = await startProviderGate()
  bff = await startBff({ OIDC_INTERNAL_ISSUER: gate.url })
})
afterAll(async () => {
  await bff.stop()
  await gate.stop()
})

const exposition = async () => (await bff.dependencies.metrics.render()).text
/** Value of a series of the BFF; 0 where it is exposed but has not risen. */
async function value(series: string): Promise<number> {
  const [name = '', labels = ''] = series.split('{')
  const wanted = labels.replace('}', '').split(',')
  const line = (await exposition())
    .split('\n')
    .find((l) => l.startsWith(`${name}{`) && wanted.every((w) => l.includes(w)))
  if (!line) throw new Error(`no series ${series}`)
  return Number(line.split(' ').at(-1))
}

test('the life of a session is counted: begun, read, renewed, refused a renewal, ended', async () => {
  const email = newAddress('counted')
  const browser = bff.browser()
  await browser.signUp(email, 'Secret-123')
  expect(await value('sessions_started_total{client="password"}')).toBe(1)
  expect(await value('sessions_started_total{client="web"}')).toBe(0)
  expect(await value('identity_provider_request_duration_seconds_count{call="token",outcome="answered"}')).toBe(1)

  let reads = 0
  await vi.waitFor(async () => {
    reads += 1
    await browser.send('GET', '/api/auth/user')
    expect(await value('session_cache_reads_total{result="hit"}')).toBeGreaterThan(0)
  })
  const hits = await value('session_cache_reads_total{result="hit"}')
  expect(hits + (await value('session_cache_reads_total{result="miss"}'))).toBe(reads)

  const { store } = bff.dependencies
  const letTokenEnd = async () => {
    const session = await store.load(browser.cookie().split('=')[1] ?? '')
    if (session) await store.replace(session, { ...session.hot, tokenExpiresAt: 1 })
  }
  await letTokenEnd()
  await browser.send('GET', '/auth/session')
  expect(await value('session_refreshes_total{outcome="renewed"}')).toBe(1)

  gate.set({ status: 400, body: { error: 'invalid_grant' } })
  await letTokenEnd()
  expect((await browser.send('GET', '/api/auth/user')).status).toBe(401)
  gate.set('pass')
  expect(await value('session_refreshes_total{outcome="refused"}')).toBe(1)
  expect(await value('sessions_ended_total{how="refused"}')).toBe(1)

  const before = await value('sessions_ended_total{how="signed_out"}')
  await browser.signIn(email, 'Secret-123')
  await browser.send('POST', '/auth/sign-out')
  expect(await value('sessions_ended_total{how="signed_out"}')).toBe(before + 1)
})

test("a sign-in by the provider's pages is counted by how it came out, though each answer is a redirect", async () => {
  const flowBrowser = createFlowBrowser(bff)
  await flowBrowser.arrive(new URL(`${bff.config.PUBLIC_ORIGIN}/auth/callback?state=unknown&code=x`))
  expect(await value('code_sign_ins_total{outcome="invalid_auth_event"}')).toBe(1)
})

interface Series {
  readonly labels: Set<string>
}
/** Returns every series that the processes expose, once they have been used: name → its labels. */
async function everySeries(): Promise<Map<string, Series>> {
  const texts = await Promise.all(
    processesWithMetrics.map(async (name) =>
      (await fetch(`http://127.0.0.1:${env[name]['MANAGEMENT_PORT'] ?? env[name]['PORT']}/metrics`)).text(),
    ),
  )
  const exposed = new Map<string, Series>()
  for (const line of [await exposition(), ...texts].join('\n').split('\n')) {
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? []
    if (!name) continue
    const known = exposed.get(name) ?? { labels: new Set<string>() }
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.labels.add(label)
    exposed.set(name, known)
  }
  return exposed
}

/** Labels that Prometheus adds by itself. */
const fromScraping = ['namespace', 'pod', 'instance', 'job']
const files = join(repoRoot, 'helm/parley/files')
const sources = ['rules.yaml', ...readdirSync(join(files, 'dashboards')).map((name) => `dashboards/${name}`)]

/** Returns what a file of rules or a dashboard asks Prometheus. */
function expressionsIn(source: string): string[] {
  const text = readFileSync(join(files, source), 'utf8')
  const written = source.endsWith('.json') ? /"expr": "((?:[^"\\]|\\.)*)"/g : /\bexpr: (\|\n(?: {10,}.*\n)+|.*\n)/g
  return [...text.matchAll(written)].map(([, expression = '']) => expression.replaceAll('\\"', '"'))
}

test.each(sources)('%s asks only for series and labels that a running process exposes', async (source) => {
  const rules = readFileSync(join(files, 'rules.yaml'), 'utf8')
  const recorded = new Set([...rules.matchAll(/record: (\S+)/g)].map(([, name]) => name))
  const text = expressionsIn(source).join('\n')
  const exposed = await everySeries()
  const unknown: string[] = []
  const asked = [
    // Functions, whose names look alike, are followed by a bracket.
    ...text.matchAll(/\b(parley:[\w:]+|(?!group_)[a-z]\w*_\w+)\b(?!\s*\()(?:\{([^}]*)\})?/g),
  ]
  for (const [, name = '', selector = ''] of asked) {
    if (recorded.has(name)) continue
    const series = exposed.get(name) ?? exposed.get(`${name}_count`)
    if (!series) unknown.push(name)
    for (const [, label = ''] of selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g))
      if (series && !series.labels.has(label) && !fromScraping.includes(label)) unknown.push(`${name}{${label}}`)
  }
  expect(asked.length).toBeGreaterThan(5)
  expect([...new Set(unknown)]).toEqual([])
})
