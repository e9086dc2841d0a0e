import { type NodeSettings, nodeKinds } from '@parley/contracts/automation/flow'
import { expect, test } from 'vitest'
import { flowOf, hours, linesOf, located, picture, play, refuse, tap, wait, write } from './interpreter-fixtures.ts'
import type { ScriptLine } from './play-script.ts'
import { defaultSettings, type Facts } from './state.ts'

const choices = [
  { id: 'a', title: 'Black tea' },
  { id: 'b', title: 'Green tea' },
]
const passing: Readonly<Record<string, string>> = {
  handed: defaultSettings.handOverText,
  failure: defaultSettings.failureText,
}
const { handed, failure } = passing
const over = ['release resolved', 'end completed']
const given = (why: string, ...more: string[]) => [
  `say ${handed}`,
  `note ${[why, ...more].join(' / ')}`,
  'release attention',
  'end handed_over',
]
const broken = (code: string, ...more: string[]) => [
  `say ${failure}`,
  `note A step of the bot was refused: ${code}. / ${['Last message: hi', ...more].join(' / ')}`,
  'release attention',
  'end failed',
]

interface Case {
  settings: NodeSettings
  branches?: string[]
  lines?: ScriptLine[]
  hours?: Facts['hours']
  attributes?: Facts['attributes']
  does: string[]
}
const ask = (more: Partial<Extract<NodeSettings, { kind: 'ask' }>> = {}): NodeSettings => ({
  kind: 'ask',
  text: 'Which?',
  attribute: 'order',
  ...more,
})
const answered = (
  expects: Extract<NodeSettings, { kind: 'ask' }>['expects'],
  line: ScriptLine,
  value: string,
): Case => ({
  settings: ask({ expects }),
  lines: [write('hi'), line],
  does: ['say Which?', `set order=${value}`, 'say by next', ...over],
})
const unfit = (expects: Extract<NodeSettings, { kind: 'ask' }>['expects'], line: ScriptLine): Case => ({
  settings: ask({ expects }),
  lines: [write('hi'), line],
  does: ['say Which?', 'say Which?'],
})

const cases: Record<NodeSettings['kind'], Case[]> = {
  keyword: [
    {
      settings: { kind: 'keyword', keywords: ['Order'], match: 'exact' },
      lines: [write(' order ')],
      does: ['say by next', ...over],
    },
    {
      settings: { kind: 'keyword', keywords: ['order'], match: 'exact' },
      lines: [write('my order')],
      does: ['passed no_trigger'],
    },
    {
      settings: { kind: 'keyword', keywords: ['order'], match: 'word' },
      lines: [write('My ORDER?')],
      does: ['say by next', ...over],
    },
    {
      settings: { kind: 'keyword', keywords: ['hi'], match: 'word' },
      lines: [write('what is this')],
      does: ['passed no_trigger'],
    },
  ],
  any_message: [
    { settings: { kind: 'any_message' }, lines: [picture], does: ['say by next', ...over] },
    {
      settings: { kind: 'any_message', when: 'first' },
      lines: [write('x'), write('y')],
      does: ['say by next', ...over, 'passed no_trigger'],
    },
    {
      settings: { kind: 'any_message' },
      lines: [write('a human, please')],
      does: given('The customer asks for a person.', 'Last message: a human, please'),
    },
  ],
  handed_over: [
    {
      settings: { kind: 'handed_over' },
      lines: [{ type: 'handed_over' }],
      does: ['say by next', 'release resolved', 'end completed'],
    },
    { settings: { kind: 'handed_over' }, lines: [write('x')], does: ['passed no_trigger'] },
  ],
  event: [
    {
      settings: {
        kind: 'event',
        event: 'contact.tagged',
        filter: { match: 'all', conditions: [{ field: 'tags', comparison: 'contains', value: 'VIP' }] },
      },
      lines: [{ type: 'event', event: 'contact.tagged' }],
      does: ['say by next', ...over],
    },
    {
      settings: {
        kind: 'event',
        event: 'contact.tagged',
        filter: { match: 'all', conditions: [{ field: 'campaign', comparison: 'equals', value: 'Summer' }] },
      },
      lines: [
        { type: 'event', event: 'contact.tagged' },
        { type: 'event', event: 'contact.created', fields: { campaign: 'summer' } },
        { type: 'event', event: 'contact.tagged', fields: { campaign: 'summer' } },
      ],
      does: ['passed no_trigger', 'passed no_trigger', 'say by next', ...over],
    },
  ],
  send_text: [
    {
      settings: { kind: 'send_text', text: 'Hi {{ first_name }} of {{city}}{{nothing}}!' },
      does: ['say Hi Asha of Pune!', 'say by next', ...over],
    },
    {
      settings: { kind: 'send_text', text: '{{nothing}}' },
      branches: ['next', 'failed'],
      does: ['say by failed', ...over],
    },
    {
      settings: { kind: 'send_text', text: 'Hello' },
      branches: ['next', 'failed'],
      lines: [refuse('send'), write('hi')],
      does: ['say Hello !window_closed', 'say by failed', ...over],
    },
    {
      settings: { kind: 'send_text', text: 'Hello' },
      lines: [refuse('send', 'opted_out'), write('hi')],
      does: ['say Hello !opted_out', ...broken('opted_out')],
    },
  ],
  send_media: [
    {
      settings: { kind: 'send_media', media: 'document', mediaId: 'm1', fileName: 'prices.pdf', caption: '{{name}}' },
      does: ['send document', 'say by next', ...over],
    },
    {
      settings: { kind: 'send_media', media: 'audio', mediaId: 'm1' },
      branches: ['next', 'failed'],
      lines: [refuse('send'), write('hi')],
      does: ['send audio !window_closed', 'say by failed', ...over],
    },
  ],
  send_template: [
    {
      settings: { kind: 'send_template', templateId: 't1', variables: { '1': '{{name}}' } },
      does: ['send_template', 'say by next', ...over],
    },
    {
      settings: { kind: 'send_template', templateId: 't1', variables: {} },
      branches: ['next', 'failed'],
      lines: [refuse('send_template', 'quota_reached'), write('hi')],
      does: ['send_template !quota_reached', 'say by failed', ...over],
    },
  ],
  ask: [
    answered('text', write(' 42 '), '42'),
    answered('text', write('first', 'second'), 'first\nsecond'),
    answered('number', write('1,5'), '1.5'),
    answered('email', write(' Meera@Shop.example '), 'meera@shop.example'),
    answered('phone', write('+91 98765-43210'), '+919876543210'),
    answered('date', write('24.11.2026'), '2026-11-24'),
    answered('location', located, '18.52,73.85'),
    answered('media', picture, 'image'),
    answered('any', picture, 'image'),
    unfit('text', picture),
    unfit('number', write('many')),
    unfit('email', write('meera@shop')),
    unfit('phone', write('98765')),
    unfit('date', write('tomorrow')),
    unfit('location', write('Pune')),
    unfit('media', write('later')),
    {
      settings: ask({ expects: 'number', invalidText: 'A number, please.', tries: 3 }),
      lines: [write('hi'), write('x'), write('y'), write('z')],
      does: [
        'say Which?',
        'say A number, please.',
        'say A number, please.',
        ...given('The bot did not understand the answer.', 'Last message: z'),
      ],
    },
    {
      settings: ask({ expects: 'number' }),
      branches: ['next', 'invalid'],
      lines: [write('hi'), write('x'), write('y')],
      does: ['say Which?', 'say Which?', 'say by invalid', ...over],
    },
    {
      settings: ask({ timeoutSeconds: 60 }),
      branches: ['next', 'timeout'],
      lines: [write('hi'), wait(59), wait(1)],
      does: ['say Which?', 'say by timeout', ...over],
    },
    { settings: ask(), lines: [write('hi'), wait(23 * 3600)], does: ['say Which?', 'release', 'end abandoned'] },
    {
      settings: ask(),
      lines: [write('hi'), write('let me talk to an AGENT!')],
      does: ['say Which?', ...given('The customer asks for a person.', 'Last message: let me talk to an AGENT!')],
    },
    {
      settings: ask(),
      lines: [write('hi'), write('from the agency')],
      does: ['say Which?', 'set order=from the agency', 'say by next', ...over],
    },
    {
      settings: ask({ save: 'session' }),
      lines: [write('hi'), write('42')],
      does: ['say Which?', 'say by next', ...over],
    },
    {
      settings: ask({ attribute: 'Delivered' }),
      attributes: [{ name: 'Delivered', label: 'Delivered', type: 'yes_no', choices: [] }],
      lines: [write('hi'), write('maybe'), write('Ja')],
      does: ['say Which?', 'say Which?', 'set Delivered=yes', 'say by next', ...over],
    },
    {
      settings: ask(),
      branches: ['next', 'failed'],
      lines: [write('hi'), refuse('set_attribute', 'validation_failed'), write('42')],
      does: ['say Which?', 'set order=42 !validation_failed', 'say by failed', ...over],
    },
    {
      settings: ask(),
      branches: ['failed'],
      lines: [refuse('send'), write('hi')],
      does: ['say Which? !window_closed', 'say by failed', ...over],
    },
  ],
  buttons: [
    {
      settings: { kind: 'buttons', text: 'Which?', choices },
      branches: ['a', 'b'],
      lines: [write('hi'), tap('Green tea')],
      does: ['buttons Black tea,Green tea', 'say by b', ...over],
    },
    {
      settings: { kind: 'buttons', text: 'Which?', choices },
      branches: ['a', 'b'],
      lines: [write('hi'), write('coffee'), write('black  TEA')],
      does: ['buttons Black tea,Green tea', 'buttons Black tea,Green tea', 'say by a', ...over],
    },
    {
      settings: { kind: 'buttons', text: 'Which?', choices, tries: 1 },
      branches: ['a', 'invalid'],
      lines: [write('hi'), write('coffee')],
      does: ['buttons Black tea,Green tea', 'say by invalid', ...over],
    },
    {
      settings: { kind: 'buttons', text: 'Which?', choices },
      lines: [write('hi'), picture, write('coffee')],
      does: [
        'buttons Black tea,Green tea',
        'buttons Black tea,Green tea',
        ...given('The bot did not understand the answer.', 'Last message: coffee'),
      ],
    },
    {
      settings: { kind: 'buttons', text: 'Which?', choices, timeoutSeconds: 60 },
      branches: ['timeout'],
      lines: [write('hi'), wait(60)],
      does: ['buttons Black tea,Green tea', 'say by timeout', ...over],
    },
  ],
  list: [
    {
      settings: { kind: 'list', text: 'Which?', button: 'Choose', rows: choices },
      branches: ['a', 'b'],
      lines: [write('hi'), tap('Black tea')],
      does: ['list Black tea,Green tea', 'say by a', ...over],
    },
    {
      settings: { kind: 'list', text: 'Which?', button: 'Choose', rows: choices, tries: 1 },
      branches: ['invalid'],
      lines: [write('hi'), write('coffee')],
      does: ['list Black tea,Green tea', 'say by invalid', ...over],
    },
  ],
  set_attribute: [
    {
      settings: { kind: 'set_attribute', attribute: 'seen', value: '{{city}}' },
      does: ['set seen=Pune', 'say by next', ...over],
    },
    {
      settings: { kind: 'set_attribute', attribute: 'due', value: 'soon' },
      attributes: [{ name: 'due', label: 'Due', type: 'date', choices: [] }],
      branches: ['next', 'failed'],
      does: ['say by failed', ...over],
    },
  ],
  add_tag: [
    { settings: { kind: 'add_tag', tag: 'lead' }, does: ['add_tag lead', 'say by next', ...over] },
    {
      settings: { kind: 'add_tag', tag: 'lead' },
      branches: ['failed'],
      lines: [refuse('add_tag', 'too_many_tags'), write('hi')],
      does: ['add_tag lead !too_many_tags', 'say by failed', ...over],
    },
  ],
  remove_tag: [{ settings: { kind: 'remove_tag', tag: 'VIP' }, does: ['remove_tag VIP', 'say by next', ...over] }],
  assign: [
    {
      settings: { kind: 'assign', to: { kind: 'member', memberId: 'u1' }, note: 'Ask {{name}}' },
      does: [`say ${handed}`, 'assign u1', 'note Ask Asha Rao / Last message: hi', 'say by next', 'end handed_over'],
    },
    {
      settings: { kind: 'assign', to: { kind: 'queue' } },
      branches: ['next', 'failed'],
      lines: [refuse('assign', 'not_found'), write('hi')],
      does: [`say ${handed}`, 'assign queue !not_found', 'say by failed', ...over],
    },
  ],
  close: [
    { settings: { kind: 'close' }, branches: [], does: ['close', 'end completed'] },
    {
      settings: { kind: 'close' },
      branches: ['failed'],
      lines: [refuse('close', 'conversation_taken'), write('hi')],
      does: ['close !conversation_taken', 'say by failed', ...over],
    },
  ],
  http_call: [
    {
      settings: { kind: 'http_call', method: 'GET', url: 'https://shop.example/orders/{{city}}', saveTo: 'order' },
      lines: [write('hi'), { type: 'http_answer', ok: true, body: 'sent' }],
      does: ['GET https://shop.example/orders/Pune', 'set order=sent', 'say by next', ...over],
    },
    {
      settings: { kind: 'http_call', method: 'GET', url: 'https://shop.example', saveTo: 'order' },
      branches: ['next', 'failed'],
      lines: [write('hi'), write('still there?'), { type: 'http_answer', ok: false, body: 'no' }],
      does: ['GET https://shop.example', 'passed waiting', 'say by failed', ...over],
    },
  ],
  go_to_bot: [{ settings: { kind: 'go_to_bot', botId: 'bot-2' }, branches: [], does: ['end completed bot-2'] }],
  end: [{ settings: { kind: 'end' }, branches: [], does: ['release', 'end completed'] }],
  business_hours: [
    { settings: hours(), branches: ['yes', 'no'], does: ['say by yes', ...over] },
    { settings: hours('15:30'), branches: ['yes', 'no'], does: ['say by no', ...over] },
    {
      settings: { kind: 'business_hours', hours: { use: 'workspace' } },
      branches: ['yes', 'no'],
      hours: { timeZone: 'Asia/Kolkata', spans: [{ day: 1, from: '08:00', to: '09:00' }], closedOn: [] },
      does: ['say by no', ...over],
    },
    {
      settings: { kind: 'business_hours', hours: { use: 'workspace' } },
      branches: ['yes', 'no'],
      does: ['say by yes', ...over],
    },
  ],
  attribute: [
    {
      settings: { kind: 'attribute', attribute: 'age', comparison: 'greater_than', value: '18' },
      branches: ['yes', 'no'],
      does: ['say by yes', ...over],
    },
    {
      settings: { kind: 'attribute', attribute: 'constructor', comparison: 'is_set' },
      branches: ['yes', 'no'],
      does: ['say by no', ...over],
    },
    {
      settings: { kind: 'attribute', attribute: 'attributes.Order date', comparison: 'less_than', value: '2026-03-02' },
      branches: ['yes', 'no'],
      does: ['say by yes', ...over],
    },
  ],
  tag: [
    { settings: { kind: 'tag', tag: 'VIP' }, branches: ['yes', 'no'], does: ['say by yes', ...over] },
    { settings: { kind: 'tag', tag: 'vi' }, branches: ['yes', 'no'], does: ['say by no', ...over] },
  ],
  last_answer: [
    {
      settings: { kind: 'last_answer', comparison: 'contains', value: 'tea' },
      branches: ['yes', 'no'],
      lines: [write('Green Tea')],
      does: ['say by yes', ...over],
    },
  ],
  wait_time: [
    {
      settings: { kind: 'wait_time', seconds: 60 },
      lines: [write('hi'), write('hello?'), wait(59), wait(1)],
      does: ['wait 60', 'passed waiting', 'say by next', ...over],
    },
  ],
  wait_reply: [
    {
      settings: { kind: 'wait_reply', timeoutSeconds: 60 },
      branches: ['reply', 'timeout'],
      lines: [write('hi'), picture],
      does: ['wait 60', 'say by reply', ...over],
    },
    {
      settings: { kind: 'wait_reply', timeoutSeconds: 60 },
      branches: ['reply', 'timeout'],
      lines: [write('hi'), wait(60)],
      does: ['wait 60', 'say by timeout', ...over],
    },
    {
      settings: { kind: 'wait_reply', timeoutSeconds: 60 },
      branches: ['reply'],
      lines: [write('hi'), wait(60)],
      does: ['wait 60', 'release', 'end abandoned'],
    },
  ],
}

test('there is a case for every kind of node', () => {
  expect(Object.keys(cases).toSorted()).toEqual(Object.values(nodeKinds).flat().toSorted())
})

test.each(
  Object.entries(cases).flatMap(([kind, list]) => list.map((one, index) => [`${kind} ${index + 1}`, one] as const)),
)('%s', (_, { settings, branches, lines = [write('hi')], does, ...more }) => {
  expect(linesOf(play(flowOf(settings, branches), lines, more))).toEqual(does)
})
