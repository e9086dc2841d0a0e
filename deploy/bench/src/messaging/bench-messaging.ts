import { parseArgs } from 'node:util'
import { inRounds } from '../load.ts'
import { withCleanUp } from '../program.ts'
import { loadNow, log, type Measure, percentile, report } from '../report.ts'
import { measureArrivals } from './measure-arrivals.ts'
import { measureBesideWorker, measureIngest } from './measure-ingest.ts'
import { type Rig, startRig } from './rig.ts'
import { reportStoredBytes } from './stored-bytes.ts'
import {
  makeConversations,
  measureApply,
  measureSends,
  sendOneOnEachNumber,
  setFlows,
  setSubscribed,
  type WorkerRun,
} from './worker-runs.ts'

/**
 * `npm run bench -- messaging`: what ingest stores, what one worker applies and sends, how soon another browser shows a message,
 * and what messages take on disk.
 * All processes, both stores and the load share this machine. `--short` proves that the bench itself works.
 */
const { values: flags } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const maxMiB = 300
const numbers = 8
/** `customers` are those of all numbers together, `sends` are sent once each round, a browser waits for `arrivals`. */
const plan = flags.short
  ? { rounds: 1, seconds: 1, connections: 16, customers: 80, sends: 160, arrivals: 10 }
  : { rounds: 3, seconds: 4, connections: 128, customers: 2000, sends: 6000, arrivals: 200 }

console.log(`load before the run ${loadNow()}; ${plan.rounds} rounds, ${plan.connections} connections`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const rig = await startRig(numbers, cleanUp)
  const measures = await measure(rig)
  console.log(
    'All measured programs, MongoDB, Redis and the load share this machine; `events` are single messages and statuses.',
  )
  report(measures)
  await reportStoredBytes(rig.db)
}

async function measure(rig: Rig): Promise<Measure[]> {
  const { rounds, sends, customers, arrivals, connections } = plan
  log('webhooks against the bare route …')
  const ingest = await measureIngest(rig, { ...plan, maxMiB })
  log(`${customers} customers write …`)
  await makeConversations(rig, customers, connections)
  const models = await sendOneOnEachNumber(rig)
  const sent: WorkerRun[] = []
  const applied: WorkerRun[] = []
  const forFlows: WorkerRun[] = []
  for (let round = 1; round <= rounds; round += 1) {
    log(`${sends} messages leave, ${sends * 4} events are applied, round ${round} …`)
    sent.push(await measureSends(rig, models, sends))
    applied.push(await measureApply(rig, connections))
    log('the same with an active flow …')
    await setFlows(rig, true)
    await measureSends(rig, models, sends)
    forFlows.push(await measureApply(rig, connections))
    await setFlows(rig, false)
  }
  log('messages leave and events are applied, with and without a subscribed webhook …')
  const { off = [], on = [] } = await inRounds(rounds, {
    off: () => measureSubscribed(false),
    on: () => measureSubscribed(true),
  })
  log(`${arrivals} messages on their way to a browser …`)
  const durations = await measureArrivals(rig, arrivals)
  log('webhooks while a worker applies them …')
  const beside = await measureBesideWorker(rig, plan)
  /** Rates until deliveries are planned for all that has happened. */
  async function measureSubscribed(subscribed: boolean) {
    await setSubscribed(rig, subscribed)
    const leaving = await measureSends(rig, models, sends, ['webhooks'])
    const applying = await measureApply(rig, connections, ['webhooks'])
    await setSubscribed(rig, false)
    return { sends: leaving.perSecond, apply: applying.perSecond }
  }
  const ofOff = (rate: 'sends' | 'apply') => on.map((run, round) => run[rate] / (off[round]?.[rate] ?? Number.NaN))
  const rates = (runs: readonly WorkerRun[]) => runs.map(({ perSecond }) => perSecond)
  const peaks = (runs: readonly WorkerRun[]) => ({
    values: runs.map(({ memoryMiB }) => memoryMiB),
    unit: 'MiB',
    goal: { atMost: maxMiB },
  })
  return [
    ...ingest,
    beside,
    { name: 'apply of one worker', values: rates(applied), unit: 'events/s', goal: { atLeast: 2000 } },
    { name: 'apply of one worker with an active flow', values: rates(forFlows), unit: 'events/s' },
    {
      name: 'the same, of that without one',
      values: applied.map(({ perSecond }, round) => (forFlows[round]?.perSecond ?? 0) / perSecond),
      unit: '',
      goal: { atLeast: 0.85 },
    },
    { name: 'sends of one worker', values: rates(sent), unit: 'messages/s', goal: { atLeast: 1000 } },
    { name: 'apply with a subscribed webhook, of that without', values: ofOff('apply'), goal: { atLeast: 0.93 } },
    { name: 'sends with a subscribed webhook, of those without', values: ofOff('sends'), goal: { atLeast: 0.93 } },
    { name: 'peak memory of a worker that sends', ...peaks(sent) },
    { name: 'peak memory of a worker that applies', ...peaks(applied) },
    { name: 'webhook to another browser, p50', values: [percentile(durations, 0.5)], unit: 'ms' },
    {
      name: 'webhook to another browser, p95',
      values: [percentile(durations, 0.95)],
      unit: 'ms',
      goal: { atMost: 300 },
    },
  ]
}
