import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toolsPath } from '@parley/ci/tools/folders'
import { goTool } from '@parley/ci/tools/programs'
import { repoRoot } from '@parley/local/paths'
import { Problem } from '@parley/local/problem'
import { localTarget, type Target } from './targets.ts'

/**
 * `make load SHAPE=smoke`: loads the sign-in path. TARGET is `local` (the running stack of this checkout, else one started for the
 * run), `compose`, or the origin of an app, with OIDC_ISSUER and ADMIN_CLIENT_SECRET then. A missing k6 is built with Go.
 * Ends with k6's exit code: 0 where every limit held, 99 where one did not.
 */
const target = process.env['TARGET'] || 'local'
const shape = process.env['SHAPE'] || 'smoke'
const reportDir = join(repoRoot, '.parley/load')
const folder = fileURLToPath(new URL('..', import.meta.url))
const runId = Math.random().toString(36).slice(2, 10)
const log = (line: string) => console.log(`  ${line}`)
/** No progress bars, and nothing is told to anybody. */
const quiet = ['--quiet', '--no-usage-report']
/** k6 writes its own web dashboard as one HTML page at the end, and serves it nowhere (port -1). */
const dashboard = (folder: string) => ({
  K6_WEB_DASHBOARD: 'true',
  K6_WEB_DASHBOARD_PORT: '-1',
  K6_WEB_DASHBOARD_PERIOD: '2s',
  K6_WEB_DASHBOARD_EXPORT: `${folder}/${shape}.html`,
})

let running: ChildProcess | undefined
const asked = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Later the stack has to stay until k6 has ended.
    if (!running) asked.abort()
    // A Ctrl-C reaches k6 by itself, and a second one would keep it from removing its accounts.
    if (signal === 'SIGTERM') running?.kill('SIGTERM')
  })
}

process.exitCode = await (target === 'compose' ? runInCompose() : runOnThisMachine()).catch((error: unknown) => {
  if (!(error instanceof Problem)) throw error
  console.error(`✘ ${error.message}`)
  return 1
})

async function runOnThisMachine(): Promise<number> {
  const missing = goTool('k6')
  if (missing) {
    console.error(`✘ ${missing}. k6 v1.8.1 or newer is needed: https://grafana.com/docs/k6/latest/set-up/install-k6/`)
    return 1
  }
  mkdirSync(reportDir, { recursive: true })
  const chosen: Target = target === 'local' ? await localTarget(log, asked.signal) : { env: {}, stop: async () => {} }
  const env = { ...process.env, ...chosen.env, PATH: toolsPath, RUN_ID: runId, SHAPE: shape }
  try {
    if (asked.signal.aborted) return 1
    const code = await run('k6', ['run', ...quiet, join(folder, 'sign-in.ts')], { ...env, ...dashboard(reportDir) })
    // What k6 itself could not remove: it was killed, or the provider was away at the end.
    await run('k6', ['run', ...quiet, join(folder, 'remove-users.ts')], env)
    logReport(reportDir, code)
    return code
  } finally {
    await chosen.stop()
  }
}

/** The service `k6` of the profile `load` knows target and secret. */
async function runInCompose(): Promise<number> {
  const reports = join(reportDir, 'compose')
  mkdirSync(reports, { recursive: true })
  // The container writes as a user of its own.
  chmodSync(reports, 0o777)
  const settings = Object.entries({ SHAPE: shape, RUN_ID: runId, ...dashboard('/reports') })
  const given = settings.flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const command = ['compose', '--profile', 'load', 'run', '--rm', ...given, '-v', `${reports}:/reports`, 'k6']
  const code = await run('docker', command)
  logReport(reports, code)
  return code
}

function logReport(folder: string, code: number): void {
  if (code === 0 || code === 99) log(`Charts: ${folder}/${shape}.html`)
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const child = spawn(command, args, { env, cwd: repoRoot, stdio: 'inherit' })
  running = child
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`✘ ${command}: ${error.message}`)
      resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
}
