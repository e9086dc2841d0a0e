import {
  type DraftFlow,
  draftFlowSchema,
  flowFormat,
  flowNodeTypes,
  type NodeSettings,
  nodeKinds,
} from '@parley/contracts/automation/flow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Outcome } from './actions.ts'
import { branchesOf } from './branches.ts'
import type { FlowInput } from './inputs.ts'
import { maxStepsPerInput, step } from './interpreter.ts'
import { facts } from './interpreter-fixtures.ts'
import { problemsOf } from './problems.ts'
import { compileFlow } from './program.ts'
import { publishProblems } from './publish-problems.ts'
import { type FlowState, idleState } from './state.ts'

const ids = ['a', 'b', 'c', 'd', 'e', 'f']
const word = fc.constantFrom(
  '',
  'tea',
  '{{name}} {{last_answer}}',
  'constructor',
  '__proto__',
  '\ud800',
  'Asia/Kolkata',
  '09:00',
  'https://a.example/{{last_answer}}',
)
const choice = fc.record({ id: fc.constantFrom('x', 'y'), title: fc.constantFrom('X', 'Y') })
const condition = fc.record({
  field: fc.constantFrom('tags', 'name', 'toString'),
  comparison: fc.constantFrom('equals', 'within_days', 'is_set'),
  value: fc.constantFrom('tea', 3),
})

/** Settings that often fit the contract and often do not. */
const settings = fc.record(
  {
    kind: fc.constantFrom(...Object.values(nodeKinds).flat(), 'dance'),
    keywords: fc.array(fc.constantFrom('tea', 'hi', ''), { maxLength: 2 }),
    match: fc.constantFrom('exact', 'word', 'text', 'all'),
    expects: fc.constantFrom('text', 'any', 'number', 'tea'),
    save: fc.constantFrom('contact', 'session'),
    media: fc.constantFrom('image', 'audio'),
    mediaId: word,
    formId: word,
    screen: word,
    caption: word,
    tries: fc.integer({ min: 0, max: 3 }),
    event: fc.constantFrom('contact.created', 'nothing'),
    filter: fc.record({ match: fc.constantFrom('all', 'any'), conditions: fc.array(condition, { maxLength: 2 }) }),
    text: word,
    attribute: fc.constantFrom('city', 'constructor', '1x'),
    value: word,
    comparison: fc.constantFrom('equals', 'greater_than', 'is_not_set'),
    choices: fc.array(choice, { maxLength: 3 }),
    rows: fc.array(choice, { maxLength: 3 }),
    button: word,
    tag: word,
    to: fc.constantFrom({ kind: 'queue' }, { kind: 'member', memberId: 'u1' }, 'Meera'),
    note: word,
    method: fc.constantFrom('GET', 'POST'),
    url: word,
    body: word,
    saveTo: fc.constantFrom('city', ''),
    botId: word,
    templateId: word,
    variables: fc.dictionary(word, word, { maxKeys: 2 }),
    hours: fc.oneof(
      fc.constant({ use: 'workspace' }),
      fc.record({
        use: fc.constant('own'),
        timeZone: word,
        spans: fc.array(fc.record({ day: fc.integer({ min: 0, max: 7 }), from: word, to: word }), { maxLength: 2 }),
        closedOn: fc.constantFrom([], ['2026-03-09']),
      }),
    ),
    seconds: fc.integer({ min: 0, max: 100 }),
    timeoutSeconds: fc.integer({ min: 9, max: 100 }),
  },
  { requiredKeys: ['kind'] },
)

const flows: fc.Arbitrary<DraftFlow> = fc.record({
  format: fc.constant(flowFormat),
  nodes: fc.array(
    fc.record({
      id: fc.constantFrom(...ids),
      type: fc.constantFrom(...flowNodeTypes),
      label: word,
      description: word,
      position: fc.constant({ x: 0, y: 0 }),
      settings,
    }),
    { maxLength: 8 },
  ),
  edges: fc.array(
    fc.record({
      id: fc.constantFrom(...ids),
      source: fc.constantFrom(...ids, 'gone'),
      target: fc.constantFrom(...ids, 'gone'),
      branch: fc.constantFrom('next', 'yes', 'no', 'x', 'y', 'reply', 'timeout', 'invalid', 'failed'),
    }),
    { maxLength: 16 },
  ),
})
const inputNo = fc.integer({ min: 0, max: 4 })
const answers = fc.array(fc.record({ question: word, answer: word }), { maxLength: 2 })
const parts = fc.array(
  fc.record(
    { contentType: fc.constantFrom('text', 'image', 'reaction'), text: word, answers },
    { requiredKeys: ['contentType', 'text'] },
  ),
  {
    maxLength: 2,
  },
)
/** An input, the time that has passed before it, and which of its actions is refused. */
const inputs = fc.array(
  fc.record({
    input: fc.oneof(
      fc.record(
        {
          type: fc.constant('message' as const),
          parts,
          choice: fc.record({ inputNo, id: fc.constantFrom('x', 'y', 'form') }),
          triggerId: fc.constantFrom(...ids),
        },
        { requiredKeys: ['type', 'parts'] },
      ),
      fc.record({ type: fc.constant('event' as const), event: fc.constant('contact.created' as const) }),
      fc.record({ type: fc.constant('handed_over' as const) }),
      fc.record({ type: fc.constant('timer' as const), inputNo }),
      fc.record({ type: fc.constant('not_delivered' as const), inputNo }),
      fc.record({
        type: fc.constant('http_answer' as const),
        inputNo,
        result: fc.constantFrom('ok' as const, 'failed' as const, 'uncertain' as const),
        values: fc.dictionary(word, word),
      }),
    ) satisfies fc.Arbitrary<FlowInput>,
    passed: fc.integer({ min: 0, max: 200_000 }),
    refused: fc.option(fc.nat(3)),
  }),
  { maxLength: 6 },
)

test('no draft makes the interpreter throw; a repeated step is the same up to a refusal', () => {
  fc.assert(
    fc.property(flows, inputs, (flow, steps) => {
      draftFlowSchema.parse(flow)
      const program = compileFlow(flow)
      let state: FlowState = idleState
      let now = 0
      for (const { input, passed, refused } of steps) {
        now += passed * 1000
        const known = { ...facts, now }
        const first = step(program, state, input, known)
        expect(step(program, state, input, known)).toEqual(first)
        const outcomes = (refused === null ? [] : first.actions.slice(0, refused + 1)).map(
          (_, index): Outcome => ({ outcome: index === refused ? 'refused' : 'done', code: 'no' }),
        )
        const result = step(program, state, input, known, outcomes)
        expect(result.actions.slice(0, outcomes.length)).toEqual(first.actions.slice(0, outcomes.length))
        expect(result.trace.length).toBeLessThanOrEqual(maxStepsPerInput + 1)
        expect(result.trace.reduce((sum, { actions }) => sum + actions, 0)).toBe(result.actions.length)
        expect(JSON.parse(JSON.stringify(result.state))).toEqual(result.state)
        if (result.state.status === 'waiting') expect(result.state.wait).not.toBeNull()
        expect(result.state.status === 'ended').toBe(result.end !== undefined || state.status === 'ended')
        if (!result.consumed) expect(result).toEqual({ state, actions: [], trace: [], consumed: false })
        state = result.state
      }
    }),
    { numRuns: 1000 },
  )
})

test('no draft makes the check throw; each problem is a sentence and names a node of the flow', () => {
  fc.assert(
    fc.property(flows, (flow) => {
      const known = new Set(flow.nodes.map(({ id }) => id))
      for (const { nodeId, message } of [
        ...problemsOf(flow),
        ...publishProblems(flow, { botId: 'b', numberIds: [] }),
      ]) {
        expect(message).toMatch(/^[\p{Lu}“{].*\.$/u)
        if (nodeId !== null) expect(known.has(nodeId)).toBe(true)
      }
    }),
    { numRuns: 1000 },
  )
})

const sound: Record<string, NodeSettings> = {
  send: { kind: 'send_text', text: 'Hi' },
  tag: { kind: 'tag', tag: 'vip' },
  set: { kind: 'set_attribute', attribute: 'city', value: '{{last_answer}}' },
  wait: { kind: 'wait_reply', timeoutSeconds: 60 },
  ask: { kind: 'ask', text: '?', attribute: 'city' },
  form: { kind: 'form', text: '?', button: 'Open', formId: '77' },
}

test('a flow without problems never ends by a problem or by the loop guard', () => {
  const kinds = fc.array(fc.constantFrom(...Object.keys(sound)), { minLength: 1, maxLength: 6 })
  const links = fc.array(fc.nat(6), { minLength: 14, maxLength: 14 })
  let checked = 0
  fc.assert(
    fc.property(kinds, links, inputs, (names, targets, steps) => {
      const chosen: NodeSettings[] = [{ kind: 'any_message' }, ...names.flatMap((name) => sound[name] ?? [])]
      const type = (kind: string) =>
        flowNodeTypes.find((group) => nodeKinds[group].some((known) => known === kind)) ?? 'action'
      const nodes = chosen.map((one, index) => ({
        id: `n${index}`,
        type: type(one.kind),
        label: '',
        description: '',
        position: { x: 0, y: 0 },
        settings: one,
      }))
      const edges = nodes.flatMap((node, index) =>
        branchesOf(node.settings).map(({ id }, branchIndex) => ({
          id: `${node.id}-${id}`,
          source: node.id,
          branch: id,
          target: `n${1 + ((targets[index * 2 + branchIndex] ?? 0) % names.length)}`,
        })),
      )
      const flow: DraftFlow = { format: flowFormat, nodes, edges }
      if (problemsOf(flow).some(({ code }) => code !== 'unreachable')) return
      checked += 1
      const program = compileFlow(flow)
      let state: FlowState = idleState
      for (const { input } of steps) {
        const { end, state: after } = step(program, state, { ...input, triggerId: undefined } as FlowInput, facts)
        if (end) expect(['completed', 'handed_over', 'abandoned', 'failed']).toContain(end.outcome)
        // A text of variables alone may be empty.
        if (end?.outcome === 'failed') expect(end.code).toBeDefined()
        state = after
      }
    }),
    { numRuns: 1000 },
  )
  expect(checked).toBeGreaterThan(100)
})
