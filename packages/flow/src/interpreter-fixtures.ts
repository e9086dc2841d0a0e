import { type DraftFlow, draftFlowSchema, type NodeSettings, nodeTypeOf } from '@parley/contracts/automation/flow'
import { step } from './interpreter.ts'
import { type FlowInput, type FlowState, idleState } from './state.ts'

export const monday10 = Date.parse('2026-03-09T10:00:00.000Z')
const person = { name: 'Asha Rao', phone: '+919876543210', tags: ['vip'], attributes: { city: 'Pune', age: '31' } }
export const write = (text: string, choiceId?: string): FlowInput => ({
  type: 'message',
  at: monday10,
  text,
  ...(choiceId !== undefined && { choiceId }),
})

/** A flow from a trigger to one node, whose every branch leads to a message that names the branch. */
export function flowOf(settings: NodeSettings, branches: readonly string[] = ['next']): DraftFlow {
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
export function run(flow: DraftFlow, ...inputs: FlowInput[]) {
  let state: FlowState = idleState(person)
  const results = inputs.map((input) => {
    const result = step(flow, state, input)
    state = result.state
    return result
  })
  return { state, results, effects: results.flatMap(({ effects }) => effects) }
}
export const typesOf = ({ effects }: ReturnType<typeof run>) => effects.map(({ type }) => type)
export const saidBy = ({ effects }: ReturnType<typeof run>) =>
  effects.flatMap((effect) => (effect.type === 'send_text' ? [effect.text] : []))

export const hours: Extract<NodeSettings, { kind: 'business_hours' }> = {
  kind: 'business_hours',
  timeZone: 'Asia/Kolkata',
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  to: '18:00',
}
