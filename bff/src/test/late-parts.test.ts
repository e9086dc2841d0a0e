import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type BreakableLink, openBreakableLink } from '@parley/service-kit/testing/breakable-link'
import { freePort } from '@parley/service-kit/testing/free-port'
import { runToEnd, startProcess } from '@parley/service-kit/testing/start-process'
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { buildSite } from './start-bff.ts'

// Pauses between attempts grow.
vi.setConfig({ testTimeout: 90_000 })

const { env, repoRoot } = inject('stack')
const file = join(repoRoot, 'bff/src/server.ts')
const site = buildSite()
afterAll(() => rmSync(site, { recursive: true }))
const environment = { ...env.bff, STATIC_DIR: site, MANAGEMENT_PORT: '0' }

async function cutLink(url = ''): Promise<BreakableLink> {
  const link = await openBreakableLink(url)
  onTestFinished(link.close)
  link.cut()
  return link
}

test('parts that come late, one after the other: each is said and counted, and the last one makes it ready', async () => {
  const issuer = env.bff['OIDC_ISSUER'] ?? ''
  const links = {
    redis: await cutLink(env.bff['REDIS_URL']),
    'identity-provider': await cutLink(issuer),
    profile: await cutLink(env.bff['PROFILE_URL']),
    identity: await cutLink(env.bff['IDENTITY_URL']),
  }
  const at = (name: keyof typeof links) => `127.0.0.1:${links[name].port}`
  const bff = await startProcess(file, {
    ...environment,
    REDIS_URL: `redis://${at('redis')}`,
    OIDC_INTERNAL_ISSUER: `http://${at('identity-provider')}${new URL(issuer).pathname}`,
    PROFILE_URL: `http://${at('profile')}`,
    IDENTITY_URL: `http://${at('identity')}`,
  })
  onTestFinished(async () => void (await bff.stop()))
  const readiness = async () => {
    const answer = await fetch(`${bff.url}/readyz`)
    const body: unknown = await answer.json()
    return { status: answer.status, body }
  }
  const away = { ok: false, failedAttempts: expect.any(Number), nextAttemptInSeconds: expect.any(Number) }
  const parts: Record<string, unknown> = {}
  for (const name of Object.keys(links)) {
    parts[name] = away
    const line = new RegExp(`"failedAttempts":1,.*${name} does not answer yet; it is tried again in`)
    await expect.poll(bff.output).toMatch(line)
  }
  for (const [name, link] of Object.entries(links)) {
    expect(await readiness()).toEqual({ status: 503, body: { status: 'not ready', parts } })
    link.mend()
    parts[name] = { ok: true }
    await expect.poll(async () => (await readiness()).body).toMatchObject({ parts })
  }
  expect((await readiness()).status).toBe(200)
})

test('a stop signal while it waits for everything ends it cleanly', async () => {
  const nowhere = `127.0.0.1:${await freePort()}`
  const bff = await startProcess(file, {
    ...environment,
    REDIS_URL: `redis://${nowhere}`,
    PROFILE_URL: `http://${nowhere}`,
  })
  await expect.poll(bff.output).toContain('redis does not answer yet')
  expect(await bff.stop()).toBe(0)
})

test('credentials that Redis refuses stop the start: waiting is no use', async () => {
  const url = new URL(env.bff['REDIS_URL'] ?? '')
  url.username = 'nobody'
  url.password = 'hunter2'
  const { exitCode, output } = await runToEnd(file, { ...environment, PORT: '0', REDIS_URL: url.href })
  expect([exitCode, output]).toEqual([1, expect.stringContaining('Redis refuses the credentials of REDIS_URL')])
  expect(output).not.toContain('hunter2')
})

test.each(['PORT', 'MANAGEMENT_PORT'])('a %s in use is said with its name', async (name) => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  const { exitCode, output } = await runToEnd(file, { ...environment, PORT: '0', [name]: String(port) })
  other.close()
  expect([exitCode, output]).toEqual([1, expect.stringContaining(`port ${port} of 127.0.0.1 (${name}) is in use`)])
})
