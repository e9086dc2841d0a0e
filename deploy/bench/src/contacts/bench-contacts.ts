import { parseArgs } from 'node:util'
import { queryPlans } from '@parley/service-kit/testing/query-plans'
import { withCleanUp } from '../program.ts'
import { loadNow, log, type Measure, percentile, report } from '../report.ts'
import { type Question, questions } from './questions.ts'
import { type Rig, type Seeded, startRig } from './rig.ts'

/**
 * `npm run bench -- contacts`: lists, searches, filters and counts of a large workspace, against the same in one of a tenth of its
 * size, in turns, as a browser would ask the messaging service. `--short` proves that the bench itself works.
 */
const { values: flags } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1000000' },
    conversations: { type: 'string', default: '100000' },
    messages: { type: 'string', default: '1000000' },
    asked: { type: 'string', default: '100' },
    short: { type: 'boolean', default: false },
  },
})
const [contacts = 0, conversations = 0, messages = 0, asked = 0] = flags.short
  ? [2000, 200, 2000, 3]
  : [flags.contacts, flags.conversations, flags.messages, flags.asked].map(Number)
/** A search or filter that takes less may take more than 1.3 times as long as in the small workspace. */
const soonMs = 100
const maxTimes = 1.3

console.log(`load before the run ${loadNow()}; each question ${asked} times`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const rig = await startRig({ contacts, conversations, messages }, cleanUp)
  const measures: Measure[] = []
  for (const question of questions) measures.push(...(await measure(rig, question)))
  const plans = await queryPlans(rig, async () => {
    for (const question of questions) await rig.ask(question.ask(0, rig.large.known), rig.large)
  })
  for (const { plan: how, collection } of plans.filter(({ sortsInMemory }) => sortsInMemory))
    log(`sorted in memory: ${collection}, ${how}`)
  const walked = plans.filter(({ plan: how }) => /COLLSCAN/.test(how))
  report([...measures, { name: 'queries that walk a collection', values: [walked.length], goal: { atMost: 0 } }])
}

/** The two workspaces in turns, so that whatever else the machine does is the same for both. */
async function measure(rig: Rig, { name, ask, goalMs, isCapped }: Question): Promise<Measure[]> {
  const durations = { large: [] as number[], small: [] as number[] }
  // The first of each is not counted.
  for (let turn = -1; turn < asked; turn += 1) {
    for (const size of ['large', 'small'] as const) {
      const workspace: Seeded = rig[size]
      const ms = await rig.ask(ask(turn + 1, workspace.known), workspace)
      if (turn >= 0) durations[size].push(ms)
    }
  }
  const [p95, tenth] = [percentile(durations.large, 0.95), percentile(durations.small, 0.95)]
  log(`${name}: ${percentile(durations.large, 0.5).toFixed(1)} / ${p95.toFixed(1)} ms (a tenth: ${tenth.toFixed(1)})`)
  const times = p95 / tenth
  const isSoon = isCapped && p95 < soonMs
  return [
    { name: `${name}, p50`, values: [percentile(durations.large, 0.5)], unit: 'ms' },
    { name: `${name}, p95`, values: [p95], unit: 'ms', ...(goalMs !== undefined && { goal: { atMost: goalMs } }) },
    { name: `${name}, of a tenth`, values: [times], ...(!isSoon && { goal: { atMost: maxTimes } }) },
  ]
}
