import { type NodeSettings, nodeKinds } from '@parley/contracts/automation/flow'
import { expect, test } from 'vitest'
import { flowOf, hours, monday10, run, saidBy, typesOf, write } from './interpreter-fixtures.ts'
import type { FlowInput } from './state.ts'

const choices = [
  { id: 'a', title: 'Black tea' },
  { id: 'b', title: 'Green tea' },
]

interface Case {
  settings: NodeSettings
  branches?: string[]
  inputs?: FlowInput[]
  effects: string[]
  says?: string[]
}
const after = (seconds: number): FlowInput => ({ type: 'time', at: monday10 + seconds * 1000 })
const cases: Record<NodeSettings['kind'], Case[]> = {
  keyword: [
    {
      settings: { kind: 'keyword', keywords: ['Order'], match: 'exact' },
      inputs: [write(' order ')],
      effects: ['send_text', 'ended'],
    },
    { settings: { kind: 'keyword', keywords: ['order'], match: 'exact' }, inputs: [write('my order')], effects: [] },
    {
      settings: { kind: 'keyword', keywords: ['order'], match: 'contains' },
      inputs: [write('My ORDER?')],
      effects: ['send_text', 'ended'],
    },
  ],
  any_message: [{ settings: { kind: 'any_message' }, inputs: [write('x')], effects: ['send_text', 'ended'] }],
  event: [
    {
      settings: {
        kind: 'event',
        event: 'contact.tagged',
        filter: { match: 'all', conditions: [{ field: 'tags', comparison: 'contains', value: 'VIP' }] },
      },
      inputs: [{ type: 'event', at: monday10, event: 'contact.tagged' }],
      effects: ['send_text', 'ended'],
    },
    {
      settings: {
        kind: 'event',
        event: 'contact.tagged',
        filter: { match: 'all', conditions: [{ field: 'campaign', comparison: 'equals', value: 'Summer' }] },
      },
      inputs: [
        { type: 'event', at: monday10, event: 'contact.tagged' },
        { type: 'event', at: monday10, event: 'contact.created', fields: { campaign: 'summer' } },
        { type: 'event', at: monday10, event: 'contact.tagged', fields: { campaign: 'summer' } },
      ],
      effects: ['send_text', 'ended'],
    },
  ],
  send_text: [
    {
      settings: { kind: 'send_text', text: 'Hi {{ first_name }} of {{city}}{{nothing}}!' },
      effects: ['send_text', 'send_text', 'ended'],
      says: ['Hi Asha of Pune!', 'by next'],
    },
  ],
  send_template: [
    {
      settings: { kind: 'send_template', templateId: 't1', variables: { '1': '{{name}}' } },
      effects: ['send_template', 'send_text', 'ended'],
    },
  ],
  ask: [
    {
      settings: { kind: 'ask', text: 'Order number?', attribute: 'order' },
      inputs: [write('hi'), write(' 42 ')],
      effects: ['send_text', 'set_attribute', 'send_text', 'ended'],
      says: ['Order number?', 'by next'],
    },
  ],
  buttons: [
    {
      settings: { kind: 'buttons', text: 'Which?', choices },
      branches: ['a', 'b'],
      inputs: [write('hi'), write('', 'b')],
      effects: ['send_buttons', 'send_text', 'ended'],
      says: ['by b'],
    },
    {
      settings: { kind: 'buttons', text: 'Which?', choices },
      branches: ['a', 'b'],
      inputs: [write('hi'), write('coffee'), write('black TEA')],
      effects: ['send_buttons', 'send_buttons', 'send_text', 'ended'],
      says: ['by a'],
    },
  ],
  list: [
    {
      settings: { kind: 'list', text: 'Which?', button: 'Choose', rows: choices },
      branches: ['a', 'b'],
      inputs: [write('hi'), write('', 'a')],
      effects: ['send_list', 'send_text', 'ended'],
      says: ['by a'],
    },
  ],
  set_attribute: [
    {
      settings: { kind: 'set_attribute', attribute: 'seen', value: '{{city}}' },
      effects: ['set_attribute', 'send_text', 'ended'],
    },
  ],
  add_tag: [{ settings: { kind: 'add_tag', tag: 'lead' }, effects: ['add_tag', 'send_text', 'ended'] }],
  assign: [{ settings: { kind: 'assign', to: 'member-1' }, effects: ['assign', 'send_text', 'ended'] }],
  http_call: [
    {
      settings: { kind: 'http_call', method: 'GET', url: 'https://shop.example/orders/{{city}}', saveTo: 'order' },
      inputs: [write('hi'), { type: 'http_answer', at: monday10, ok: true, body: 'sent' }],
      effects: ['http_call', 'set_attribute', 'send_text', 'ended'],
    },
    {
      settings: { kind: 'http_call', method: 'GET', url: 'https://shop.example', saveTo: 'order' },
      inputs: [write('hi'), write('still there?'), { type: 'http_answer', at: monday10, ok: false, body: 'no' }],
      effects: ['http_call', 'send_text', 'ended'],
    },
  ],
  go_to_bot: [{ settings: { kind: 'go_to_bot', botId: 'bot-2' }, effects: ['go_to_bot', 'ended'] }],
  end: [{ settings: { kind: 'end' }, effects: ['ended'] }],
  business_hours: [
    { settings: hours, branches: ['yes', 'no'], effects: ['send_text', 'ended'], says: ['by yes'] },
    { settings: { ...hours, to: '15:30' }, branches: ['yes', 'no'], effects: ['send_text', 'ended'], says: ['by no'] },
    { settings: { ...hours, timeZone: 'Nowhere/Land' }, branches: ['yes', 'no'], effects: ['ended'] },
  ],
  attribute: [
    {
      settings: { kind: 'attribute', attribute: 'age', comparison: 'greater_than', value: '18' },
      branches: ['yes', 'no'],
      effects: ['send_text', 'ended'],
      says: ['by yes'],
    },
    {
      settings: { kind: 'attribute', attribute: 'constructor', comparison: 'is_set' },
      branches: ['yes', 'no'],
      effects: ['send_text', 'ended'],
      says: ['by no'],
    },
  ],
  tag: [
    {
      settings: { kind: 'tag', tag: 'VIP' },
      branches: ['yes', 'no'],
      effects: ['send_text', 'ended'],
      says: ['by yes'],
    },
    { settings: { kind: 'tag', tag: 'vi' }, branches: ['yes', 'no'], effects: ['send_text', 'ended'], says: ['by no'] },
  ],
  last_answer: [
    {
      settings: { kind: 'last_answer', comparison: 'contains', value: 'tea' },
      branches: ['yes', 'no'],
      inputs: [write('Green Tea')],
      effects: ['send_text', 'ended'],
      says: ['by yes'],
    },
  ],
  wait_time: [
    {
      settings: { kind: 'wait_time', seconds: 60 },
      inputs: [write('hi'), write('hello?'), after(59), after(60)],
      effects: ['wake', 'send_text', 'ended'],
      says: ['by next'],
    },
  ],
  wait_reply: [
    {
      settings: { kind: 'wait_reply', timeoutSeconds: 60 },
      branches: ['reply', 'timeout'],
      inputs: [write('hi'), write('yes')],
      effects: ['wake', 'send_text', 'ended'],
      says: ['by reply'],
    },
    {
      settings: { kind: 'wait_reply', timeoutSeconds: 60 },
      branches: ['reply', 'timeout'],
      inputs: [write('hi'), after(60)],
      effects: ['wake', 'send_text', 'ended'],
      says: ['by timeout'],
    },
  ],
}

test('there is a case for every kind of node', () => {
  expect(Object.keys(cases)).toEqual(Object.values(nodeKinds).flat())
})

test.each(
  Object.entries(cases).flatMap(([kind, list]) => list.map((one, index) => [`${kind} ${index + 1}`, one] as const)),
)('%s', (_, { settings, branches, inputs = [write('hi')], effects, says }) => {
  const result = run(flowOf(settings, branches), ...inputs)
  expect(typesOf(result)).toEqual(effects)
  if (says) expect(saidBy(result)).toEqual(says)
})
