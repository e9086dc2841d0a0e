import { setTimeout as wait } from 'node:timers/promises'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import { playScript, type ScriptLine } from '@parley/flow/play-script'
import { compileFlow } from '@parley/flow/program'
import { expect, test } from 'vitest'
import { booking, end, flowOf, keyword, text } from './drawn-flows.ts'
import { startWorkers } from './start-workers.ts'
import type { Talk } from './talk.ts'

/** The long form is `SESSIONS=2000 KILLS=50`. */
const sessions = Number(process.env['SESSIONS'] ?? 60)
const kills = Number(process.env['KILLS'] ?? 3)
/** Customers who talk at the same time. */
const atOnce = 60
/** Milliseconds without a message after which a talk is lost. */
const standstillMs = Number(process.env['STANDSTILL_SECONDS'] ?? 65) * 1000

const survey = flowOf(
  [
    keyword('rate', 'rate'),
    text('thanks', 'Thank you for coming.'),
    {
      id: 'list',
      kind: 'list',
      text: 'How was it?',
      button: 'Choose',
      rows: [
        { id: 'good', title: 'Good' },
        { id: 'bad', title: 'Bad' },
      ],
    },
    { id: 'pause', kind: 'wait_time', seconds: 1 },
    { id: 'tag', kind: 'add_tag', tag: 'happy' },
    text('good', 'Glad to hear it, {{name}}.'),
    { id: 'why', kind: 'ask', text: 'What went wrong?', attribute: 'complaint' },
    { id: 'people', kind: 'assign', to: { kind: 'queue' } },
    end,
  ],
  [
    'rate next thanks',
    'thanks next list',
    'list good pause',
    'pause next tag',
    'tag next good',
    'good next end',
    'list bad why',
    'why next people',
    'people next end',
  ],
)

/** Scripts of customers, a flow each: words, and titles that they tap. */
const scripts: { readonly flow: DraftFlow; readonly says: readonly string[] }[] = [
  { flow: booking, says: ['book', '[A table]', 'Rao'] },
  { flow: booking, says: ['book please', 'nonsense', '[A room]'] },
  { flow: survey, says: ['rate', '[Good]'] },
  { flow: survey, says: ['rate us', '[Bad]', 'The soup was cold'] },
]
type Script = (typeof scripts)[number]

const titleIn = (said: string) => /^\[(.*)\]$/.exec(said)?.[1]
const handOverText = 'I am passing you on to a colleague. They will answer here.'

/** Returns the texts of a script, as the interpreter alone gives them. */
function expected({ flow, says }: Script, name: string): string[] {
  const lines = says.flatMap((said): ScriptLine[] => {
    const title = titleIn(said)
    const line = title
      ? { type: 'tap' as const, title }
      : { type: 'message' as const, parts: [{ contentType: 'text', text: said }] }
    return [line, { type: 'wait', seconds: 2 }]
  })
  const person = { name, phone: '+919812345678', tags: [], attributes: {} }
  const settings = {
    idleHours: 23,
    handOverWords: ['agent', 'human'],
    handOverText,
    failureText: '',
    failureTo: { kind: 'queue' as const },
  }
  return playScript(compileFlow(flow), { at: Date.now(), person, settings, lines }).flatMap((entry) =>
    entry.by === 'bot' && entry.action.type === 'send' && 'text' in entry.action.content
      ? (entry.action.content.text ?? '')
      : [],
  )
}

test(
  'workers are killed, queues emptied, events given twice: each session says what the interpreter alone says, once',
  async () => {
    const parley = await startWorkers()
    const { messaging, wake } = parley
    for (const flow of [booking, survey]) await parley.addBot(flow, { handOverText })
    const talks: { talk: Talk; script: Script; isLost: boolean }[] = []
    let begun = 0
    let done = 0

    /** @returns whether so many messages were sent within the limit. */
    async function hasSaid(talk: Talk, count: number): Promise<boolean> {
      for (let since = performance.now(); talk.sent.length < count; await wait(20))
        if (performance.now() - since > standstillMs) return false
      return true
    }
    async function talkThrough(script: Script): Promise<void> {
      const talk = messaging.open(`Customer ${begun}`)
      let isLost = false
      for (let line = 0; line < script.says.length && !isLost; line += 1) {
        const said = script.says[line] ?? ''
        const title = titleIn(said)
        if (title) messaging.tap(talk, title)
        else messaging.say(talk, { text: said })
        wake()
        const due = expected({ ...script, says: script.says.slice(0, line + 1) }, talk.name)
        isLost = !(await hasSaid(talk, due.length))
      }
      talks.push({ talk, script, isLost })
      done += 1
    }
    const talking = async () => {
      while (begun < sessions) {
        begun += 1
        await talkThrough(scripts[begun % scripts.length] as Script)
      }
    }
    const killing = async () => {
      for (let turn = 0; turn < kills; turn += 1) {
        while (done < ((turn + 1) * sessions) / (kills + 2)) await wait(20)
        await parley.killed(turn)
      }
    }
    await Promise.all([killing(), ...Array.from({ length: Math.min(atOnce, sessions) }, talking)])
    await expect.poll(() => parley.runs.countDocuments({ live: true })).toBe(0)

    const wrong = talks.flatMap(({ talk, script, isLost }) => {
      const texts = talk.sent.map((sent) => sent.text)
      const right = expected(script, talk.name)
      return !isLost && JSON.stringify(texts) === JSON.stringify(right) ? [] : [{ texts, right, isLost }]
    })
    expect(wrong).toEqual([])
    expect(talks).toHaveLength(sessions)
    const keys = talks.flatMap(({ talk }) => talk.sent.map(({ key }) => key))
    expect(keys.length).toBe(new Set(keys).size)
    expect(await parley.runs.countDocuments()).toBe(sessions)
    await parley.stop()
  },
  // Ends only a worker that hangs.
  120_000 + sessions * 2000 + kills * 60_000,
)
