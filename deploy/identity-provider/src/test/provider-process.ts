import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@parley/service-kit/testing/free-port'
import { waitFor } from './contract/wait-for.ts'

const script = new URL('../server.ts', import.meta.url).pathname

export const clientSecrets = {
  web: 'contract-bff-web-secret',
  password: 'contract-bff-password-secret',
  identity: 'contract-svc-identity-secret',
}

/** A provider process of a test's own, which the test may kill and start again on the same data. */
export async function launchProvider(settings: { smtpUrl: string; logoutPort: number; publicOrigin: string }) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-idp-'))
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    PORT: String(port),
    ISSUER_ORIGIN: origin,
    DATA_DIR: dataDir,
    SMTP_URL: settings.smtpUrl,
    PUBLIC_ORIGIN: settings.publicOrigin,
    BFF_WEB_SECRET: clientSecrets.web,
    BFF_PASSWORD_SECRET: clientSecrets.password,
    SVC_IDENTITY_SECRET: clientSecrets.identity,
    BACKCHANNEL_URL: `http://127.0.0.1:${settings.logoutPort}/auth/backchannel-logout`,
  }
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'inherit', 'inherit'] })
    const own = child
    await waitFor('the identity provider', async () => {
      if (own.exitCode !== null) throw new Error(`The identity provider ended with ${own.exitCode}`)
      const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
      return answer?.ok ? true : undefined
    })
  }

  async function kill(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  await start()
  return {
    origin,
    issuer: `${origin}/realms/parley`,
    dataDir,
    env,
    start,
    kill,
    stop: async () => {
      await kill('SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
