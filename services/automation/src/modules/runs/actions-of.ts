import type { InternalAction } from '@parley/contracts/automation/internal-actions'
import type { FlowAction, HttpRequest, Outcome, StepResult } from '@parley/flow/actions'
import { step } from '@parley/flow/interpreter'
import type { Program } from '@parley/flow/program'
import type { RunEnd, Todo } from './inputs.ts'
import { asks } from './run-places.ts'
import type { RunRecord } from './runs.model.ts'

/** One step, to be repeated with the outcomes of its actions. */
type Stepped = NonNullable<Todo['stepped']>

/** @param outcomes of the flow's own actions, in their order. */
export const stepWith = (
  program: Program,
  { before, input, facts }: Stepped,
  outcomes: readonly Outcome[],
): StepResult => step(program, before, input, facts, outcomes)

/** Returns the call to another system that is next among a run's actions. */
export function nextCall(program: Program, todo: Todo): (HttpRequest & { key: string }) | undefined {
  const key = todo.actions[todo.results.length]?.key
  const known = outcomesOf(todo)
  const action = todo.stepped && stepWith(program, todo.stepped, known).actions[known.length]
  if (key === undefined || action?.type !== 'http_call') return undefined
  const { type: _, ...request } = action
  return { ...request, key: key.slice(0, -callSuffix.length) }
}

const callSuffix = '.call'

/** Returns whether an action stands for a call to another system, which messaging has nothing to do with. */
export const isCall = ({ key }: Pick<InternalAction, 'key'>): boolean => key.endsWith(callSuffix)

const claimKey = (run: RunRecord, inputNo: number) => `${run.id}.${inputNo}.claim`

/** Returns whether a run's list of actions begins with its claim of the conversation. */
export const claims = ({ actions }: Pick<Todo, 'actions'>): boolean => actions[0]?.type === 'claim'

/** Returns whether a run has to claim its conversation by a step: a workflow does so only to ask. */
export const claimsBefore = ({ kind, epoch }: RunRecord, { state }: Pick<StepResult, 'state'>): boolean =>
  epoch === undefined && (kind === 'bot' || asks(state))

/**
 * Returns the actions of a step as messaging takes them. A run that has not claimed its conversation does so first.
 * @param of.message that the step answers: one that starts a session tells people what was written before it.
 */
export function actionsOf(
  run: RunRecord,
  { state, actions, end }: Pick<StepResult, 'state' | 'actions' | 'end'>,
  { isClaimed, isStart, message }: { readonly isClaimed: boolean } & Pick<Todo, 'isStart' | 'message'>,
): InternalAction[] {
  const key = (index: number) => `${run.id}.${state.inputNo}.${index}`
  const internalActions = actions.map((action, index) => toInternal(run, action, { key: key(index), end }))
  if (isClaimed) return internalActions
  const since = isStart && message && { since: new Date(message.at).toISOString() }
  return [{ key: claimKey(run, state.inputNo), type: 'claim', botId: run.flowId, ...since }, ...internalActions]
}

function toInternal(
  run: RunRecord,
  action: FlowAction,
  { key, end }: { readonly key: string; readonly end: StepResult['end'] },
): InternalAction {
  switch (action.type) {
    case 'http_call':
      // Keeps its place in the numbering, and is never sent: its request may hold more than messaging need see.
      return { key: `${key}${callSuffix}`, type: 'typing' }
    case 'send': {
      const { content } = action
      if (content.type === 'form')
        return { key, type: 'send', content: { ...content, token: `${run.id}.${content.token}` } }
      if (content.type !== 'interactive') return { key, type: 'send', content }
      const options = content.options.map((option) => ({ ...option, id: `${run.id}.${option.id}` }))
      return { key, type: 'send', content: { ...content, options } }
    }
    case 'release': {
      const { resolved = false, ...release } = action
      // People read what it had no use for, with what it has answered.
      const isRead = resolved && !run.missed
      return {
        key,
        ...release,
        ...(isRead && { resolved, ...(run.readUpTo !== undefined && { upTo: run.readUpTo }) }),
        ...(end?.outcome === 'completed' && { completed: true }),
      }
    }
    default:
      return { key, ...action }
  }
}

/** Returns the outcomes of a step's own actions, without the claim. */
export function outcomesOf(todo: Todo): Outcome[] {
  const results = claims(todo) ? todo.results.slice(1) : todo.results
  return results.map(({ outcome, code }) => ({ outcome, ...(code !== undefined && { code }) }))
}

const answers: ReadonlySet<string> = new Set(['send', 'send_template', 'assign', 'close'])

/** Returns whether actions have answered the customer, or given the conversation to people. */
export const hasAnswered = ({ actions, results }: Pick<Todo, 'actions' | 'results'>): boolean =>
  actions.some(
    (action, index) =>
      (answers.has(action.type) || (action.type === 'release' && action.attention === true)) &&
      results[index]?.outcome === 'done',
  )

/** Returns the end of a step in the form that the run keeps. */
export function endOf({ end }: StepResult): RunEnd | undefined {
  if (!end) return undefined
  const { outcome, message, code, toBot } = end
  return {
    outcome,
    ...(message !== undefined && { reason: message.slice(0, 300) }),
    ...(code !== undefined && { code }),
    ...(toBot !== undefined && { toBot }),
  }
}
