import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { table } from '@parley/local/report'
import { freePort } from '@parley/service-kit/testing/free-port'
import { type Measurement, measurement, medianOf, spreadOf } from './measurement.ts'

/**
 * `npm run bench:start`: how long a newcomer waits. Clones what is committed into an empty folder, installs, starts until the launcher
 * says where to open the app, stops, and starts again several times. Programs are obtained anew, packages come from npm's cache
 * where it has them.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url))
const restarts = 5
const goals = { firstStart: 30, restart: 5, installAndFirstStart: 120 }

const home = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const checkout = join(home, 'parley')
const environment = await newcomersEnvironment()
try {
  console.log(describeLoad('before'))
  execFileSync('git', ['clone', '--quiet', root, checkout])
  const install = await installPackages()
  console.log(`npm ci: ${install.toFixed(1)} s`)
  const first = await startAndStop()
  console.log(`first npm start: ${first.toFixed(1)} s`)
  const again: number[] = []
  while (again.length < restarts) again.push(await startAndStop())
  console.log(describeLoad('after'))
  report([
    { name: 'install', seconds: install },
    measurement('first start', first, goals.firstStart),
    { ...measurement('restart', medianOf(again), goals.restart), spread: spreadOf(again) },
    measurement('install + first start', install + first, goals.installAndFirstStart),
  ])
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** The shell's environment without anything that names a server or a folder of Parley. */
async function newcomersEnvironment(): Promise<NodeJS.ProcessEnv> {
  const named = ['MONGODB_URL', 'REDIS_URL', 'OIDC_ISSUER', 'SMTP_URL', 'PARLEY_HOME', 'NODE_ENV', 'NODE_COMPILE_CACHE']
  const kept = Object.entries(process.env).filter(([name]) => !named.includes(name) && !name.startsWith('npm_'))
  return { ...Object.fromEntries(kept), PORT: String(await freePort()) }
}

async function installPackages(): Promise<number> {
  const startedAt = performance.now()
  const { child, output } = run(['ci'])
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`npm ci failed:\n${output()}`)
  return (performance.now() - startedAt) / 1000
}

/** @returns seconds from the command to the line that says where to open the app. */
async function startAndStop(): Promise<number> {
  const startedAt = performance.now()
  const { child, output } = run(['start'])
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ready = new Promise<number>((resolve) => {
    child.stdout?.on('data', () => {
      if (/^Open http/m.test(output())) resolve((performance.now() - startedAt) / 1000)
    })
  })
  const failed = ended.then(() => Promise.reject(new Error(`npm start ended:\n${output()}`)))
  const seconds = await Promise.race([ready, failed])
  // The end is wanted from here on.
  failed.catch(() => {})
  if (child.pid) process.kill(-child.pid, 'SIGINT')
  await ended
  return seconds
}

/** npm in the fresh checkout, in a process group of its own. */
function run(args: readonly string[]): { child: ChildProcess; output: () => string } {
  let text = ''
  const child = spawn('npm', args, {
    cwd: checkout,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk))
  return { child, output: () => text }
}

function report(measurements: readonly Measurement[]): void {
  const rows = measurements.map(({ name, seconds, goal, ratio, spread }) => [
    name,
    `${seconds.toFixed(1)} s`,
    spread ?? '',
    goal === undefined ? '' : `≤ ${goal} s`,
    ratio === undefined ? '' : ratio <= 1 ? `met (${ratio.toFixed(2)})` : `missed (${ratio.toFixed(2)})`,
  ])
  console.log(`\n${table(['What', 'Time', 'Spread', 'Goal', 'Goal met'], rows)}`)
  const withGoals = measurements.flatMap(({ name, ratio, goal, seconds }) =>
    ratio === undefined ? [] : [{ name, ratio, goal, seconds }],
  )
  mkdirSync(join(root, '.parley'), { recursive: true })
  writeFileSync(join(root, '.parley/bench-start.json'), `${JSON.stringify(withGoals, null, 2)}\n`)
}

function describeLoad(when: string): string {
  const [minute = 0, five = 0] = loadavg()
  return `Load ${when}: ${minute.toFixed(1)} (1 min), ${five.toFixed(1)} (5 min) on ${availableParallelism()} cores`
}
