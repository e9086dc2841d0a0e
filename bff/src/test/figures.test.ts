import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { createTraveller } from './flow.ts'
import { newAddress } from './mailbox.ts'
import { type Bff, startBff } from './start-bff.ts'

const { env, repoRoot } = inject('stack')
const { PROFILE_URL = '', IDENTITY_URL = '' } = env.bff
let bff: Bff
beforeAll(async () => {
  bff = await startBff()
})
afterAll(() => bff.stop())

const own = async () => (await bff.dependencies.metrics.render()).text
/** Value of a series of the BFF; 0 where it is told of but has not risen. */
async function value(series: string): Promise<number> {
  const [name = '', labels = ''] = series.split('{')
  const wanted = labels.replace('}', '').split(',')
  const line = (await own()).split('\n').find((l) => l.startsWith(`${name}{`) && wanted.every((w) => l.includes(w)))
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

  const { store, provider } = bff.dependencies
  const letTokenEnd = async () => {
    const session = await store.load(browser.cookie().split('=')[1] ?? '')
    if (session) await store.replace(session, { ...session.hot, tokenExpiresAt: 1 })
    return session
  }
  const session = await letTokenEnd()
  await browser.send('GET', '/auth/session')
  expect(await value('session_refreshes_total{outcome="renewed"}')).toBe(1)

  const tokens = session && (await store.loadTokens(session))
  await provider.endSession('password', tokens?.refreshToken ?? '')
  await letTokenEnd()
  await browser.send('GET', '/api/auth/user')
  // The provider may have told of the end over the back channel first: then nothing is left to renew.
  const refused = await value('session_refreshes_total{outcome="refused"}')
  expect(await value('sessions_ended_total{how="refused"}')).toBe(refused)

  const before = await value('sessions_ended_total{how="signed_out"}')
  await browser.signIn(email, 'Secret-123')
  await browser.send('POST', '/auth/sign-out')
  expect(await value('sessions_ended_total{how="signed_out"}')).toBe(before + 1)
})

test("a sign-in by the provider's pages is counted by how it came out, though each answer is a redirect", async () => {
  const traveller = createTraveller(bff)
  await traveller.arrive(new URL(`${bff.config.PUBLIC_ORIGIN}/auth/callback?state=unknown&code=x`))
  expect(await value('code_sign_ins_total{outcome="invalid_auth_event"}')).toBe(1)
})

interface Told {
  readonly labels: Set<string>
}
/** Every series that the three processes tell of, once they have been used: name → its labels. */
async function everythingTold(): Promise<Map<string, Told>> {
  const texts = await Promise.all(
    [PROFILE_URL, IDENTITY_URL].map(async (url) => (await fetch(`${url}/metrics`)).text()),
  )
  const told = new Map<string, Told>()
  for (const line of [await own(), ...texts].join('\n').split('\n')) {
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? []
    if (!name) continue
    const known = told.get(name) ?? { labels: new Set<string>() }
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.labels.add(label)
    told.set(name, known)
  }
  return told
}

/** Labels that Prometheus adds by itself. */
const fromScraping = ['namespace', 'pod', 'instance', 'job']
const files = join(repoRoot, 'helm/parley/files')
const sources = ['rules.yaml', ...readdirSync(join(files, 'dashboards')).map((name) => `dashboards/${name}`)]

test.each(sources)('%s asks only for series and labels that a running process tells', async (source) => {
  const rules = readFileSync(join(files, 'rules.yaml'), 'utf8')
  const recorded = new Set([...rules.matchAll(/record: (\S+)/g)].map(([, name]) => name))
  const text = readFileSync(join(files, source), 'utf8').replaceAll('\\"', '"')
  const told = await everythingTold()
  const unknown: string[] = []
  const asked = [
    ...text.matchAll(/\b(parley:[\w:]+|[a-z]\w*_(?:total|count|bucket|sum|seconds|bytes))\b(?:\{([^}]*)\})?/g),
  ]
  for (const [, name = '', selector = ''] of asked) {
    if (recorded.has(name)) continue
    const series = told.get(name) ?? told.get(`${name}_count`)
    if (!series) unknown.push(name)
    for (const [, label = ''] of selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g))
      if (series && !series.labels.has(label) && !fromScraping.includes(label)) unknown.push(`${name}{${label}}`)
  }
  expect(asked.length).toBeGreaterThan(5)
  expect([...new Set(unknown)]).toEqual([])
})
