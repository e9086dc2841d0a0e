import {
  type DraftFlow,
  draftFlowSchema,
  flowNodeTypes,
  type NodeSettings,
  nodeKinds,
} from '@parley/contracts/automation/flow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { branchesOf } from './branches.ts'
import { maxStepsPerInput, step } from './interpreter.ts'
import { problemsOf } from './problems.ts'
import { type FlowInput, type FlowState, idleState } from './state.ts'

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
    match: fc.constantFrom('exact', 'contains', 'all'),
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
    to: word,
    method: fc.constantFrom('GET', 'POST'),
    url: word,
    body: word,
    saveTo: fc.constantFrom('city', ''),
    botId: word,
    templateId: word,
    variables: fc.dictionary(word, word, { maxKeys: 2 }),
    timeZone: word,
    days: fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 3 }),
    from: word,
    to_: word,
    seconds: fc.integer({ min: 0, max: 100 }),
    timeoutSeconds: fc.integer({ min: 9, max: 100 }),
  },
  { requiredKeys: ['kind'] },
)

const flows: fc.Arbitrary<DraftFlow> = fc.record({
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
      branch: fc.constantFrom('next', 'yes', 'no', 'x', 'y', 'reply', 'timeout'),
    }),
    { maxLength: 16 },
  ),
})
const at = fc.integer({ min: 0, max: 4e12 })
const inputs = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('message' as const), at, text: word, choiceId: fc.constantFrom('x', 'y') }),
    fc.record({ type: fc.constant('event' as const), at, event: fc.constant('contact.created' as const) }),
    fc.record({ type: fc.constant('time' as const), at }),
    fc.record({ type: fc.constant('http_answer' as const), at, ok: fc.boolean(), body: word }),
  ) satisfies fc.Arbitrary<FlowInput>,
  { maxLength: 6 },
)

test('no draft makes the interpreter throw, and every input ends within its bound', () => {
  fc.assert(
    fc.property(flows, inputs, (flow, given) => {
      draftFlowSchema.parse(flow)
      let state: FlowState = idleState({ name: 'Asha', phone: '', tags: [], attributes: {} })
      for (const input of given) {
        const result = step(flow, state, input)
        expect(result.visited.length).toBeLessThanOrEqual(maxStepsPerInput)
        expect(JSON.parse(JSON.stringify(result.state))).toEqual(result.state)
        if (result.state.status === 'waiting') expect(result.state.wait).not.toBeNull()
        state = result.state
      }
    }),
    { numRuns: 2000 },
  )
})

test('no draft makes the check throw; each problem is a sentence and names a node of the flow', () => {
  fc.assert(
    fc.property(flows, (flow) => {
      const known = new Set(flow.nodes.map(({ id }) => id))
      for (const { nodeId, message } of problemsOf(flow)) {
        expect(message).toMatch(/^[A-Z].*\.$/)
        if (nodeId !== null) expect(known.has(nodeId)).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
})

const sound: Record<string, NodeSettings> = {
  send: { kind: 'send_text', text: 'Hi' },
  tag: { kind: 'tag', tag: 'vip' },
  set: { kind: 'set_attribute', attribute: 'city', value: '{{last_answer}}' },
  wait: { kind: 'wait_reply', timeoutSeconds: 60 },
  ask: { kind: 'ask', text: '?', attribute: 'city' },
}

test('a flow without problems never ends by a problem or by the loop guard', () => {
  const kinds = fc.array(fc.constantFrom(...Object.keys(sound)), { minLength: 1, maxLength: 6 })
  const links = fc.array(fc.nat(6), { minLength: 14, maxLength: 14 })
  let checked = 0
  fc.assert(
    fc.property(kinds, links, inputs, (names, targets, given) => {
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
        branchesOf(node.settings).map(({ id }, place) => ({
          id: `${node.id}-${id}`,
          source: node.id,
          branch: id,
          target: `n${1 + ((targets[index * 2 + place] ?? 0) % names.length)}`,
        })),
      )
      const flow = { nodes, edges }
      if (problemsOf(flow).some(({ code }) => code !== 'unreachable')) return
      checked += 1
      let state: FlowState = idleState({ name: 'Asha', phone: '', tags: [], attributes: {} })
      for (const input of given) {
        const { effects, state: after } = step(flow, state, input)
        for (const effect of effects)
          if (effect.type === 'ended') expect(['end', 'no_target', 'go_to_bot']).toContain(effect.reason)
        state = after
      }
    }),
    { numRuns: 1000 },
  )
  expect(checked).toBeGreaterThan(100)
})
