import { expect, test } from 'vitest'
import { asha, draw, located, monday10, tap, wait, write } from './interpreter-fixtures.ts'
import { maxPlayInputs, playLine, playScript, type Script, type ScriptLine, startPlay } from './play-script.ts'
import { compileFlow } from './program.ts'
import { defaultSettings } from './state.ts'

const script = (...lines: ScriptLine[]): Script => ({ at: monday10, person: asha, settings: defaultSettings, lines })

const order = draw(
  {
    start: { kind: 'keyword', keywords: ['order'], match: 'word' },
    size: {
      kind: 'buttons',
      text: 'Size?',
      choices: [
        { id: 's', title: 'Small' },
        { id: 'l', title: 'Large' },
      ],
    },
    where: { kind: 'ask', text: 'Where to?', expects: 'location', attribute: 'place' },
    wait: { kind: 'wait_time', seconds: 3600 },
    say: { kind: 'send_text', text: 'On its way to {{place}}, {{first_name}}.' },
  },
  ['start.next>size', 'size.s>where', 'size.l>where', 'where.next>wait', 'wait.next>say'],
)

test('a script is played with its clock, and each wait ends at its own time', () => {
  const transcript = playScript(
    compileFlow(order),
    script(write('hello'), write('My order'), tap('Small'), located, wait(7200), write('order')),
  )
  const texts = transcript.map((entry) => {
    if (entry.by === 'customer') return `customer ${entry.text || entry.contentType}`
    if (entry.by !== 'bot') return entry.by
    return entry.action.type === 'send' && 'text' in entry.action.content
      ? entry.action.content.text
      : entry.action.type
  })
  expect(texts).toEqual([
    'customer hello',
    'passed',
    'customer My order',
    'Size?',
    'customer Small',
    'Where to?',
    'customer location',
    'set_attribute',
    'wait',
    'On its way to 18.52,73.85, Asha.',
    'release',
    'end',
    'customer order',
    'Size?',
  ])
})

test('several waits that fall due in one span follow one another', () => {
  const flow = draw(
    {
      start: { kind: 'any_message' },
      one: { kind: 'wait_time', seconds: 60 },
      two: { kind: 'wait_time', seconds: 60 },
      say: { kind: 'send_text', text: 'Done' },
    },
    ['start.next>one', 'one.next>two', 'two.next>say'],
  )
  const said = (seconds: number) =>
    JSON.stringify(playScript(compileFlow(flow), script(write('x'), wait(seconds)))).includes('Done')
  expect([said(119), said(120)]).toEqual([false, true])
})

test('a flow that sends too much at once is stopped as the server stops it: none of it is sent', () => {
  const many = (count: number) => {
    const says = Array.from({ length: count }, (_, index) => `say${index}`)
    return draw(
      {
        start: { kind: 'any_message' },
        ...Object.fromEntries(says.map((id) => [id, { kind: 'send_text', text: id }])),
      },
      says.map((id, index) => `${says[index - 1] ?? 'start'}.next>${id}`),
    )
  }
  const played = (count: number, lines: readonly ScriptLine[]) => playScript(compileFlow(many(count)), script(...lines))
  const sent = (entries: ReturnType<typeof playScript>) =>
    entries.filter((entry) => entry.by === 'bot' && entry.action.type === 'send').length
  expect(sent(played(10, [write('x')]))).toBe(10)
  const stopped = played(11, [write('x')])
  expect(sent(stopped)).toBe(0)
  expect(stopped.slice(-2)).toMatchObject([
    { by: 'bot', action: { type: 'release', attention: true } },
    { by: 'end', end: { outcome: 'loop' } },
  ])
  // Messages of the last minute count, also those of the session before.
  expect(sent(played(6, [write('x'), write('y')]))).toBe(6)
  expect(sent(played(6, [write('x'), wait(60), write('y')]))).toBe(12)
})

test('a long wait in a circle of short ones comes to an end', () => {
  const flow = draw(
    {
      start: { kind: 'any_message' },
      wait: { kind: 'wait_time', seconds: 120 },
      say: { kind: 'send_text', text: 'Again' },
    },
    ['start.next>wait', 'wait.next>say', 'say.next>wait'],
  )
  const play = [write('x'), wait(60 * 86_400), write('y')].reduce(
    (before, line) => playLine(compileFlow(flow), before, line),
    startPlay(script()),
  )
  expect(play.inputs).toBe(maxPlayInputs)
  expect(play.entries.length).toBeLessThan(3 * maxPlayInputs)
})

test('a keyword that also counts while the bot asks begins anew, as on the server', () => {
  const flow = draw(
    {
      book: { kind: 'keyword', keywords: ['book'], match: 'word' },
      who: { kind: 'ask', text: 'In whose name?', attribute: 'name' },
      thanks: { kind: 'send_text', text: 'Thanks, {{last_answer}}.' },
      help: { kind: 'keyword', keywords: ['help'], match: 'word', interrupts: true },
      helped: { kind: 'send_text', text: 'Helped.' },
    },
    ['book.next>who', 'who.next>thanks', 'help.next>helped'],
  )
  const said = (...lines: ScriptLine[]) =>
    playScript(compileFlow(flow), script(...lines)).flatMap((entry) =>
      entry.by === 'bot' && entry.action.type === 'send' && 'text' in entry.action.content
        ? entry.action.content.text
        : [],
    )
  expect(said(write('book'), write('help'), write('Rao'))).toEqual(['In whose name?', 'Helped.'])
  expect(said(write('book'), write('Rao', 'help'))).toEqual(['In whose name?', 'Thanks, Rao.', 'Helped.'])
  // A word of another bot, or one that does not interrupt, is an answer.
  expect(said(write('book'), write('book'))).toEqual(['In whose name?', 'Thanks, book.'])
})
