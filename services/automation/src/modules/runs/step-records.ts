import type { Program } from '@parley/flow/program'
import { claims } from './actions-of.ts'
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
  const write = (nodeId: string, branch: string | undefined, index?: number, doneCode?: string) => {
    const action = index === undefined ? undefined : todo.actions[index]
    const result = index === undefined ? undefined : todo.results[index]
    if (index !== undefined && !result) return
    const kind = program?.nodes.get(nodeId)?.settings?.kind ?? 'unknown'
    const { outcome, code, messageId } = result ?? {}
    written.push({ nodeId, kind, branch, action: action?.type, outcome, code: code ?? doneCode, messageId })
  }
  for (const { nodeId, branch, actions, isCut } of todo.trace) {
    if (actions === 0) write(nodeId, branch)
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
