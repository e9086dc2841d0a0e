import { parseArgs } from 'node:util'
import type { Measure } from '../auth/measures.ts'
import { percentile } from '../auth/statistics.ts'
import { loadNow, log, report } from '../report.ts'
import { makeConversations } from './make-conversations.ts'
import { measureApply } from './measure-apply.ts'
import { measureArrivals } from './measure-arrivals.ts'
import { measureIngest } from './measure-ingest.ts'
import { measureSends, sendOneOnEachNumber } from './measure-sends.ts'
import { fullPlan, type Plan, shortPlan } from './plan.ts'
import { type Rig, startRig } from './rig.ts'

/**
 * `npm run bench:messaging`: what ingest stores, what one worker applies and sends, and how soon another browser shows a message.
 * All processes, both stores and the load share this machine. `--short` proves that the bench itself works.
 */
const { values: flags } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const plan = flags.short ? shortPlan : fullPlan

console.log(`load before the run ${loadNow()}; ${plan.rounds} rounds, ${plan.connections} connections`)
const rig = await startRig(plan.numbers)
try {
  const measures = await measure(rig, plan)
  console.log(
    'All measured programs, MongoDB, Redis and the load share this machine; `events` are single messages and statuses.',
  )
  report('messaging', measures)
} finally {
  await rig.stop()
}

async function measure(rig: Rig, { rounds, sends, customers, arrivals, connections }: Plan): Promise<Measure[]> {
  log('webhooks against the bare route …')
  const ingest = await measureIngest(rig, plan)
  log(`${customers} customers write …`)
  await makeConversations(rig, customers, connections)
  const models = await sendOneOnEachNumber(rig)
  const perSecond = { sends: [] as number[], apply: [] as number[] }
  const memory = { sends: [] as number[], apply: [] as number[] }
  for (let round = 1; round <= rounds; round += 1) {
    log(`${sends} messages leave, ${sends * 4} events are applied, round ${round} …`)
    const sent = await measureSends(rig, models, sends)
    const applied = await measureApply(rig, connections)
    perSecond.sends.push(sent.perSecond)
    perSecond.apply.push(applied.perSecond)
    memory.sends.push(sent.memoryMiB)
    memory.apply.push(applied.memoryMiB)
  }
  log(`${arrivals} messages on their way to a browser …`)
  const taken = await measureArrivals(rig, arrivals)
  return [
    ...ingest,
    { name: 'apply of one worker', values: perSecond.apply, unit: 'events/s', goal: { atLeast: 2000 } },
    { name: 'sends of one worker', values: perSecond.sends, unit: 'messages/s', goal: { atLeast: 1000 } },
    { name: 'peak memory of a worker that sends', values: memory.sends, unit: 'MiB', goal: { atMost: plan.mostMiB } },
    { name: 'peak memory of a worker that applies', values: memory.apply, unit: 'MiB', goal: { atMost: plan.mostMiB } },
    { name: 'webhook to another browser, p50', values: [percentile(taken, 0.5)], unit: 'ms' },
    {
      name: 'webhook to another browser, p95',
      values: [percentile(taken, 0.95)],
      unit: 'ms',
      goal: { atMost: 300 },
    },
  ]
}
