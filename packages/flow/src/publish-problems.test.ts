import { expect, test } from 'vitest'
import { draw } from './interpreter-fixtures.ts'
import type { RoutedTrigger } from './keywords.ts'
import { maxFlowBytes, publishProblems, type World } from './publish-problems.ts'

type Drawn = Parameters<typeof draw>
const world: World = { botId: 'own', numberIds: ['n1'] }
const start = { kind: 'any_message' }
const ask = { kind: 'ask', text: '?', attribute: 'x' }
const say = { kind: 'send_text', text: 'Hi' }
const assign = { kind: 'assign', to: { kind: 'queue' } }
const bots = [
  { id: 'own', name: 'Own', isPublished: true, leadsTo: [] },
  { id: 'b', name: 'Orders', isPublished: true, leadsTo: ['c'] },
  { id: 'c', name: 'Returns', isPublished: true, leadsTo: ['own'] },
  { id: 'd', name: 'Drafts', isPublished: false, leadsTo: [] },
]
const others = (
  match: RoutedTrigger['match'],
  keyword?: string,
  more: Partial<RoutedTrigger> = {},
): RoutedTrigger[] => [{ flowId: 'b', nodeId: 't', numberId: 'n1', order: 1, match, keyword, ...more }]
const keyword = (word: string, match = 'word') => ({ kind: 'keyword', keywords: [word], match })
const form = { kind: 'form', text: 'Book', button: 'Open', formId: '77' }
const formWorld = (more: object): Partial<World> => ({
  forms: new Map([['77', { name: 'Visits', state: 'published', hasEndpoint: false, elsewhere: 'none', ...more }]]),
})
const templates = [{ id: 't', name: 'offer', isApproved: false, placeholders: ['1', '2'] }]
const offering = [{ id: 't', name: 'offer', isApproved: true, placeholders: ['offer_ends'] }]
const ending = (end: string) => withNode({ kind: 'send_template', templateId: 't', variables: { offer_ends: end } })

/** A node between a trigger and a hand-over. */
const withNode = (node: Drawn[0][string], branch = 'next'): Drawn => [
  { start, node, assign },
  ['start.next>node', `node.${branch}>assign`],
]

const critical: [string, Drawn, Partial<World>, string, RegExp][] = [
  ['what the builder marks', withNode({ kind: 'send_text', text: '' }), {}, 'settings:node', /Enter the message/],
  [
    'an unknown template',
    withNode({ kind: 'send_template', templateId: 'gone', variables: {} }),
    { templates },
    'unknown_template:node',
    /does not exist/,
  ],
  [
    'a template that waits for approval',
    withNode({ kind: 'send_template', templateId: 't', variables: { '1': 'a', '2': 'b' } }),
    { templates },
    'template_not_approved:node',
    /offer/,
  ],
  [
    'an empty placeholder',
    withNode({ kind: 'send_template', templateId: 't', variables: { '1': 'a', '2': ' ' } }),
    { templates },
    'template_unfilled:node',
    /\{\{2\}\}/,
  ],
  [
    'an approved template that cannot be sent',
    withNode({ kind: 'send_template', templateId: 't', variables: { offer_ends: '{{session.end}}' } }),
    { templates: [{ ...offering[0], unsendable: 'This template needs a picture' } as (typeof offering)[0]] },
    'template_unsendable:node',
    /needs a picture\.$/,
  ],
  ['an end that is no time', ending('tomorrow'), { templates: offering }, 'offer_end:node', /no time/],
  [
    'an end of words and a variable',
    ending('on {{session.end}}'),
    { templates: offering },
    'offer_end:node',
    /no time/,
  ],
  [
    'an end that is over',
    ending('2026-11-29T10:00:00Z'),
    { templates: offering, now: Date.parse('2026-11-29T10:00:00Z') },
    'offer_end:node',
    /has ended/,
  ],
  [
    'a member who has left',
    withNode({ kind: 'assign', to: { kind: 'member', memberId: 'u1' } }),
    { memberIds: new Set() },
    'unknown_member:node',
    /no longer/,
  ],
  [
    'a file that is gone',
    withNode({ kind: 'send_media', media: 'image', mediaId: 'm1' }),
    { mediaIds: new Set() },
    'unknown_file:node',
    /Upload/,
  ],
  ['a form that does not exist', withNode(form), { forms: new Map() }, 'unknown_form:node', /does not exist/],
  [
    'a form that was deleted',
    withNode(form),
    formWorld({ state: 'deleted' }),
    'form_not_published:node',
    /was deleted/,
  ],
  ['a form that is a draft', withNode(form), formWorld({ state: 'draft' }), 'form_not_published:node', /is a draft/],
  [
    'a form with a server of its own',
    withNode(form),
    formWorld({ hasEndpoint: true }),
    'form_not_supported:node',
    /needs none/,
  ],
  ['a form of another account', withNode(form), formWorld({ elsewhere: 'all' }), 'form_elsewhere:node', /Visits/],
  [
    'a field that nobody has defined',
    withNode({ kind: 'attribute', attribute: 'Shoe size', comparison: 'is_set' }, 'yes'),
    { attributes: new Set(['city']) },
    'unknown_field:node',
    /Shoe size/,
  ],
  [
    'an unknown bot',
    [{ start, node: { kind: 'go_to_bot', botId: 'gone' } }, ['start.next>node']],
    { bots },
    'unknown_bot:node',
    /does not exist/,
  ],
  [
    'a bot without a version',
    [{ start, node: { kind: 'go_to_bot', botId: 'd' } }, ['start.next>node']],
    { bots },
    'bot_not_published:node',
    /Drafts/,
  ],
  [
    'bots in a circle',
    [{ start, node: { kind: 'go_to_bot', botId: 'b' } }, ['start.next>node']],
    { bots },
    'bot_circle:node',
    /leads back/,
  ],
  [
    'a keyword of another bot',
    [{ start: keyword(' TEA '), assign }, ['start.next>assign']],
    { bots, triggers: others('word', 'tea') },
    'keyword_taken:start',
    /Orders/,
  ],
  [
    'any message of another bot',
    withNode(say),
    { bots, triggers: others('any_message') },
    'any_message_taken:start',
    /Orders/,
  ],
  [
    'a word of consent',
    [{ start: keyword('stop'), assign }, ['start.next>assign']],
    { isConsentWord: (text) => text === 'stop' },
    'consent_word:start',
    /consent/,
  ],
  [
    'a connection that does not exist',
    withNode({ kind: 'http_call', connectionId: 'gone', method: 'GET', path: '/' }),
    { connectionIds: new Set(['shop']) },
    'unknown_connection:node',
    /Choose another/,
  ],
  [
    'a value of an answer that goes to a field which contacts do not have',
    withNode({
      kind: 'http_call',
      connectionId: 'shop',
      method: 'GET',
      path: '/',
      mappings: [
        { pointer: '/a', attribute: 'kept', save: 'session' },
        { pointer: '/b', attribute: 'nowhere' },
      ],
    }),
    { attributes: new Set(['city']) },
    'unknown_field:node',
    /no field nowhere/,
  ],
  [
    'a question after the hand-over',
    [{ start, assign, node: ask }, ['start.next>assign', 'assign.next>node']],
    {},
    'asked_after_assign:node',
    /person answers/,
  ],
]

test.each(critical)('%s refuses publication', (_, drawn, more, key, words) => {
  const found = publishProblems(draw(...drawn), { ...world, ...more })
  const problem = found.find(({ code, nodeId }) => `${code}:${nodeId}` === key)
  expect(problem).toMatchObject({ severity: 'critical', message: expect.stringMatching(words) })
})

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

test('which of two bots answers is said, with its owner', () => {
  const flow = draw({ start: keyword('tea'), assign }, ['start.next>assign'])
  const at = (match: RoutedTrigger['match'], word: string) =>
    publishProblems(flow, { ...world, bots, triggers: others(match, word) })[0]
  expect(at('word', 'green tea')).toMatchObject({
    owner: { id: 'b', name: 'Orders' },
    message: '“green tea” fits “tea” here and “green tea” of Orders: Orders answers it.',
  })
  expect(at('text', 'a tea')?.message).toContain('this bot answers')
})

test('a flow of more than 512 KiB is refused', () => {
  const long = 'x'.repeat(4000)
  const count = Math.ceil(maxFlowBytes / 4000)
  const nodes = Object.fromEntries(
    Array.from({ length: count }, (__, index) => [`s${index}`, { kind: 'send_text', text: long }]),
  )
  const edges = Array.from({ length: count }, (__, index) =>
    index === 0 ? 'start.next>s0' : `s${index - 1}.next>s${index}`,
  )
  expect(publishProblems(draw({ start, ...nodes }, edges), world)[0]).toMatchObject({
    code: 'too_large',
    severity: 'critical',
  })
})

test('flows of many circles and waits are read in a bounded number of steps', () => {
  const ids = Array.from({ length: 199 }, (__, index) => `w${index}`)
  const nodes = Object.fromEntries(
    ids.map((id, index) => [
      id,
      index % 2 === 0 ? { kind: 'wait_reply', timeoutSeconds: 10 } : { kind: 'wait_time', seconds: 1 },
    ]),
  )
  const edges = ids.flatMap((id, index) => {
    const next = ids[(index + 1) % ids.length]
    return index % 2 === 0
      ? [`${id}.timeout>${next}`, `${id}.reply>${ids[(index * 7) % ids.length]}`]
      : [`${id}.next>${next}`]
  })
  expect(
    publishProblems(draw({ start, ...nodes }, ['start.next>w0', ...edges]), world).map(({ code }) => code),
  ).toEqual(['never_hands_over'])
})

test('triggers of other bots are read as often for many keywords as for one', () => {
  let reads = 0
  const triggers = Array.from(
    { length: 1000 },
    (_, index): RoutedTrigger => ({
      flowId: `bot-${index}`,
      nodeId: 't',
      numberId: 'n1',
      order: index,
      match: 'word',
      get keyword() {
        reads += 1
        return `tea number ${index}`
      },
    }),
  )
  const readsFor = (words: readonly string[]) => {
    reads = 0
    const drawn: Drawn = [{ start: { kind: 'keyword', keywords: words, match: 'word' }, assign }, ['start.next>assign']]
    publishProblems(draw(...drawn), { ...world, triggers })
    return reads
  }
  const words = Array.from({ length: 50 }, (_, index) => `coffee number ${index}`)
  expect(readsFor(words)).toBe(readsFor(words.slice(0, 1)))
})
