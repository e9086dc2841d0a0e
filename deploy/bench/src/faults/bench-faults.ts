import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { goTool } from '@parley/ci/tools/programs'
import { people, type Step, visitors } from '@parley/k6/step'
import { repoRoot } from '@parley/local/paths'
import { table } from '../auth/statistics.ts'
import { loadNow, log } from '../report.ts'
import { faultsOf, quiet, runFault } from './faults.ts'
import { type Rig, startRig } from './rig.ts'
import { startSteadyLoad } from './steady-load.ts'
import { compareWrites, resultOf, type Stored, staleReads, type Window } from './verdict.ts'

/**
 * `npm run bench:faults`: breaks one thing after the other under a small cluster that k6 keeps busy, and says what people noticed.
 * `--kills 50` is the full run; what is missing of k6 and toxiproxy is built with Go.
 */
const { values: flags } = parseArgs({ options: { kills: { type: 'string', default: '6' } } })
const kills = Number(flags.kills)
const baselineMs = 15_000

for (const program of ['k6', 'toxiproxy-server'] as const) {
  const missing = goTool(program)
  if (missing) throw new Error(missing)
}
console.log(`load before the run ${loadNow()}; ${kills} kills of each kind`)
const rig = await startRig()
try {
  const { windows, steps, before, after } = await run(rig)
  const passed = report(windows, steps, compareWrites(steps, before, after))
  process.exitCode = passed ? 0 : 1
} finally {
  const logs = join(repoRoot, '.parley/bench-faults-logs')
  cpSync(rig.folder, logs, { recursive: true, filter: (file) => !/mongodb-\d$|site$/.test(file) })
  await rig.stop()
}

async function run({ target, folder, stored, ...rest }: Rig) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...target }
  const load = startSteadyLoad({ ...env, RUN_ID: Math.random().toString(36).slice(2, 10) }, folder)
  try {
    await load.until((steps) => countOf(steps, 'sign-in') >= people + visitors)
    const before = (await stored()).filter(({ version }) => version > 0)
    if (load.steps().some(({ name }) => name === 'write')) throw new Error('writes began before the store was read')
    await load.until((steps) => countOf(steps, 'write') >= people)
    const windows = [await quiet('nothing', baselineMs)]
    for (const fault of faultsOf({ target, folder, stored, ...rest }, kills)) {
      log(`${fault.name} …`)
      windows.push(await runFault(fault))
    }
    // Whoever was signed out without being asked is asked once more.
    windows.push(await quiet('nothing, at the end', baselineMs))
    await load.stop()
    return { windows, steps: load.steps(), before: ownOf(before, load.steps()), after: await stored() }
  } finally {
    await load.stop()
  }
}

/** Those of the stored profiles that somebody writes; visitors come and go. */
function ownOf(stored: readonly Stored[], steps: readonly Step[]): Stored[] {
  const writers = new Set(steps.flatMap(({ name, email }) => (name === 'write' ? [email] : [])))
  const own = stored.filter(({ email }) => writers.has(email))
  if (own.length !== people) throw new Error(`${own.length} of ${people} writers were in the store at the beginning`)
  return own
}

function countOf(steps: readonly Step[], name: Step['name']): number {
  return new Set(steps.flatMap((step) => (step.name === name && step.outcome === 'ok' ? [step.email] : []))).size
}

function report(windows: readonly Window[], steps: readonly Step[], ledger: ReturnType<typeof compareWrites>): boolean {
  const results = windows.map((window) => resultOf(window, steps))
  const percent = (share: number | undefined) => (share === undefined ? '' : `${(share * 100).toFixed(1)} %`)
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const rows = results.map(({ name, steps: count, errorRate, byStep, recoveryMs, afterLiftedMs }) => [
    name,
    String(count),
    percent(errorRate),
    ...(['sign-in', 'session check', 'user', 'write'] as const).map((step) => percent(byStep[step])),
    seconds(recoveryMs.median),
    seconds(recoveryMs.longest),
    seconds(afterLiftedMs),
  ])
  const head = [
    'fault',
    'steps',
    'errors',
    'sign-in',
    'session',
    'user',
    'write',
    'recovery',
    'longest',
    'after lifted',
  ]
  console.log(`\n${table([head, ...rows])}\n`)
  const count = (outcome: Step['outcome']) => steps.filter((step) => step.outcome === outcome)
  const verdicts = [
    { name: 'nobody was signed out', bad: count('signed out') },
    { name: 'nothing right was refused as wrong', bad: count('refused') },
    { name: "nobody saw wrong or somebody else's content", bad: count('wrong') },
    { name: `no acknowledged write was lost (${ledger.acknowledged} of ${ledger.begun})`, bad: ledger.lost },
    { name: `no write was stored twice (${ledger.unknown} had no answer)`, bad: ledger.doubled },
  ]
  for (const { name, bad } of verdicts) {
    console.log(`${bad.length === 0 ? '✓' : '✗'} ${name}`)
    for (const one of bad.slice(0, 5)) console.log(`    ${typeof one === 'string' ? one : JSON.stringify(one)}`)
  }
  const stale = staleReads(steps)
  console.log(`Reads that showed less than the last acknowledged write: ${stale}`)
  console.log(`load after the run ${loadNow()}`)
  const result = {
    kills,
    faults: results,
    writes: ledger,
    staleReads: stale,
    verdicts: verdicts.map(({ name, bad }) => ({ name, held: bad.length === 0 })),
  }
  mkdirSync(join(repoRoot, '.parley'), { recursive: true })
  writeFileSync(join(repoRoot, '.parley/bench-faults.json'), `${JSON.stringify(result, null, 2)}\n`)
  return verdicts.every(({ bad }) => bad.length === 0)
}
