import { expect, test } from 'vitest'
import { step, waitsForMore } from './interpreter.ts'
import { asha, draw, facts, fillIn, flowOf, linesOf, play, said, tap, write } from './interpreter-fixtures.ts'
import { compileFlow } from './program.ts'
import { idleState, maxSessionBytes } from './state.ts'

const menu = (text: string, ...titles: string[]) => ({
  kind: 'buttons',
  text,
  choices: titles.map((title) => ({ id: title.toLowerCase(), title })),
})

test('what is asked and set is known to what follows, and a tag is added once', () => {
  const flow = draw(
    {
      start: { kind: 'any_message' },
      ask: { kind: 'ask', text: '?', attribute: 'order' },
      tag: { kind: 'add_tag', tag: 'VIP' },
      has: { kind: 'tag', tag: 'vip' },
      say: { kind: 'send_text', text: 'Order {{order}}, {{attributes.Order date}}, {{gift|none}}' },
    },
    ['start.next>ask', 'ask.next>tag', 'tag.next>has', 'has.yes>say'],
  )
  const done = play(flow, [write('hi'), write('42')])
  expect(done.person).toEqual({ ...asha, tags: ['VIP'], attributes: { ...asha.attributes, order: '42' } })
  expect(linesOf(done)).toContain('say Order 42, 2026-03-01, none')
})

test('session variables last as long as the session, and their bytes are bounded', () => {
  const flow = draw(
    {
      start: { kind: 'any_message' },
      ask: { kind: 'ask', text: '{{session.note|nothing yet}}', attribute: 'note', save: 'session' },
      say: { kind: 'send_text', text: 'You said {{session.note}}' },
    },
    ['start.next>ask', 'ask.next>say'],
  )
  const done = play(flow, [write('hi'), write('tea'), write('hi')])
  expect(linesOf(done).filter((line) => line.startsWith('say'))).toEqual([
    'say nothing yet',
    'say You said tea',
    'say nothing yet',
  ])
  const program = compileFlow(flow)
  const waiting = step(program, idleState, said('hi'), facts).state
  const full = { ...waiting, session: { other: 'x'.repeat(maxSessionBytes - 12) } }
  expect(step(program, full, said('tea'), facts).end).toMatchObject({ outcome: 'failed', code: 'session_full' })
})

test('answers of a form are variables of the session, by their questions; an older copy of another form asks again', () => {
  const form = (text: string, formId: string) => ({ kind: 'form', text, button: 'Open', formId, screen: 'START' })
  const flow = draw(
    {
      start: { kind: 'any_message' },
      visit: form('Visit', '77'),
      pay: form('Pay', '78'),
      say: { kind: 'send_text', text: '{{session.Wanted day}}, {{session.Items › 1. › Size M}}; {{last_answer}}' },
    },
    ['start.next>visit', 'visit.next>pay', 'pay.next>say'],
  )
  const program = compileFlow(flow)
  const first = step(program, idleState, said('hi'), facts)
  expect(first.actions).toMatchObject([{ content: { type: 'form', screen: 'START', token: '1.form' } }])
  const filled = (inputNo: number, answers: Record<string, string>) => ({
    ...fillIn(answers),
    choice: { inputNo, id: 'form' },
  })
  const second = step(program, first.state, filled(1, { 'Wanted day': 'Monday', 'Items › 1. › Size {M}': '2' }), facts)
  expect(second.actions).toMatchObject([{ content: { text: 'Pay', token: '2.form' } }])
  const late = step(program, second.state, filled(1, { 'Wanted day': 'Friday' }), facts)
  expect(late.actions).toMatchObject([{ content: { text: 'Pay', token: '2.form' } }])
  expect(late.state).toMatchObject({ nodeId: 'pay', tries: 0, session: { 'Wanted day': 'Monday' } })
  const done = step(program, late.state, filled(2, { Card: 'x' }), facts)
  expect(done.actions[0]).toMatchObject({ content: { text: 'Monday, 2; Card: x' } })
})

test('a form that is filled in again has its new answers alone; what was asked for otherwise stays', () => {
  const flow = draw(
    {
      start: { kind: 'any_message' },
      ask: { kind: 'ask', text: 'Size?', attribute: 'Size', save: 'session' },
      visit: { kind: 'form', text: 'Visit', button: 'Open', formId: '77' },
      say: { kind: 'send_text', text: '{{session.Size}}, {{session.Day}}, {{session.Notes|none}}' },
      once: { kind: 'ask', text: 'Again?', attribute: 'Day', save: 'session' },
    },
    ['start.next>ask', 'ask.next>visit', 'visit.next>say', 'say.next>once', 'once.next>visit'],
  )
  const lines = [write('hi'), write('XL'), fillIn({ Day: 'Monday', Notes: 'Ring' }), write('Friday'), fillIn({})]
  expect(linesOf(play(flow, lines)).filter((line) => line.includes(', '))).toEqual([
    'say XL, Monday, Ring',
    'say XL, Friday, none',
  ])
})

test.each([
  ['bytes', Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`Q${at}`, 'x'.repeat(1000)]))],
  ['answers', Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`Q${at}`, 'x']))],
])('a form of more %s than a session holds fails whole, and says so', (_, answers) => {
  const visit = { kind: 'form', text: 'Visit', button: 'Open', formId: '77' } as const
  const program = compileFlow(flowOf(visit, []))
  const asked = { ...step(program, idleState, said('hi'), facts).state, session: { size: 'XL' } }
  const failed = step(program, asked, fillIn(answers), facts)
  expect(failed.state.session).toEqual({ size: 'XL' })
  expect(failed.end).toMatchObject({ code: 'session_full', message: expect.stringContaining('than a run holds') })
  expect(step(program, asked, fillIn({ Day: 'x'.repeat(8000) }), facts).end).toMatchObject({ outcome: 'completed' })
})

test('a tap answers the question on which it stands; an older one asks the open question again', () => {
  const flow = draw(
    {
      start: { kind: 'any_message' },
      size: menu('Size?', 'Small', 'Large'),
      kind: menu('Kind?', 'Green', 'Black'),
      say: { kind: 'send_text', text: 'Thanks' },
    },
    ['start.next>size', 'size.small>kind', 'size.large>kind', 'kind.green>say'],
  )
  expect(
    linesOf(play(flow, [write('hi'), tap('Small'), tap('Large'), tap('Large'), tap('Large'), tap('Green')])),
  ).toEqual([
    'buttons Small,Large',
    'buttons Green,Black',
    'buttons Green,Black',
    'buttons Green,Black',
    'buttons Green,Black',
    'say Thanks',
    'release resolved',
    'end completed',
  ])
  const program = compileFlow(flow)
  const first = step(program, idleState, said('hi'), facts)
  expect(first.actions).toMatchObject([{ content: { options: [{ id: '1.small' }, { id: '1.large' }] } }])
  // A question that is asked again keeps its number: a tap on either copy counts.
  const again = step(program, first.state, said('what?'), facts)
  expect(again.actions).toMatchObject([{ content: { options: [{ id: '1.small' }, { id: '1.large' }] } }])
  const tapped = step(program, again.state, said('Small', { choice: { inputNo: 1, id: 'small' } }), facts)
  expect(tapped.state.nodeId).toBe('kind')
})

test('late timers and answers, and inputs of no use, change nothing', () => {
  const program = compileFlow(flowOf({ kind: 'wait_reply', timeoutSeconds: 60 }, ['reply', 'timeout']))
  const waiting = step(program, idleState, said('hi'), facts).state
  const later = { ...facts, now: facts.now + 60_000 }
  for (const input of [
    { type: 'timer', inputNo: 0 },
    { type: 'http_answer', inputNo: 1, result: 'ok', values: {} },
    { type: 'handed_over' },
    { type: 'not_delivered', inputNo: 1 },
  ] as const)
    expect(step(program, waiting, input, later)).toEqual({ state: waiting, actions: [], trace: [], consumed: false })
  expect(step(program, waiting, { type: 'timer', inputNo: 1 }, facts).consumed).toBe(false)
  const ended = step(program, waiting, { type: 'timer', inputNo: 1 }, later)
  expect(ended.trace).toMatchObject([
    { nodeId: 'here', branch: 'timeout' },
    { nodeId: 'after-timeout', branch: 'next' },
  ])
  expect(step(program, ended.state, said('more'), later).consumed).toBe(false)
})

test('a step that is repeated with outcomes asks for the same up to a refusal, and leaves by failed then', () => {
  const flow = draw(
    {
      start: { kind: 'any_message' },
      one: { kind: 'send_text', text: 'One' },
      tag: { kind: 'add_tag', tag: 'lead' },
      two: { kind: 'send_text', text: 'Two' },
      other: { kind: 'send_text', text: 'Other' },
    },
    ['start.next>one', 'one.next>tag', 'tag.next>two', 'tag.failed>other'],
  )
  const program = compileFlow(flow)
  const first = step(program, idleState, said('hi'), facts)
  const again = step(program, idleState, said('hi'), facts, [{ outcome: 'done' }, { outcome: 'refused', code: 'no' }])
  expect(step(program, idleState, said('hi'), facts, [])).toEqual(first)
  expect(again.actions.slice(0, 2)).toEqual(first.actions.slice(0, 2))
  expect(again.actions[2]).toMatchObject({ type: 'send', content: { text: 'Other' } })
  expect(again.trace.map(({ nodeId, branch }) => [nodeId, branch])).toEqual([
    ['start', 'next'],
    ['one', 'next'],
    ['tag', 'failed'],
    ['other', 'next'],
  ])
  // Every action belongs to a node.
  for (const { trace, actions } of [first, again])
    expect(trace.reduce((sum, one) => sum + one.actions, 0)).toBe(actions.length)
})

test('free text waits for more of it; keywords, taps, titles and complete answers do not', () => {
  const idle = compileFlow(
    draw({ any: { kind: 'any_message' }, word: { kind: 'keyword', keywords: ['order'], match: 'word' } }, []),
  )
  const more = (program: typeof idle, state: typeof idleState, text: string) =>
    waitsForMore(program, state, write(text), facts)
  expect([more(idle, idleState, 'I have'), more(idle, idleState, 'my order'), more(idle, idleState, 'agent')]).toEqual([
    true,
    false,
    false,
  ])
  const at = (settings: Parameters<typeof flowOf>[0], text: string) => {
    const program = compileFlow(flowOf(settings))
    return more(program, step(program, idleState, said('hi'), facts).state, text)
  }
  const question = { kind: 'ask', text: '?', attribute: 'x' } as const
  expect(at(question, 'it is')).toBe(true)
  expect([at({ ...question, expects: 'number' }, '42'), at({ ...question, expects: 'number' }, 'about')]).toEqual([
    false,
    true,
  ])
  const choice = { kind: 'buttons', text: '?', choices: [{ id: 'a', title: 'Tea' }] } as const
  expect([
    at({ ...choice, choices: [...choice.choices] }, 'tea'),
    at({ ...choice, choices: [...choice.choices] }, 'well'),
  ]).toEqual([false, true])
})

test('a step says where a text lost its end, and only there', () => {
  const flow = draw(
    {
      start: { kind: 'any_message' },
      long: { kind: 'send_text', text: '{{long}}'.repeat(5) },
      short: { kind: 'send_text', text: 'Hi' },
    },
    ['start.next>long', 'long.next>short'],
  )
  const person = { ...facts.person, attributes: { long: 'x'.repeat(1000) } }
  const { trace } = step(compileFlow(flow), idleState, said('hi'), { ...facts, person })
  expect(trace.map(({ nodeId, isCut }) => [nodeId, isCut])).toEqual([
    ['start', undefined],
    ['long', true],
    ['short', undefined],
  ])
})
