import { parseArgs } from 'node:util'
import { cpuMicroseconds } from '../machine.ts'
import { withCleanUp } from '../program.ts'
import { loadNow, log, medianOf, report } from '../report.ts'
import { createBareLoop } from './bare-loop.ts'
import { startRig, texts } from './rig.ts'
import { measureSweeps } from './waits.ts'

/**
 * `npm run bench -- automation [--short] [--waits <most sessions that wait>]`: inputs that one worker answers beside a bare loop with the
 * same reads, writes and calls, and beside two workers, in turns; and what sweeps look at while very many sessions wait. Messaging is in
 * memory. Steps through business hours are in `bench -- flow`.
 */
const { values: flags } = parseArgs({
  options: { short: { type: 'boolean', default: false }, waits: { type: 'string', default: '100000' } },
})
const workspaces = 8
/** Customers in hundreds: no page of events has a customer twice. */
const plan = flags.short
  ? { warmUp: 100, customers: 100, rounds: 1, waits: [1000, 2000], due: 100 }
  : { warmUp: 100, customers: 400, rounds: 5, waits: [10_000, Number(flags.waits)], due: 500 }

console.log(
  `load before the run ${loadNow()}; ${workspaces} workspaces, ${plan.customers} customers each, ${plan.rounds} rounds`,
)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const rig = await startRig(cleanUp, workspaces)
  const { version } = await rig.db.admin().serverInfo()
  log(`MongoDB ${version}, on the disk of this machine, one replica`)
  const inputs = plan.customers * texts.length * workspaces
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

  /** Workers answer the customers of one round. */
  async function worked(count: number) {
    return withCleanUp(async (ended) => {
      const workers = await Promise.all(Array.from({ length: count }, async () => ended.use(await rig.startWorker())))
      await rig.talkToBots(plan.warmUp)
      const usedBy = () => sum(workers.map((worker) => cpuMicroseconds(worker.pid())))
      const [used, done] = [usedBy(), await rig.operations()]
      const rate = await rig.talkToBots(plan.customers)
      return { rate, cpu: (usedBy() - used) / inputs, operations: ((await rig.operations()) - done) / inputs }
    })
  }

  log('the worker once, for records to copy …')
  await worked(1)
  const bare = await createBareLoop(rig)
  async function bareRound() {
    await rig.talk(plan.warmUp, rig.bareIds, bare)
    const done = await rig.operations()
    const rate = await rig.talk(plan.customers, rig.bareIds, bare)
    return { rate, operations: ((await rig.operations()) - done) / inputs }
  }
  const rounds = []
  for (let round = 1; round <= plan.rounds; round += 1) {
    log(`round ${round}: one worker, the bare loop, two workers …`)
    rounds.push({ one: await worked(1), bare: await bareRound(), two: await worked(2) })
  }
  const sweeps = await measureSweeps(rig, plan.waits, plan.due)
  report([
    { name: 'inputs of one worker', values: rounds.map(({ one }) => one.rate), unit: '/s', goal: { atLeast: 200 } },
    {
      name: 'beside the bare loop',
      values: rounds.map(({ one, bare }) => one.rate / bare.rate),
      goal: { atLeast: 0.7 },
    },
    {
      name: 'two workers beside one',
      values: rounds.map(({ one, two }) => two.rate / one.rate),
      goal: { atLeast: 1.8 },
    },
    { name: 'CPU of an input, one worker', values: rounds.map(({ one }) => one.cpu), unit: 'µs' },
    { name: 'CPU of an input, two workers', values: rounds.map(({ two }) => two.cpu), unit: 'µs' },
    { name: 'operations of an input, worker', values: rounds.map(({ one }) => one.operations) },
    { name: 'operations of an input, bare loop', values: rounds.map(({ bare }) => bare.operations) },
    ...sweeps.map(({ waiting, perDue }) => ({
      name: `examined for each due, of ${waiting.toLocaleString('en')}`,
      values: [perDue],
      goal: { atMost: 1 },
    })),
    ...sweeps.map(({ waiting, sweepMs }) => ({
      name: `a sweep, of ${waiting.toLocaleString('en')}`,
      values: [sweepMs],
      unit: 'ms',
    })),
  ])
  log(
    `one worker ${medianOf(rounds.map(({ one }) => one.rate)).toFixed(0)}/s on a machine that MongoDB and messaging share`,
  )
}
