import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@parley/local/paths'
import { freePort } from '@parley/service-kit/testing/free-port'
import { medianOf, spread, table } from './auth/statistics.ts'

/**
 * `npm run bench:start`: how long a newcomer waits. Clones what is committed into an empty folder, installs, starts until the launcher
 * says where to open the app, stops, and starts again several times. Programs are obtained anew, packages come from npm's cache
 * where it has them.
 */
const restarts = 5
const goalSeconds = { 'first start': 30, restart: 5, 'install + first start': 120 }

const home = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const checkout = join(home, 'parley')
/** The shell's environment without anything that names a server or a folder of Parley. */
const named = ['MONGODB_URL', 'REDIS_URL', 'OIDC_ISSUER', 'SMTP_URL', 'PARLEY_HOME', 'NODE_ENV', 'NODE_COMPILE_CACHE']
const kept = Object.entries(process.env).filter(([name]) => !named.includes(name) && !name.startsWith('npm_'))
const env = { ...Object.fromEntries(kept), PORT: String(await freePort()) }
try {
  execFileSync('git', ['clone', '--quiet', repoRoot, checkout])
  const install = await secondsUntil(run(['ci']), 'exit')
  const first = await startAndStop()
  const again: number[] = []
  while (again.length < restarts) again.push(await startAndStop())
  report({ install, 'first start': first, restart: medianOf(again), 'install + first start': install + first })
  console.log(`restart: ${spread(again, 1)} s; load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`)
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** @returns seconds from the command to the line that says where to open the app. */
async function startAndStop(): Promise<number> {
  const started = run(['start'])
  const ended = new Promise<void>((resolve) => started.child.once('close', () => resolve()))
  const seconds = await secondsUntil(started, /^Open http/m)
  if (started.child.pid) process.kill(-started.child.pid, 'SIGINT')
  await ended
  return seconds
}

/** @throws with what was printed where it ends otherwise. */
function secondsUntil({ child, output }: ReturnType<typeof run>, what: 'exit' | RegExp): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const done = () => resolve((performance.now() - startedAt) / 1000)
    child.stdout?.on('data', () => what !== 'exit' && what.test(output()) && done())
    child.once('close', (code) =>
      what === 'exit' && code === 0 ? done() : reject(new Error(`npm ended with code ${code}:\n${output()}`)),
    )
  })
}

/** npm in the fresh checkout, in a process group of its own. */
function run(args: readonly string[]): { child: ChildProcess; output: () => string } {
  let text = ''
  const child = spawn('npm', args, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk))
  return { child, output: () => text }
}

function report(seconds: Readonly<Record<'install' | keyof typeof goalSeconds, number>>): void {
  const goals = Object.entries(goalSeconds).map(([name, goal]) => {
    const taken = seconds[name === 'restart' || name === 'first start' ? name : 'install + first start']
    return { name, seconds: Math.round(taken * 10) / 10, goal, ratio: Math.round((taken / goal) * 100) / 100 }
  })
  const rows = goals.map(({ name, seconds: taken, goal, ratio }) => [
    name,
    `${taken} s`,
    `≤ ${goal} s`,
    ratio <= 1 ? 'met' : 'missed',
  ])
  console.log(table([['what', 'time', 'goal', ''], ['npm ci', `${seconds.install.toFixed(1)} s`, '', ''], ...rows]))
  mkdirSync(join(repoRoot, '.parley'), { recursive: true })
  writeFileSync(join(repoRoot, '.parley/bench-start.json'), `${JSON.stringify(goals, null, 2)}\n`)
}
