import { expect, test } from 'vitest'
import { draw } from './interpreter-fixtures.ts'
import {
  ask,
  assign,
  bots,
  type Drawn,
  form,
  formWorld,
  keyword,
  others,
  say,
  start,
  withNode,
  world,
} from './publish-fixtures.ts'
import { publishProblems, type World } from './publish-problems.ts'

/** Messages one after the other, with something after the fifth. */
function messages(count: number, kind?: 'wait_time' | 'wait_reply', seconds = 0): Drawn {
  const says = Array.from({ length: count }, (_, index) => [`say${index}`, say] as const)
  const between = kind === 'wait_reply' ? { kind, timeoutSeconds: seconds } : { kind: 'wait_time', seconds }
  const branch = kind === 'wait_reply' ? 'reply' : 'next'
  const edges = says.flatMap(([id], index) => {
    const next = says[index + 1]?.[0] ?? 'assign'
    return kind && index === 4 ? [`${id}.next>between`, `between.${branch}>${next}`] : [`${id}.next>${next}`]
  })
  return [{ start, ...Object.fromEntries(says), assign, ...(kind && { between }) }, ['start.next>say0', ...edges]]
}

const byClock = (every: 'day' | 'once'): Drawn => [
  {
    clock: {
      kind: 'schedule',
      repeat: { every, ...(every === 'once' && { date: '2036-01-01' }) },
      time: '09:00',
      timeZone: 'Asia/Kolkata',
      segmentId: 'all',
    },
    tag: { kind: 'add_tag', tag: 'x' },
  },
  ['clock.next>tag'],
]
const longWait = { kind: 'wait_time', seconds: 86_400 }
const warnings: [string, Drawn, Partial<World>, string[]][] = [
  [
    'a form that some of the numbers cannot send, and its variables, which only the form knows',
    [
      { start, form, say: { kind: 'send_text', text: '{{session.Wanted day}}' }, assign },
      ['start.next>form', 'form.next>say', 'say.next>assign', 'form.invalid>assign', 'form.timeout>assign'],
    ],
    formWorld({ elsewhere: 'some' }),
    ['form_elsewhere:form'],
  ],
  [
    'a bot that is complete has none',
    [
      { start, node: { ...say, text: 'Hi {{first_name|there}}' }, ask, assign, end: { kind: 'end' } },
      ['start.next>node', 'node.next>ask', 'ask.next>assign', 'ask.invalid>assign', 'ask.timeout>end'],
    ],
    {},
    [],
  ],
  [
    'text a day later',
    [{ start, longWait, say, assign }, ['start.next>longWait', 'longWait.next>say', 'say.next>assign']],
    {},
    ['outside_window:say'],
  ],
  [
    'text after a question that waits for days',
    [
      { start, ask, say, assign, end: { kind: 'end' } },
      ['start.next>ask', 'ask.next>end', 'ask.invalid>assign', 'ask.timeout>say', 'say.next>assign'],
    ],
    { idleHours: 72 },
    ['outside_window:say'],
  ],
  ['ten messages at once', messages(10), {}, []],
  ['eleven messages at once, of which none is sent', messages(11), {}, ['too_many_messages:say10']],
  ['eleven messages with a short pause in between', messages(11, 'wait_time', 20), {}, ['too_many_messages:say10']],
  ['eleven messages with a minute in between', messages(11, 'wait_time', 60), {}, []],
  ['eleven messages with an answer in between', messages(11, 'wait_reply', 60), {}, []],
  [
    'text after many short waits in a circle',
    [
      { start, wait: { kind: 'wait_time', seconds: 60 }, say, assign, has: { kind: 'tag', tag: 'x' } },
      ['start.next>wait', 'wait.next>say', 'say.next>has', 'has.no>wait', 'has.yes>assign'],
    ],
    {},
    ['outside_window:say'],
  ],
  [
    'an answer opens the window again',
    [
      { start, longWait, reply: { kind: 'wait_reply', timeoutSeconds: 60 }, say, assign },
      ['start.next>longWait', 'longWait.next>reply', 'reply.reply>say', 'say.next>assign'],
    ],
    {},
    [],
  ],
  [
    'a variable that may be empty',
    withNode({ kind: 'send_text', text: 'Hi {{first_name}}' }),
    {},
    ['empty_variable:node'],
  ],
  [
    'what the flow asks for is not empty',
    [
      {
        start,
        ask: { ...ask, attribute: 'size', save: 'session' },
        say: { kind: 'send_text', text: 'Size {{session.size}} of {{last_answer}}' },
        assign,
      },
      ['start.next>ask', 'ask.next>say', 'say.next>assign', 'ask.invalid>assign', 'ask.timeout>assign'],
    ],
    {},
    [],
  ],
  ['a question with open ends', withNode(ask), {}, ['question_open:node']],
  ['a bot that hands nothing over', [{ start, say }, ['start.next>say']], {}, ['never_hands_over:null']],
  [
    'a decision that leads nowhere',
    [{ start, has: { kind: 'tag', tag: 'x' }, assign, other: keyword('y') }, ['start.next>has', 'other.next>assign']],
    {},
    ['dead_end:has'],
  ],
  [
    'sessions that wait at a node that is gone',
    withNode(say),
    {
      waiting: new Map([
        ['old', 3],
        ['node', 1],
      ]),
    },
    ['sessions_lost:old'],
  ],
  [
    'a schedule that repeats, where a contact starts once in all',
    byClock('day'),
    { kind: 'workflow', startsOnce: true },
    ['starts_once:clock'],
  ],
  ['a schedule that repeats, where a contact starts again', byClock('day'), { kind: 'workflow' }, []],
  ['a date, where a contact starts once in all', byClock('once'), { kind: 'workflow', startsOnce: true }, []],
  [
    'the keyword of another number is no matter',
    [{ start: keyword('tea'), assign }, ['start.next>assign']],
    { bots, triggers: others('word', 'tea', { numberId: 'n2' }) },
    [],
  ],
  [
    'a keyword within another bot’s',
    [{ start: keyword('tea'), assign }, ['start.next>assign']],
    { bots, triggers: others('word', 'green tea') },
    ['keyword_within:start'],
  ],
  [
    'a longer keyword that fits no message of the other is none',
    [{ start: keyword('tea'), assign }, ['start.next>assign']],
    { bots, triggers: others('word', 'steam') },
    [],
  ],
]

test.each(warnings)('%s', (_, drawn, more, keys) => {
  const found = publishProblems(draw(...drawn), { ...world, ...more })
  expect(found.map(({ code, nodeId }) => `${code}:${nodeId}`)).toEqual(keys)
  for (const { severity } of found) expect(severity).toBe('warning')
})
