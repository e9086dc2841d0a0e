import { parseArgs } from 'node:util'
import { cpuMicroseconds } from '../machine.ts'
import { withCleanUp } from '../program.ts'
import { loadNow, log, type Measure, report } from '../report.ts'
import { createBareLoop } from './bare-loop.ts'
import { measureLists } from './lists.ts'
import { startRig, texts } from './rig.ts'
import { measureSweeps } from './waits.ts'

/**
 * `npm run bench -- automation [--short] [--waits <most sessions that wait>] [--sweeps] [--lists] [--profiles <folder>]`: inputs that one worker answers beside a bare loop with the
 * same reads, writes and calls, and beside two workers, in turns; and what sweeps look at while very many sessions wait. Messaging is in
 * memory. With `--sweeps` sweeps alone are
 * measured, and with `--lists` lists and figures over so many runs alone, which for a million takes some minutes. With `--profiles` each worker leaves a CPU profile, and work is counted by collection. Steps through business hours are in `bench -- flow`.
 */
const { values: flags } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    waits: { type: 'string', default: '100000' },
    sweeps: { type: 'boolean', default: false },
    lists: { type: 'boolean', default: false },
    profiles: { type: 'string' },
  },
})
const workspaces = 8
/** Customers in hundreds: no page of events has a customer twice. */
const plan = flags.short
  ? { warmUp: 100, customers: 100, rounds: 1, waits: [1000, 2000], due: 100 }
  : {
      warmUp: 100,
      customers: 400,
      rounds: flags.sweeps || flags.lists ? 0 : 5,
      waits: sizesUpTo(Number(flags.waits)),
      due: 500,
    }

/** Returns 10,000, 100,000 and so on, up to a number. */
function sizesUpTo(most: number): number[] {
  const sizes = [10_000, 100_000, 1_000_000].filter((size) => size < most)
  return [...sizes, most]
}

console.log(
  `load before the run ${loadNow()}; ${workspaces} workspaces, ${plan.customers} customers each, ${plan.rounds} rounds`,
)
await withCleanUp(run)

type Collections = Awaited<ReturnType<Awaited<ReturnType<typeof startRig>>['used']>>['collections']

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const rig = await startRig(cleanUp, workspaces, { profiles: flags.profiles })
  const { version } = await rig.db.admin().serverInfo()
  log(`MongoDB ${version}, on the disk of this machine, one replica`)
  const inputs = plan.customers * texts.length * workspaces
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

  /** Measures the cost of one input between two readings. */
  async function measured(work: () => Promise<number>, workerCpu: () => number) {
    const [before, cpuBefore] = [await rig.used(), workerCpu()]
    const rate = await work()
    const [after, cpuAfter] = [await rig.used(), workerCpu()]
    if (flags.profiles !== undefined) logCollections(before.collections, after.collections)
    const share = (name: 'operations' | 'commits' | 'calls' | 'databaseCpu' | 'messagingCpu') =>
      (after[name] - before[name]) / inputs
    return {
      rate,
      cpu: (cpuAfter - cpuBefore) / inputs,
      operations: share('operations'),
      commits: share('commits'),
      calls: share('calls'),
      databaseCpu: share('databaseCpu'),
      messagingCpu: share('messagingCpu'),
    }
  }

  function logCollections(before: Collections, after: Collections): void {
    for (const [name, { reads, writes }] of after) {
      const { reads: readBefore = 0, writes: writtenBefore = 0 } = before.get(name) ?? {}
      const [read, written] = [(reads - readBefore) / inputs, (writes - writtenBefore) / inputs]
      if (read + written > 0.005) log(`${name}: ${read.toFixed(2)} reads, ${written.toFixed(2)} writes an input`)
    }
  }

  /** Workers answer the customers of one round. */
  async function worked(count: number) {
    return withCleanUp(async (ended) => {
      const workers = await Promise.all(Array.from({ length: count }, async () => ended.use(await rig.startWorker())))
      await rig.talkToBots(plan.warmUp)
      const workerCpu = () => sum(workers.map((worker) => cpuMicroseconds(worker.pid())))
      return measured(() => rig.talkToBots(plan.customers), workerCpu)
    })
  }

  log('the worker once, for records to copy …')
  await worked(1)
  if (flags.lists) return report(await measureLists(rig, plan.waits))
  const bare = await createBareLoop(rig)
  async function bareRound() {
    await rig.talk(plan.warmUp, rig.bareIds, bare)
    return measured(
      () => rig.talk(plan.customers, rig.bareIds, bare),
      () => cpuMicroseconds(process.pid),
    )
  }
  type Round = Awaited<ReturnType<typeof measured>>
  const rounds: Readonly<Record<'one' | 'bare' | 'two', Round>>[] = []
  for (let round = 1; round <= plan.rounds; round += 1) {
    log(`round ${round}: one worker, the bare loop, two workers …`)
    rounds.push({ one: await worked(1), bare: await bareRound(), two: await worked(2) })
  }
  const sweeps = await measureSweeps(rig, plan.waits, plan.due)
  const measures: Measure[] = [
    { name: 'inputs of one worker', values: rounds.map(({ one }) => one.rate), unit: '/s', goal: { atLeast: 200 } },
    {
      name: 'beside the bare loop',
      values: rounds.map(({ one, bare }) => one.rate / bare.rate),
      goal: { atLeast: 0.7 },
    },
    {
      name: 'two workers beside one',
      values: rounds.map(({ one, two }) => two.rate / one.rate),
      goal: { atLeast: 2 },
    },
    // If all cores are in use, a second worker adds nothing on this machine: what counts is that an input costs no more.
    {
      name: "a worker's CPU of an input, two beside one",
      values: rounds.map(({ one, two }) => two.cpu / one.cpu),
      goal: { atMost: 1.15 },
    },
    ...(['one', 'bare', 'two'] as const).flatMap((who) => {
      const of = (pick: (round: Round) => number) => rounds.map((round) => pick(round[who]))
      const name = { one: 'one worker', bare: 'bare loop', two: 'two workers' }[who]
      return [
        { name: `${name}: its CPU of an input`, values: of(({ cpu }) => cpu), unit: 'µs' },
        { name: `${name}: MongoDB's CPU`, values: of(({ databaseCpu }) => databaseCpu), unit: 'µs' },
        { name: `${name}: messaging's CPU`, values: of(({ messagingCpu }) => messagingCpu), unit: 'µs' },
        {
          name: `${name}: cores in use by all three`,
          values: of(({ rate, cpu, databaseCpu, messagingCpu }) => (rate * (cpu + databaseCpu + messagingCpu)) / 1e6),
        },
        { name: `${name}: operations of an input`, values: of(({ operations }) => operations) },
        { name: `${name}: transactions`, values: of(({ commits }) => commits) },
        { name: `${name}: calls`, values: of(({ calls }) => calls) },
      ]
    }),
    ...sweeps.map(({ waiting, perDue }) => ({
      name: `examined for each due, of ${waiting.toLocaleString('en')}`,
      values: [perDue],
      goal: { atMost: 1 },
    })),
    ...sweeps.map(({ waiting, keysPerDue }) => ({
      name: `keys of an index for each due, of ${waiting.toLocaleString('en')}`,
      values: [keysPerDue],
    })),
    ...sweeps.map(({ waiting, sweepMs }) => ({
      name: `a sweep, of ${waiting.toLocaleString('en')}`,
      values: [sweepMs],
      unit: 'ms',
    })),
  ]
  report(measures.filter(({ values }) => values.length > 0))
}
