import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { startProcess } from '@parley/service-kit/testing/start-process'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { createBrowser } from './browser.ts'
import { newAddress } from './mailbox.ts'
import { buildSite } from './start-bff.ts'

vi.setConfig({ testTimeout: 90_000 })

const { env, repoRoot } = inject('stack')

test('a call that never ends and a connection that is always busy do not keep the process from an orderly stop', async () => {
  const site = buildSite()
  onTestFinished(() => rmSync(site, { recursive: true }))
  const settings = { ...env.bff, STATIC_DIR: site, MANAGEMENT_PORT: '0' }
  const bff = await startProcess(join(repoRoot, 'bff/src/server.ts'), settings, '/readyz')
  const browser = createBrowser(bff.url, env.bff['PUBLIC_ORIGIN'] ?? '')
  await browser.signUp(newAddress(), 'correct horse')
  const { authorization } = await browser.bearer()

  const { hostname, port } = new URL(bff.url)
  const headers = { cookie: browser.cookie(), authorization, 'x-csrf': '1', 'sec-fetch-site': 'same-origin' }
  const endless = request({ hostname, port, method: 'PATCH', path: '/api/auth/profile', headers })
  endless.on('error', () => undefined).write('{"firstName":"')
  const trickle = setInterval(() => endless.write('x'), 200)
  let busy = true
  const asking = (async () => {
    while (busy) await fetch(`${bff.url}/healthz`).catch(() => undefined)
  })()
  onTestFinished(async () => {
    clearInterval(trickle)
    endless.destroy()
    busy = false
    await asking
  })
  // Killed at the stop limit it would end with another code.
  expect(await bff.stop()).toBe(0)
})
