import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@parley/service-kit/testing/free-port'
import { inject, vi } from 'vitest'
import { patience } from './contract/calls.ts'
import type { ContractTarget } from './contract/target.ts'

export const script = new URL('../server.ts', import.meta.url).pathname

/** Starts the stand-in in a process of a test's own, which the test may kill and start again on the same data. */
export async function launchProvider({ smtpUrl, logoutPort }: { smtpUrl: string; logoutPort: number }) {
  const { urls } = inject('stack')
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-idp-'))
  const secrets = {
    web: 'contract-bff-web-secret',
    password: 'contract-bff-password-secret',
    identity: 'contract-svc-identity-secret',
  }
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    PORT: String(port),
    ISSUER_ORIGIN: origin,
    DATA_DIR: dataDir,
    SMTP_URL: smtpUrl,
    PUBLIC_ORIGIN: urls.app,
    BFF_WEB_SECRET: secrets.web,
    BFF_PASSWORD_SECRET: secrets.password,
    SVC_IDENTITY_SECRET: secrets.identity,
    BACKCHANNEL_URL: `http://127.0.0.1:${logoutPort}/auth/backchannel-logout`,
  }
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'inherit', 'inherit'] })
    await vi.waitFor(async () => {
      if (!(await fetch(`${origin}/readyz`)).ok) throw new Error('the identity provider is not ready')
    }, patience)
  }

  async function kill(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  async function stop(): Promise<void> {
    await kill('SIGTERM')
    rmSync(dataDir, { recursive: true, force: true })
  }

  await start()
  const target: ContractTarget = {
    issuer: `${origin}/realms/parley`,
    secrets,
    publicOrigin: urls.app,
    mailUrl: urls.mail,
  }
  return { origin, target, dataDir, env, start, kill, stop }
}
