import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startCollector } from '@parley/service-kit/testing/collector'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startProcess } from '@parley/service-kit/testing/start-process'
import { inject, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { createBrowser } from './browser.ts'
import { newAddress } from './mailbox.ts'
import { forThisTest } from './running.ts'
import { buildSite } from './start-bff.ts'

/** Each test starts and stops three processes, on a machine that may be busy. */
vi.setConfig({ testTimeout: 120_000 })

const { env, repoRoot } = inject('stack')
const file = (path: string) => join(repoRoot, path)

/** Starts BFF, profile and identity as processes that trace to `endpoint`, or not at all. */
async function startTraced(more: Record<string, string>) {
  const managementPort = await freePort()
  const keys = { INTERNAL_ISSUERS: `bff=http://127.0.0.1:${managementPort}/internal/jwks.json` }
  const [profile, identity] = await Promise.all([
    startProcess(file('services/profile/src/server.ts'), { ...env.profile, ...keys, ...more }, '/readyz'),
    startProcess(file('services/identity/src/server.ts'), { ...env.identity, ...keys, ...more }, '/readyz'),
  ])
  const site = buildSite()
  const parts = { PROFILE_URL: profile.url, IDENTITY_URL: identity.url, STATIC_DIR: site }
  const settings = { ...env.bff, ...more, ...parts, MANAGEMENT_PORT: String(managementPort) }
  const bff = await startProcess(file('bff/src/server.ts'), settings, '/readyz')
  let stopped: Promise<unknown> | undefined
  const stop = () => {
    stopped ??= Promise.all([bff, profile, identity].map((part) => part.stop()))
    return stopped
  }
  onTestFinished(async () => {
    await stop()
    rmSync(site, { recursive: true })
  })
  const { PUBLIC_ORIGIN = '' } = env.bff
  return {
    browser: () => createBrowser(bff.url, PUBLIC_ORIGIN),
    logs: () => [bff, profile, identity].map(({ output }) => output()).join('\n'),
    stop,
  }
}

const lineSchema = z.record(z.string(), z.unknown())
const logLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => lineSchema.parse(JSON.parse(line)))

/** Writes at exit how many modules of OpenTelemetry the process has loaded, without the bare types that prom-client needs. */
const countModules =
  'import { Module } from "node:module";process.on("exit",()=>console.error("telemetry modules:",' +
  'Object.keys(Module._cache).filter((name) => /@opentelemetry.(?!api.)/.test(name)).length))'
const counting = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(countModules)}` }

test('a request is one trace, from the BFF over the services to stores and provider, and none of it tells a secret', async ({
  expect,
}) => {
  const collector = await forThisTest(startCollector())
  // Nothing is sent periodically: the spans that arrive were flushed at SIGTERM.
  const traced = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '3600000' })
  const [email, password, foreign] = [newAddress('traced'), `secret ${randomUUID()}`, 'a'.repeat(32)]
  const browser = traced.browser()
  await browser.signUp(email, password)
  await browser.signIn(email, password)
  const bearer = await browser.bearer()
  await browser.send('POST', '/auth/password-reset', {
    body: JSON.stringify({ email }),
    headers: { 'content-type': 'application/json' },
  })
  const answer = await browser.send('PATCH', '/api/auth/profile', {
    headers: { ...bearer, 'content-type': 'application/json', traceparent: `00-${foreign}-${'b'.repeat(16)}-01` },
    body: '{"firstName":"Ann"}',
  })
  expect(answer.status).toBe(200)
  expect((await browser.send('GET', '/healthz')).status).toBe(200)
  expect(collector.spans()).toEqual([])
  await traced.stop()

  const spans = collector.spans()
  const traceOf = (operation: string) => {
    const root = spans.find(({ name, parentSpanId }) => name === operation && !parentSpanId)
    return spans.filter(({ traceId }) => traceId === root?.traceId)
  }
  const steps = (operation: string) => new Set(traceOf(operation).map(({ service, name }) => `${service} ${name}`))
  const write = traceOf('profile.update')
  expect([...steps('profile.update')]).toEqual(
    expect.arrayContaining([
      'parley-bff profile.update',
      'parley-bff PATCH /api/auth/profile',
      'parley-profile profile.update',
      'parley-profile findOne users',
      'parley-profile findOneAndUpdate users',
      'parley-profile EVAL',
    ]),
  )
  // Every step is a child of another one in the same trace.
  const ids = new Set(write.map(({ spanId }) => spanId))
  expect(write.filter(({ parentSpanId }) => !parentSpanId)).toHaveLength(1)
  expect(write.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([])
  // The browser's own trace is linked to, and decides nothing.
  expect(write.find(({ parentSpanId }) => !parentSpanId)?.links.map(({ traceId }) => traceId)).toEqual([foreign])
  expect(spans.some(({ traceId }) => traceId === foreign)).toBe(false)

  expect([...steps('auth.signUp')]).toEqual(
    expect.arrayContaining([
      'parley-identity identity.createAccount',
      'parley-identity POST /admin/realms/parley/users',
      'parley-bff POST /realms/parley/protocol/openid-connect/token',
      'parley-profile profile.sessionContext',
    ]),
  )
  expect(spans.some(({ name }) => name.includes('health') || name.includes('static'))).toBe(false)

  for (const { traceId } of write) expect(traced.logs()).toContain(`"traceId":"${traceId}"`)
  const lines = traced
    .logs()
    .split('\n')
    .filter((line) => line.includes('"operation":"profile.update"'))
  expect(lines).toHaveLength(2)
  expect(lines.filter((line) => !line.includes(`"traceId":"${write[0]?.traceId}"`))).toEqual([])

  const page = readFileSync(file('deploy/docs/operations/observability.md'), 'utf8')
  const described = new Set([...page.matchAll(/^\| `(\w+)`/gm)].map(([, field]) => field))
  const written = new Set(logLines(traced.logs()).flatMap((line) => Object.keys(line)))
  expect(written.size).toBeGreaterThan(10)
  expect([...written].filter((field) => !described.has(field))).toEqual([])

  const sent = collector.text()
  const cookie = browser.cookie().split('=')[1] ?? ''
  const { OIDC_PASSWORD_CLIENT_SECRET = '', OIDC_WEB_CLIENT_SECRET = '' } = env.bff
  const { IDENTITY_CLIENT_SECRET = '' } = env.identity
  const secrets = [email, encodeURIComponent(email), password, cookie, OIDC_PASSWORD_CLIENT_SECRET]
  for (const secret of [...secrets, OIDC_WEB_CLIENT_SECRET, IDENTITY_CLIENT_SECRET, 'Ann']) {
    expect(secret.length).toBeGreaterThan(2)
    expect(sent.includes(secret)).toBe(false)
  }
  expect(sent).not.toMatch(/eyJ[\w-]+\.eyJ|Bearer|@example/)
})

test('without a collector nothing of OpenTelemetry is loaded', async ({ expect }) => {
  const untraced = await startTraced(counting)
  expect((await untraced.browser().send('GET', '/api/auth/user')).status).toBe(401)
  await untraced.stop()
  expect(untraced.logs().match(/telemetry modules: \d+/g)).toEqual(Array(3).fill('telemetry modules: 0'))
  expect(untraced.logs()).not.toContain('traceId')
})

test('a collector that is away costs nobody an answer, and is told', async ({ expect }) => {
  const profile = await startProcess(file('services/profile/src/server.ts'), {
    ...env.profile,
    ...counting,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  })
  onTestFinished(async () => void (await profile.stop()))
  expect((await fetch(`${profile.url}/api/auth/user`)).status).toBe(401)
  await profile.stop()
  expect(profile.output()).toContain('traces could not be sent')
  expect(profile.output()).toMatch(/telemetry modules: [1-9]/)
})
