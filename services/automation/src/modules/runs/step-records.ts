import type { Program } from '@parley/flow/program'
import { claims, isCall } from './actions-of.ts'
import type { Todo } from './inputs.ts'
import type { RunRecord } from './runs.model.ts'
import type { StepRecord } from './steps.model.ts'

type NewStep = Omit<StepRecord, 'id'>

/**
 * The steps of a `todo` that is done, or that was broken off: one for each action, or for a node without any. The same `todo`
 * gives the same steps with the same numbers.
 */
export function stepRecords(run: RunRecord, todo: Todo, program: Program | undefined): NewStep[] {
  const common = { runId: run.id, flowId: run.flowId, number: run.number, at: new Date(todo.since) }
  const written: Omit<NewStep, keyof typeof common | 'n'>[] = []
  let actionIndex = claims(todo) ? 1 : 0
  const kindOf = (nodeId: string) => program?.nodes.get(nodeId)?.settings?.kind ?? 'unknown'
  const write = (nodeId: string, branch: string | undefined, index?: number, doneCode?: string) => {
    const action = index === undefined ? undefined : todo.actions[index]
    const result = index === undefined ? undefined : todo.results[index]
    if (index !== undefined && !result) return
    const { outcome, code, messageId } = result ?? {}
    // A call tells of itself once it is answered.
    if (action && isCall(action) && outcome === 'done') return
    const type = action && isCall(action) ? 'http_call' : action?.type
    written.push({ nodeId, kind: kindOf(nodeId), branch, action: type, outcome, code: code ?? doneCode, messageId })
  }
  const input = todo.stepped?.input
  const called = input?.type === 'http_answer' ? todo.trace[0] : undefined
  if (called && input?.type === 'http_answer') {
    const { result, code, status, ms, bytes } = input
    const isOk = result === 'ok'
    written.push({
      nodeId: called.nodeId,
      kind: kindOf(called.nodeId),
      branch: called.actions === 0 ? called.branch : undefined,
      action: 'http_call',
      outcome: isOk ? 'done' : 'refused',
      ...(!isOk && { code: result === 'uncertain' ? result : code }),
      call: { status, ms, bytes, ...(result === 'uncertain' && { code }) },
    })
  }
  for (const step of todo.trace) {
    const { nodeId, branch, actions, isCut } = step
    if (actions === 0 && step !== called) write(nodeId, branch)
    for (let one = 1; one <= actions; one += 1) {
      write(nodeId, one === actions ? branch : undefined, actionIndex, isCut ? 'text_cut' : undefined)
      actionIndex += 1
    }
  }
  // Actions of the ending belong to the node at which the run ended.
  const last = todo.trace.at(-1)?.nodeId ?? run.state.nodeId ?? 'end'
  for (; actionIndex < todo.actions.length; actionIndex += 1) write(last, undefined, actionIndex, todo.end?.code)
  return written.map((step, index) => ({ ...common, ...step, n: run.steps + index }))
}
