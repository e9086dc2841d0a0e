import { parseArgs } from 'node:util'
import { withCleanUp } from '../program.ts'
import { loadNow, log, table } from '../report.ts'
import { faultsOf, quiet, runFault } from './faults.ts'
import { type Rig, startRig } from './rig.ts'
import { createSteadyLoad } from './steady-load.ts'
import { compareWrites, resultOf, type Step, staleReads, type Window } from './verdict.ts'

/**
 * `npm run bench -- faults`: breaks one thing after the other under a small cluster that is kept busy, and says what people noticed.
 * `--kills 50` is the full run.
 */
const { values: flags } = parseArgs({ options: { kills: { type: 'string', default: '6' } } })
const kills = Number(flags.kills)
const baselineMs = 15_000

console.log(`load before the run ${loadNow()}; ${kills} kills of each kind`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const rig = await startRig(cleanUp)
  const { writers, steps, start } = await createSteadyLoad(rig.stack.urls.app)
  const before = (await rig.stored()).filter(({ email }) => writers.has(email))
  if (before.length !== writers.size) throw new Error(`${before.length} of ${writers.size} writers are in the store`)
  const windows = await withCleanUp((load) => {
    load.use(start())
    return runFaults(rig)
  })
  const ledger = compareWrites(steps, before, await rig.stored())
  console.log(`\n${faultTable(windows, steps)}\n`)
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
  console.log(`Reads that showed less than the last acknowledged write: ${staleReads(steps)}`)
  console.log(`load after the run ${loadNow()}`)
  process.exitCode = verdicts.every(({ bad }) => bad.length === 0) ? 0 : 1
}

async function runFaults(rig: Rig): Promise<Window[]> {
  const found = [await quiet('nothing', baselineMs)]
  for (const [name, fault] of Object.entries(faultsOf(rig, kills))) {
    log(`${name} …`)
    found.push(await runFault(name, fault))
  }
  // A user who was signed out but not asked since is asked once more.
  found.push(await quiet('nothing, at the end', baselineMs))
  return found
}

function faultTable(found: readonly Window[], steps: readonly Step[]): string {
  const percent = (share: number | undefined) => (share === undefined ? '' : `${(share * 100).toFixed(1)} %`)
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const rows = found.map((window) => {
    const { steps: ended, errorRate, byStep, recoveryMs, afterLiftedMs } = resultOf(window, steps)
    return [
      ...[window.name, String(ended), percent(errorRate)],
      ...['sign-in', 'session check', 'user', 'write'].map((step) => percent(byStep[step])),
      ...[recoveryMs.median, recoveryMs.longest, afterLiftedMs].map(seconds),
    ]
  })
  const byStep = ['sign-in', 'session', 'user', 'write']
  return table([['fault', 'steps', 'errors', ...byStep, 'recovery', 'longest', 'after lifted'], ...rows])
}
