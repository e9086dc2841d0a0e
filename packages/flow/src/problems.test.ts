import { type DraftFlow, draftFlowSchema, nodeKinds, nodeTypeOf } from '@parley/contracts/automation/flow'
import { expect, test } from 'vitest'
import { type FlowProblem, problemsOf } from './problems.ts'

type Settings = DraftFlow['nodes'][number]['settings']
const kindOf = (kind: string) =>
  Object.values(nodeKinds)
    .flat()
    .find((known) => known === kind) ?? 'end'

const get = { kind: 'http_call', connectionId: 'shop', method: 'GET', path: '/' }

/** Nodes by id; edges as `source.branch>target`. */
const flowOf = (nodes: Record<string, Settings>, edges: string[]): DraftFlow =>
  draftFlowSchema.parse({
    format: 2,
    nodes: Object.entries(nodes).map(([id, settings]) => ({
      id,
      type: nodeTypeOf(kindOf(settings.kind)),
      label: '',
      description: '',
      position: { x: 0, y: 0 },
      settings,
    })),
    edges: edges.map((text, index) => {
      const [, source, branch, target] = /^(.+)\.(.+)>(.+)$/.exec(text) ?? []
      return { id: `e${index}`, source, branch, target }
    }),
  })

const start: Settings = { kind: 'any_message' }
const text: Settings = { kind: 'send_text', text: 'Hello' }
const hours = (timeZone = 'Asia/Kolkata'): Settings => ({
  kind: 'business_hours',
  hours: { use: 'own', timeZone, spans: [{ day: 1, from: '09:00', to: '18:00' }], closedOn: [] },
})

const cases: [string, DraftFlow, [FlowProblem['code'], string | null, RegExp][]][] = [
  [
    'the sample flow is fine',
    flowOf({ a: { kind: 'keyword', keywords: ['hi'], match: 'word' }, b: text, c: hours() }, ['a.next>b', 'b.next>c']),
    [],
  ],
  ['an empty flow has no trigger', flowOf({}, []), [['no_trigger', null, /trigger/]]],
  ['without a trigger nothing starts', flowOf({ a: text }, []), [['no_trigger', null, /trigger/]]],
  [
    'a node that nothing leads to',
    flowOf({ a: start, b: text, c: text }, ['a.next>b']),
    [['unreachable', 'c', /Nothing leads/]],
  ],
  [
    'an empty message',
    flowOf({ a: start, b: { kind: 'send_text', text: ' ' } }, ['a.next>b']),
    [['settings', 'b', /^Enter the message\.$/]],
  ],
  [
    'a missing setting, in words',
    flowOf({ a: start, b: { kind: 'send_text' } }, ['a.next>b']),
    [['settings', 'b', /^Check the message\.$/]],
  ],
  [
    'an unknown kind',
    flowOf({ a: start, b: { kind: 'dance' } }, ['a.next>b']),
    [['settings', 'b', /^Check the kind of this node\.$/]],
  ],
  ['an unknown time zone', flowOf({ a: start, b: hours('Moon') }, ['a.next>b']), [['settings', 'b', /time zone/]]],
  [
    'a whole address in place of a path',
    flowOf({ a: start, b: { ...get, path: 'https://{{last_answer}}/x' } }, ['a.next>b']),
    [['settings', 'b', /^Begin with \//]],
  ],
  [
    'a variable outside the texts of a body',
    flowOf({ a: start, b: { ...get, method: 'POST', body: '{"n": {{last_answer}}}' } }, ['a.next>b']),
    [['settings', 'b', /^Enter JSON, with variables between quotation marks/]],
  ],
  ['an edge to nowhere', flowOf({ a: start }, ['a.next>b']), [['dangling_edge', 'a', /does not exist/]]],
  ['an edge from nowhere', flowOf({ a: start }, ['x.next>a']), [['dangling_edge', 'a', /does not exist/]]],
  [
    'two edges from one branch',
    flowOf({ a: start, b: text, c: text }, ['a.next>b', 'a.next>c']),
    [['duplicate_branch', 'a', /two nodes/]],
  ],
  [
    'a branch that the node does not have',
    flowOf({ a: start, b: text }, ['a.next>b', 'a.yes>b']),
    [['unknown_branch', 'a', /does not have/]],
  ],
  [
    'an edge into a trigger',
    flowOf({ a: start, b: text }, ['a.next>b', 'b.next>a']),
    [
      ['into_trigger', 'a', /starts the flow/],
      ['endless_cycle', 'a', /loop/],
    ],
  ],
  [
    'a circle without a wait',
    flowOf({ a: start, b: text, c: hours() }, ['a.next>b', 'b.next>c', 'c.no>b']),
    [['endless_cycle', 'b', /loop/]],
  ],
  [
    'a circle that only calls out',
    flowOf({ a: start, b: get }, ['a.next>b', 'b.next>b']),
    [['endless_cycle', 'b', /loop/]],
  ],
  [
    'a circle that waits is fine',
    flowOf({ a: start, b: text, c: { kind: 'wait_time', seconds: 60 } }, ['a.next>b', 'b.next>c', 'c.next>b']),
    [],
  ],
]

test.each(cases)('%s', (_, flow, expected) => {
  const problems = problemsOf(flow)
  expect(problems.map(({ code, nodeId }) => [code, nodeId])).toEqual(expected.map(([code, nodeId]) => [code, nodeId]))
  for (const [index, [, , words]] of expected.entries()) expect(problems[index]?.message).toMatch(words)
})

test('a node of another type than its kind, or an id twice, is named', () => {
  const flow = flowOf({ a: start, b: text }, ['a.next>b'])
  const [a, b] = flow.nodes
  if (!a || !b) throw new Error('The flow has two nodes.')
  expect(problemsOf({ ...flow, nodes: [a, { ...b, type: 'delay' }] }).map(({ code }) => code)).toEqual(['settings'])
  expect(problemsOf({ ...flow, nodes: [a, b, b] }).map(({ code }) => code)).toEqual(['duplicate_node'])
})
