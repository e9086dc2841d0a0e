import { createServer } from 'node:net'
import { openBreakableLink } from '@parley/service-kit/testing/breakable-link'
import { freePort } from '@parley/service-kit/testing/free-port'
import { runToEnd, startProcess } from '@parley/service-kit/testing/start-process'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { serverFile } from './start-identity.ts'

// Pauses between attempts grow.
vi.setConfig({ testTimeout: 60_000 })

const { env } = inject('stack')

test('a provider that comes late: said, its next attempt shown, ready without a restart', async () => {
  const issuer = new URL(env.identity['OIDC_ISSUER'] ?? '')
  const link = await openBreakableLink(issuer.origin)
  onTestFinished(link.close)
  link.cut()
  issuer.port = String(link.port)
  const identity = await startProcess(serverFile, { ...env.identity, OIDC_ISSUER: issuer.href })
  onTestFinished(async () => void (await identity.stop()))
  const readiness = async () => {
    const answer = await fetch(`${identity.url}/readyz`)
    const body: unknown = await answer.json()
    return { status: answer.status, body }
  }
  await expect
    .poll(identity.output)
    .toMatch(/"failedAttempts":2,.*identityProvider does not answer yet; it is tried again in/)
  const identityProvider = { failedAttempts: expect.any(Number), nextAttemptInSeconds: expect.any(Number) }
  expect(await readiness()).toMatchObject({
    status: 503,
    body: { parts: { identityProvider: 'down' }, retries: { identityProvider } },
  })
  link.mend()
  await expect.poll(readiness).toEqual({
    status: 200,
    body: { status: 'ready', parts: { identityProvider: 'ok' } },
  })
  await expect.poll(identity.output).toContain('identityProvider answers now')
})

test('a port in use is said with its name', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  const { exitCode, output } = await runToEnd(serverFile, { ...env.identity, PORT: String(port) })
  other.close()
  expect([exitCode, output]).toEqual([1, expect.stringContaining(`port ${port} of 127.0.0.1 (PORT) is in use`)])
})
