import { parseArgs } from 'node:util'
import { queryPlans } from '@parley/service-kit/testing/query-plans'
import { withCleanUp } from '../program.ts'
import { loadNow, log, type Measure, report } from '../report.ts'
import { measureQuestion } from './measure-question.ts'
import { questions } from './questions.ts'
import { startRig } from './rig.ts'

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
console.log(`load before the run ${loadNow()}; each question ${asked} times`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const rig = await startRig({ contacts, conversations, messages }, cleanUp)
  const measures: Measure[] = []
  for (const question of questions) measures.push(...(await measureQuestion(rig, question, asked)))
  const plans = await queryPlans(rig, async () => {
    for (const question of questions) await rig.ask(question.ask(0, rig.large.known), rig.large)
  })
  for (const { plan: how, collection } of plans.filter(({ sortsInMemory }) => sortsInMemory))
    log(`sorted in memory: ${collection}, ${how}`)
  const walked = plans.filter(({ plan: how }) => /COLLSCAN/.test(how))
  report([...measures, { name: 'queries that walk a collection', values: [walked.length], goal: { atMost: 0 } }])
}
