import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolsPath } from '@parley/ci/tools/folders'
import { goTool } from '@parley/ci/tools/programs'
import { lockHolder } from '@parley/local/lock'
import { defaultDataDir, repoRoot, stackPaths } from '@parley/local/paths'
import { startStack } from '@parley/local/stack'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { z } from 'zod'

/**
 * `make load SHAPE=smoke`: k6 on what TARGET and its companions name; without, on the running stack of this checkout, else on one
 * started for the run. A missing k6 is built with Go. Ends with k6's exit code: 0 where every limit held, 99 where one did not.
 */
const log = (line: string) => console.log(`  ${line}`)
const asked = new AbortController()
let running: ChildProcess | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    asked.abort()
    // A Ctrl-C reaches k6 by itself, and a second one would keep it from removing its accounts.
    if (signal !== 'SIGINT') running?.kill('SIGTERM')
  })

const missing = goTool('k6')
if (missing) {
  console.error(`✘ ${missing}. See https://grafana.com/docs/k6/latest/set-up/install-k6/`)
  process.exit(1)
}
const target = process.env['TARGET'] ? undefined : (runningStack() ?? (await ownStack()))
const shape = process.env['SHAPE'] || 'smoke'
const runId = Math.random().toString(36).slice(2, 10)
mkdirSync(join(repoRoot, '.parley/load'), { recursive: true })
const page = join(repoRoot, `.parley/load/${shape}.html`)
// k6 writes its own dashboard as one page at the end, and serves it nowhere.
const dashboard = { K6_WEB_DASHBOARD: 'true', K6_WEB_DASHBOARD_PORT: '-1', K6_WEB_DASHBOARD_EXPORT: page }
const env = { ...process.env, ...target?.env, PATH: toolsPath, RUN_ID: runId }
try {
  process.exitCode = await k6('sign-in.ts', { ...env, ...dashboard })
  // Removes what k6 itself could not: it was killed, or the provider was away at the end.
  await k6('remove-users.ts', env)
  log(`Charts: ${page}`)
} finally {
  await target?.stop()
}

async function k6(script: string, env: NodeJS.ProcessEnv): Promise<number> {
  const file = join(import.meta.dirname, '..', script)
  running = spawn('k6', ['run', '--quiet', '--no-usage-report', file], { env, cwd: repoRoot, stdio: 'inherit' })
  const [code] = await once(running, 'close')
  return Number(code ?? 1)
}

type Addresses = Readonly<Record<'app' | 'identity' | 'simulator', string>>

function told({ app, identity, simulator }: Addresses, { svcIdentitySecret }: { readonly svcIdentitySecret: string }) {
  return { TARGET: app, OIDC_ISSUER: identity, ADMIN_CLIENT_SECRET: svcIdentitySecret, SIMULATOR: simulator }
}

function runningStack() {
  const { lock, urls, secrets } = stackPaths(defaultDataDir)
  if (typeof lockHolder(lock) !== 'number' || !existsSync(urls) || !existsSync(secrets)) return undefined
  const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
  const addresses = z.object({ app: z.string(), identity: z.string(), simulator: z.string() }).parse(read(urls))
  log(`The stack that runs here is used: ${addresses.app}`)
  const secret = z.object({ svcIdentitySecret: z.string() }).parse(read(secrets))
  return { env: told(addresses, secret), stop: async () => {} }
}

async function ownStack() {
  log('No stack runs here: one is started for this run alone.')
  const named = { OIDC_ISSUER: '', MONGODB_URL: '', REDIS_URL: '', SMTP_URL: '', NODE_ENV: '' }
  const stack = await startStack({
    dataDir: throwAwayFolder(),
    throwAway: true,
    signal: asked.signal,
    // The lifetime is so short that a smoke run sees a renewal; the app hands out no token that lives for less than 90 s.
    env: { 'identity-provider': { TOKEN_LIFESPAN_SECONDS: '100' } },
    // The sample data of each account would cost seconds of all cores.
    environment: { ...process.env, ...named, SAMPLE_DATA: 'off' },
    onProgress: (progress) => {
      if (progress.kind === 'note') log(progress.line)
      if (progress.kind === 'failed') log(progress.problem.message)
    },
  })
  return { env: told(stack.urls, stack.secrets), stop: stack.stop }
}
