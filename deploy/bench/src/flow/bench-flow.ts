import { parseArgs } from 'node:util'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import { step } from '@parley/flow/interpreter'
import { compileRouting, matchTrigger, normalizeText, type RoutedTrigger } from '@parley/flow/keywords'
import { compileFlow } from '@parley/flow/program'
import { defaultSettings, type Facts, idleState } from '@parley/flow/state'
import { loadNow, log, report } from '../report.ts'

/**
 * `npm run bench -- flow [--short]`: the interpreter and the routing table, each beside a plain way to do the same, in one
 * process and in turns, so that other work on the machine slows both.
 */
const { values: options } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const rounds = options.short ? 3 : 7
const roundMs = options.short ? 150 : 500

/** Calls a second. */
function rateOf(work: (turn: number) => unknown): number {
  const start = performance.now()
  let turns = 0
  while (performance.now() - start < roundMs) for (const end = turns + 20; turns < end; turns += 1) work(turns)
  return (turns * 1000) / (performance.now() - start)
}

/** Rates of two ways, round by round, and how many times the first is as fast as the second. */
function compare(fast: (turn: number) => unknown, plain: (turn: number) => unknown) {
  rateOf(fast)
  rateOf(plain)
  const rates = Array.from({ length: rounds }, () => [rateOf(fast), rateOf(plain)] as const)
  return { rates: rates.map(([rate]) => rate), ratios: rates.map(([rate, other]) => rate / other) }
}

const keywordCount = 10_000
const keywordOf = (index: number) => `${index % 3 === 0 ? 'order' : index % 3 === 1 ? 'कीमत' : 'price'} ${index}`
const keywords = Array.from(
  { length: keywordCount },
  (_, index): RoutedTrigger => ({
    flowId: `bot-${index % 100}`,
    nodeId: 'start',
    numberId: '*',
    order: index % 100,
    match: 'word',
    keyword: keywordOf(index),
  }),
)
const routing = compileRouting(keywords)
const normalized = keywords.map(({ keyword = '' }) => normalizeText(keyword))
const messages = Array.from({ length: 500 }, (_, index) =>
  index % 2 === 0
    ? `Hello, I would like to know about ${keywordOf((index * 37) % keywordCount)}, please`
    : 'Hello, when do you open tomorrow, and do you have green tea?',
)
const textOf = (turn: number) => messages[turn % messages.length] ?? ''
const said = { numberId: 'n1', contentType: 'text', isFirst: false }

const node = (
  id: string,
  type: DraftFlow['nodes'][number]['type'],
  settings: { kind: string; [name: string]: unknown },
) => ({
  id,
  type,
  label: '',
  description: '',
  position: { x: 0, y: 0 },
  settings,
})
/** A flow of a keyword trigger, opening hours, a text for each answer, and as many further triggers as a large bot has. */
const flow: DraftFlow = {
  format: 2,
  nodes: [
    node('start', 'trigger', { kind: 'keyword', keywords: ['hello'], match: 'word' }),
    node('hours', 'condition', {
      kind: 'business_hours',
      hours: {
        use: 'own',
        timeZone: 'Asia/Kolkata',
        spans: [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '18:00' })),
        closedOn: ['2026-12-25'],
      },
    }),
    node('open', 'action', { kind: 'send_text', text: 'Hi {{first_name|there}}, we are open.' }),
    node('closed', 'action', { kind: 'send_text', text: 'Hi {{first_name|there}}, we open at nine.' }),
    ...Array.from({ length: 20 }, (_, index) =>
      node(`other-${index}`, 'trigger', { kind: 'keyword', keywords: [keywordOf(index)], match: 'word' }),
    ),
  ],
  edges: [
    { id: 'a', source: 'start', branch: 'next', target: 'hours' },
    { id: 'b', source: 'hours', branch: 'yes', target: 'open' },
    { id: 'c', source: 'hours', branch: 'no', target: 'closed' },
  ],
}
const program = compileFlow(flow)
const input = { type: 'message', parts: [{ contentType: 'text', text: 'Hello there' }] } as const
const factsOf = (turn: number): Facts => ({
  now: Date.parse('2026-03-09T04:00:00Z') + turn * 61_000,
  person: { name: 'Asha Rao', tags: [], attributes: {} },
  settings: defaultSettings,
})

log(`load before the run ${loadNow()}`)
log(`${keywordCount} keywords, looked up and one by one`)
const lookUp = compare(
  (turn) => matchTrigger(routing, { ...said, text: textOf(turn) }),
  (turn) => {
    const text = normalizeText(textOf(turn))
    return normalized.filter((keyword) => text.includes(keyword))
  },
)
log('steps through opening hours, with what is kept and with all of it made anew')
const hours = compare(
  (turn) => step(program, idleState, input, factsOf(turn)),
  (turn) => {
    const facts = factsOf(turn)
    // Work of each step before flows were compiled and formatters kept.
    new Intl.DateTimeFormat('en-US', { timeZone: 'Asia/Kolkata', weekday: 'short', hour: '2-digit' }).format(facts.now)
    return step(compileFlow(flow), idleState, input, facts)
  },
)
report([
  { name: 'messages matched', values: lookUp.rates.map(Math.round), unit: '/s' },
  { name: 'times a scan of the keywords', values: lookUp.ratios, goal: { atLeast: 50 } },
  { name: 'steps with opening hours', values: hours.rates.map(Math.round), unit: '/s' },
  { name: 'times a step that keeps nothing', values: hours.ratios, goal: { atLeast: 20 } },
])
