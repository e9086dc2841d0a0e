import { botSettingsSchema } from '@parley/contracts/automation/bot-settings'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { InternalAction } from '@parley/contracts/automation/internal-actions'
import type { FlowAction } from '@parley/flow/actions'
import { branchesOf } from '@parley/flow/branches'
import { type Play, playLine, startPlay } from '@parley/flow/play-script'
import { compileFlow } from '@parley/flow/program'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AskService } from '../platform/platform.ts'
import { anyMessage, end, flowOf, keyword, text } from './drawn-flows.ts'
import { type Joined, type Runs, startRuns } from './start-runs.ts'
import { optionsOf, type Talk, tapped } from './talk.ts'

let database: Runs
beforeAll(async () => {
  database = await startRuns()
})
afterAll(() => database.stop())

const choices = [
  { id: 'x', title: 'Tea' },
  { id: 'y', title: 'Coffee' },
]
const kinds = {
  text: { kind: 'send_text', text: 'Hello {{name}}, {{last_answer|nothing}}.' },
  ask: { kind: 'ask', text: 'What is it?', attribute: 'what', timeoutSeconds: 600 },
  number: { kind: 'ask', text: 'How many?', attribute: 'count', expects: 'number', timeoutSeconds: 600 },
  buttons: { kind: 'buttons', text: 'Which one?', choices, timeoutSeconds: 600 },
  list: { kind: 'list', text: 'Which of these?', button: 'Show', rows: choices, timeoutSeconds: 600 },
  form: { kind: 'form', text: 'Book a visit', button: 'Open', formId: '77', timeoutSeconds: 600 },
  day: { kind: 'send_text', text: 'On {{session.Wanted day|no day}}.' },
  tag: { kind: 'add_tag', tag: 'asked' },
  set: { kind: 'set_attribute', attribute: 'last', value: '{{last_answer|none}}' },
  tagged: { kind: 'tag', tag: 'asked' },
  answered: { kind: 'last_answer', comparison: 'contains', value: 'tea' },
  pause: { kind: 'wait_time', seconds: 30 },
  reply: { kind: 'wait_reply', timeoutSeconds: 120 },
  people: { kind: 'assign', to: { kind: 'queue' } },
} as const
type Kind = keyof typeof kinds

/** A flow that says something at each of its ends: a session that ends in silence would go to other bots. */
function drawn(names: readonly Kind[], targets: readonly number[]): DraftFlow {
  const nodes = names.map((name, index) => ({ id: `n${index}`, ...kinds[name] }))
  const leads = (from: number, branch: number) => {
    const further = from + 1 + ((targets[from * 4 + branch] ?? 0) % 3)
    return further < nodes.length ? `n${further}` : 'bye'
  }
  const ways = nodes.flatMap(({ id, ...settings }, index) =>
    settings.kind === 'assign'
      ? []
      : branchesOf(settings as Parameters<typeof branchesOf>[0]).map(
          (branch, branchIndex) => `${id} ${branch.id} ${leads(index, branchIndex)}`,
        ),
  )
  const helping = [keyword('help', 'help', { interrupts: true }), text('helped', 'Helped.')]
  return flowOf(
    [anyMessage, ...nodes, ...helping, text('bye', 'Bye.'), end],
    ['any next n0', ...ways, 'help next helped', 'helped next end', 'bye next end'],
  )
}

const shown: ReadonlySet<string> = new Set(['send', 'add_tag', 'set_attribute', 'assign'])

/** Returns what a customer, or their record, sees of an action. */
function seen(action: FlowAction | InternalAction): string[] {
  if (!shown.has(action.type)) return []
  if (action.type !== 'send') return [JSON.stringify({ ...action, key: undefined })]
  const { content } = action
  const options = optionsOf(content).map(({ title }) => title)
  return [['text' in content ? content.text : content.type, ...options].join('|')]
}

/** A workspace that records actions of its bots, each key once. */
function join() {
  const done = new Map<string, string[]>()
  const ask: AskService = async (scope, endpoint, request) => {
    const answer = await parley.messaging.ask(scope, endpoint, request)
    if (endpoint.operation === 'internal.actions') {
      const { actions } = (request as unknown as { body: { actions: InternalAction[] } }).body
      const { results } = answer as { results: { key: string; outcome: string }[] }
      for (const action of actions)
        if (results.some(({ key, outcome }) => key === action.key && outcome === 'done'))
          done.set(action.key, seen(action))
    }
    return answer
  }
  const parley: Joined = database.join(ask)
  return { parley, did: () => [...done.values()].flat() }
}

/** Lets time pass; everything that falls due on the way happens at its own time. */
async function pass({ messaging, runs, settle }: Joined, seconds: number): Promise<void> {
  const until = (await messaging.now()) + seconds * 1000
  for (;;) {
    const dueTimes = (await runs()).flatMap(({ live, dueAt }) => (live && dueAt ? [Number(dueAt)] : []))
    const now = await messaging.now()
    const next = Math.min(until, ...dueTimes.filter((at) => at > now))
    messaging.pass(next - now)
    await settle()
    if (next === until) return
  }
}

function say({ messaging }: Joined, talk: Talk, word: string, isTap: boolean): void {
  if (isTap) messaging.tap(talk, word)
  else messaging.say(talk, { text: word })
}

/** True where the newest message of the bot offers an option of this title. */
function isOffered({ entries }: Play, title: string): boolean {
  const last = entries.findLast((entry) => entry.by === 'bot' && entry.action.type === 'send')
  if (last?.by !== 'bot' || last.action.type !== 'send') return false
  return optionsOf(last.action.content).some((option) => option.title === title)
}

test('a script does in production what it does in the test panel', async () => {
  const names = fc.array(fc.constantFrom(...(Object.keys(kinds) as Kind[])), { minLength: 1, maxLength: 5 })
  const targets = fc.array(fc.nat(5), { minLength: 20, maxLength: 20 })
  const script = fc.array(
    fc.record({
      word: fc.constantFrom('Tea', 'Coffee', 'Open', '12', 'no idea', 'help'),
      seconds: fc.constantFrom(70, 200, 700),
    }),
    { minLength: 1, maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(names, targets, script, async (chosen, links, lines) => {
      const flow = drawn(chosen, links)
      const program = compileFlow(flow)
      const { parley, did } = join()
      const { settings } = parley.addBot(flow)
      await parley.feed.begin(parley.scope)
      const talk = parley.messaging.open('Asha')
      const { idleHours, handOverText, failureText, failureTo } = botSettingsSchema.parse(settings)
      let play = startPlay({
        at: await parley.messaging.now(),
        person: { name: 'Asha', phone: '+919812345678', tags: [], attributes: {} },
        attributes: [],
        settings: { idleHours, handOverText, failureText, failureTo, handOverWords: ['agent', 'human'] },
        lines: [],
      })
      for (const { word, seconds } of lines) {
        const isTap = isOffered(play, word)
        const isForm = isTap && word === kinds.form.button
        const { type, answers } = tapped({ id: '1.form', title: word })
        const parts = [
          isForm ? { contentType: type, text: word, ...(answers && { answers }) } : { contentType: 'text', text: word },
        ]
        play = playLine(program, play, isTap && !isForm ? { type: 'tap', title: word } : { type: 'message', parts })
        play = playLine(program, play, { type: 'wait', seconds })
        say(parley, talk, word, isTap)
        await parley.settle()
        await pass(parley, seconds)
      }
      const inPanel = play.entries.flatMap((entry) =>
        entry.by === 'bot' && entry.refused === undefined ? seen(entry.action) : [],
      )
      expect(did()).toEqual(inPanel)
    }),
    { numRuns: Number(process.env['SCRIPTS'] ?? 40), endOnFailure: true },
  )
})
