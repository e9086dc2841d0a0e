import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repoRoot } from '@parley/local/paths'
import { freePort } from '@parley/service-kit/testing/free-port'
import { report } from '../report.ts'

/**
 * `npm run bench -- start`: how long a newcomer waits. Clones what is committed into an empty folder, installs, starts until the launcher
 * says where to open the app, stops, and starts again several times. Programs are obtained again, packages come from npm's cache
 * where it has them.
 */
const { values: flags } = parseArgs({ options: { restarts: { type: 'string', default: '5' } } })
const home = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const checkout = join(home, 'parley')
/** The shell's environment without anything that names a server or a folder of Parley. */
const named = ['MONGODB_URL', 'REDIS_URL', 'OIDC_ISSUER', 'SMTP_URL', 'PARLEY_HOME', 'NODE_ENV', 'NODE_COMPILE_CACHE']
const kept = Object.entries(process.env).filter(([name]) => !named.includes(name) && !name.startsWith('npm_'))
const env = { ...Object.fromEntries(kept), PORT: String(await freePort()) }
try {
  execFileSync('git', ['clone', '--quiet', repoRoot, checkout])
  const install = await secondsOf('ci')
  const first = await secondsOf('start', /^Open http/m)
  const again: number[] = []
  while (again.length < Number(flags.restarts)) again.push(await secondsOf('start', /^Open http/m))
  report([
    { name: 'npm ci', values: [install], unit: 's' },
    { name: 'first start', values: [first], unit: 's', goal: { atMost: 30 } },
    { name: 'restart', values: again, unit: 's', goal: { atMost: 5 } },
    { name: 'install + first start', values: [install + first], unit: 's', goal: { atMost: 120 } },
  ])
} finally {
  rmSync(home, { recursive: true, force: true })
}

/**
 * Runs npm in the fresh checkout, in a process group of its own.
 * @returns seconds until it has printed a line, after which it is stopped; without one, until it has ended.
 * @throws with what it printed where it ends otherwise.
 */
async function secondsOf(command: string, line?: RegExp): Promise<number> {
  const startedAt = performance.now()
  const child = spawn('npm', [command], { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let text = ''
  const printed = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        text += chunk
        if (line?.test(text)) resolve()
      })
  })
  const closed = once(child, 'close')
  const ended = await Promise.race([printed, closed])
  const seconds = (performance.now() - startedAt) / 1000
  if (ended && (line || ended[0] !== 0)) throw new Error(`npm ${command} ended with code ${ended[0]}:\n${text}`)
  if (child.pid && !ended) process.kill(-child.pid, 'SIGINT')
  await closed
  return seconds
}
