import { type DraftFlow, draftFlowSchema, type NodeSettings, nodeKinds, nodeTypeOf } from '@parley/contracts/flow'
import { expect, test } from 'vitest'
import { maxStepsPerInput, step } from './interpreter.ts'
import { type FlowInput, type FlowState, idleState } from './state.ts'

const monday10 = Date.parse('2026-03-09T10:00:00.000Z')
const person = { name: 'Asha Rao', phone: '+919876543210', tags: ['vip'], attributes: { city: 'Pune', age: '31' } }
const say = (text: string, choiceId?: string): FlowInput => ({
  type: 'message',
  at: monday10,
  text,
  ...(choiceId !== undefined && { choiceId }),
})

/** A flow from a trigger to one node, whose every branch leads to a message that names the branch. */
function flowOf(settings: NodeSettings, branches: readonly string[] = ['next']): DraftFlow {
  const node = (id: string, kind: NodeSettings) => ({
    id,
    type: nodeTypeOf(kind.kind),
    label: '',
    description: '',
    position: { x: 0, y: 0 },
    settings: kind,
  })
  const isTrigger = nodeTypeOf(settings.kind) === 'trigger'
  const start = isTrigger ? [] : [node('start', { kind: 'any_message' })]
  return draftFlowSchema.parse({
    nodes: [
      ...start,
      node('here', settings),
      ...branches.map((branch) => node(`after-${branch}`, { kind: 'send_text', text: `by ${branch}` })),
    ],
    edges: [
      ...(isTrigger ? [] : [{ id: 'e0', source: 'start', target: 'here', branch: 'next' }]),
      ...branches.map((branch) => ({ id: `e-${branch}`, source: 'here', target: `after-${branch}`, branch })),
    ],
  })
}

/** Gives the inputs one after the other. */
function run(flow: DraftFlow, ...inputs: FlowInput[]) {
  let state: FlowState = idleState(person)
  const results = inputs.map((input) => {
    const result = step(flow, state, input)
    state = result.state
    return result
  })
  return { state, results, effects: results.flatMap(({ effects }) => effects) }
}
const typesOf = ({ effects }: ReturnType<typeof run>) => effects.map(({ type }) => type)
const saidBy = ({ effects }: ReturnType<typeof run>) =>
  effects.flatMap((effect) => (effect.type === 'send_text' ? [effect.text] : []))

const choices = [
  { id: 'a', title: 'Black tea' },
  { id: 'b', title: 'Green tea' },
]
const hours: Extract<NodeSettings, { kind: 'business_hours' }> = {
  kind: 'business_hours',
  timeZone: 'Asia/Kolkata',
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  to: '18:00',
}

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
      inputs: [say(' order ')],
      effects: ['send_text', 'ended'],
    },
    { settings: { kind: 'keyword', keywords: ['order'], match: 'exact' }, inputs: [say('my order')], effects: [] },
    {
      settings: { kind: 'keyword', keywords: ['order'], match: 'contains' },
      inputs: [say('My ORDER?')],
      effects: ['send_text', 'ended'],
    },
  ],
  any_message: [{ settings: { kind: 'any_message' }, inputs: [say('x')], effects: ['send_text', 'ended'] }],
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
      inputs: [say('hi'), say(' 42 ')],
      effects: ['send_text', 'set_attribute', 'send_text', 'ended'],
      says: ['Order number?', 'by next'],
    },
  ],
  buttons: [
    {
      settings: { kind: 'buttons', text: 'Which?', choices },
      branches: ['a', 'b'],
      inputs: [say('hi'), say('', 'b')],
      effects: ['send_buttons', 'send_text', 'ended'],
      says: ['by b'],
    },
    {
      settings: { kind: 'buttons', text: 'Which?', choices },
      branches: ['a', 'b'],
      inputs: [say('hi'), say('coffee'), say('black TEA')],
      effects: ['send_buttons', 'send_buttons', 'send_text', 'ended'],
      says: ['by a'],
    },
  ],
  list: [
    {
      settings: { kind: 'list', text: 'Which?', button: 'Choose', rows: choices },
      branches: ['a', 'b'],
      inputs: [say('hi'), say('', 'a')],
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
      inputs: [say('hi'), { type: 'http_answer', at: monday10, ok: true, body: 'sent' }],
      effects: ['http_call', 'set_attribute', 'send_text', 'ended'],
    },
    {
      settings: { kind: 'http_call', method: 'GET', url: 'https://shop.example', saveTo: 'order' },
      inputs: [say('hi'), say('still there?'), { type: 'http_answer', at: monday10, ok: false, body: 'no' }],
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
      inputs: [say('Green Tea')],
      effects: ['send_text', 'ended'],
      says: ['by yes'],
    },
  ],
  wait_time: [
    {
      settings: { kind: 'wait_time', seconds: 60 },
      inputs: [say('hi'), say('hello?'), after(59), after(60)],
      effects: ['wake', 'send_text', 'ended'],
      says: ['by next'],
    },
  ],
  wait_reply: [
    {
      settings: { kind: 'wait_reply', timeoutSeconds: 60 },
      branches: ['reply', 'timeout'],
      inputs: [say('hi'), say('yes')],
      effects: ['wake', 'send_text', 'ended'],
      says: ['by reply'],
    },
    {
      settings: { kind: 'wait_reply', timeoutSeconds: 60 },
      branches: ['reply', 'timeout'],
      inputs: [say('hi'), after(60)],
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
)('%s', (_, { settings, branches, inputs = [say('hi')], effects, says }) => {
  const result = run(flowOf(settings, branches), ...inputs)
  expect(typesOf(result)).toEqual(effects)
  if (says) expect(saidBy(result)).toEqual(says)
})

test('what is asked and set is known to what follows, and a tag is added once', () => {
  const { state } = run(flowOf({ kind: 'ask', text: '?', attribute: 'order' }), say('hi'), say('42'))
  expect(state.person.attributes).toEqual({ city: 'Pune', age: '31', order: '42' })
  expect(run(flowOf({ kind: 'add_tag', tag: 'VIP' }), say('x')).state.person.tags).toEqual(['vip'])
})

test('values are written so that they fit where they stand', () => {
  const flow = flowOf({
    kind: 'http_call',
    method: 'POST',
    url: 'https://shop.example/{{last_answer}}',
    body: '{"q":"{{last_answer}}"}',
  })
  const [call] = run(flow, say('a/b "c"')).effects
  expect(call).toMatchObject({ url: 'https://shop.example/a%2Fb%20%22c%22', body: '{"q":"a/b \\"c\\""}' })
})

test('the more particular trigger wins whatever the order', () => {
  const flow = flowOf({ kind: 'send_text', text: 'x' })
  const keyword = (id: string, match: 'exact' | 'contains') => ({
    ...flow.nodes[0],
    id,
    settings: { kind: 'keyword', keywords: ['tea'], match },
  })
  const many = draftFlowSchema.parse({
    nodes: [...flow.nodes, keyword('loose', 'contains'), keyword('exact', 'exact')],
    edges: [],
  })
  expect(run(many, say('tea')).state.nodeId).toBe('exact')
  expect(run(many, say('green tea')).state.nodeId).toBe('loose')
  expect(run(many, say('coffee')).state.nodeId).toBe('start')
})

test('a branch without a target ends the conversation, and the next message begins anew', () => {
  const flow = flowOf(hours, [])
  const { effects, state } = run(flow, say('hi'))
  expect(effects).toEqual([{ type: 'ended', nodeId: 'here', reason: 'no_target' }])
  expect(step(flow, state, say('again')).visited).toEqual(['start', 'here'])
})

test('a circle is stopped', () => {
  const flow = flowOf({ kind: 'add_tag', tag: 'x' }, [])
  const circle = { ...flow, edges: [...flow.edges, { id: 'e1', source: 'here', target: 'here', branch: 'next' }] }
  const { results, state } = run(circle, say('hi'))
  expect(results[0]?.visited).toHaveLength(maxStepsPerInput)
  expect(results[0]?.effects.at(-1)).toMatchObject({ type: 'ended', reason: 'loop' })
  expect(state.status).toBe('ended')
})

test('an unfinished node ends the conversation in words', () => {
  const flow = flowOf({ kind: 'send_text', text: 'x' })
  const broken = {
    ...flow,
    nodes: flow.nodes.map((node) =>
      node.id === 'here' ? { ...node, settings: { kind: 'send_text', text: '' } } : node,
    ),
  }
  expect(run(broken, say('hi')).effects).toEqual([
    { type: 'ended', nodeId: 'here', reason: 'problem', message: 'Enter the message.' },
  ])
})
