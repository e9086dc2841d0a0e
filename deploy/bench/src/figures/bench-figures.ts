import { parseArgs } from 'node:util'
import { measureQuestion } from '../contacts/measure-question.ts'
import { withCleanUp } from '../program.ts'
import { loadNow, type Measure, report } from '../report.ts'
import { measureCounting } from './measure-counting.ts'
import { questions } from './questions.ts'
import { startFiguresRig } from './rig.ts'

/**
 * `npm run bench -- figures`: dashboard, analytics and the rows behind their numbers in a large workspace, against the same in one of
 * a tenth of its size, in turns; then what a worker sends and applies while it counts, against the same uncounted. `--short` proves
 * that the bench itself works, `--only reads` and `--only counting` measure one part.
 */
const { values: flags } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1000000' },
    conversations: { type: 'string', default: '100000' },
    messages: { type: 'string', default: '10000000' },
    asked: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '3' },
    sends: { type: 'string', default: '6000' },
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
})
const [contacts = 0, conversations = 0, messages = 0, asked = 0, rounds = 0, sends = 0] = flags.short
  ? [2000, 200, 2000, 3, 1, 160]
  : [flags.contacts, flags.conversations, flags.messages, flags.asked, flags.rounds, flags.sends].map(Number)

console.log(
  `load before the run ${loadNow()}; ${contacts} contacts, ${messages} messages; each question ${asked} times`,
)
const measures: Measure[] = []
if (flags.only !== 'counting')
  await withCleanUp(async (cleanUp) => {
    const rig = await startFiguresRig({ contacts, conversations, messages }, cleanUp)
    for (const question of questions) measures.push(...(await measureQuestion(rig, question, asked)))
  })
if (flags.only !== 'reads')
  await withCleanUp(async (cleanUp) => {
    measures.push(...(await measureCounting({ rounds, sends, short: flags.short }, cleanUp)))
  })
report(measures)
