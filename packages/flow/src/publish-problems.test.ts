import { expect, test } from 'vitest'
import { draw } from './interpreter-fixtures.ts'
import type { RoutedTrigger } from './keywords.ts'
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
import { maxFlowBytes, publishProblems, type World } from './publish-problems.ts'

const templates = [{ id: 't', name: 'offer', isApproved: false, placeholders: ['1', '2'] }]
const offering = [{ id: 't', name: 'offer', isApproved: true, placeholders: ['offer_ends'] }]
const ending = (end: string) => withNode({ kind: 'send_template', templateId: 't', variables: { offer_ends: end } })

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
