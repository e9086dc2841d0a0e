import type { Program } from '@parley/flow/program'
import { claims, isCall } from './actions-of.ts'
import type { Todo } from './inputs.ts'
import { pathOf } from './run-filter.ts'
import type { RunRecord } from './runs.model.ts'
import { notDelivered, type StepRecord } from './steps.model.ts'

type NewStep = Omit<StepRecord, 'id'>
type Visit = Pick<NewStep, 'number' | 'branch' | 'entered' | 'left'>

/**
 * The steps of a `todo` that is done, or that was broken off: one for each action, or for a node without any. The same `todo`
 * gives the same steps with the same numbers.
 */
export function stepRecords(run: RunRecord, todo: Todo, program: Program | undefined): NewStep[] {
  const common = { runId: run.id, flowId: run.flowId, at: new Date(todo.since), uncounted: 'new' as const }
  const written: Omit<NewStep, keyof typeof common | 'n'>[] = []
  // The first node of what follows a wait was entered before.
  const isResumed = todo.stepped !== undefined && todo.stepped.before.status !== 'idle'
  let actionIndex = claims(todo) ? 1 : 0
  const lost = new Set(run.inbox.flatMap((item) => (item.kind === 'not_delivered' ? item.messageId : [])))
  const kindOf = (nodeId: string) => program?.nodes.get(nodeId)?.settings?.kind ?? 'unknown'
  const write = (nodeId: string, visit: Visit, index?: number, doneCode?: string) => {
    const action = index === undefined ? undefined : todo.actions[index]
    const result = index === undefined ? undefined : todo.results[index]
    if (index !== undefined && !result) return
    const { outcome, code, messageId } = result ?? {}
    // A call tells of itself once it is answered.
    if (action && isCall(action) && outcome === 'done') return
    const type = action && isCall(action) ? 'http_call' : action?.type
    const kind = kindOf(nodeId)
    const remark = messageId !== undefined && lost.has(messageId) ? notDelivered : doneCode
    written.push({ nodeId, kind, ...visit, action: type, outcome, code: code ?? remark, messageId })
  }
  const input = todo.stepped?.input
  const isAnswer = input?.type === 'http_answer'
  for (const [place, { nodeId, branch, actions, isCut }] of todo.trace.entries()) {
    const isStay = place === 0 && isResumed
    const number = isStay ? (run.enteredOn ?? run.number) : run.number
    const isGone = place === todo.trace.length - 1 && todo.end?.toBot !== undefined
    const left = isGone ? 'bot' : branch
    const visitOf = (isFirst: boolean, isLast: boolean): Visit => ({
      number,
      ...(isFirst && !isStay && { entered: true as const }),
      ...(isLast && { branch, left }),
    })
    if (isAnswer && place === 0) {
      const { result, code, status, ms, bytes } = input
      const isOk = result === 'ok'
      written.push({
        nodeId,
        kind: kindOf(nodeId),
        ...visitOf(false, actions === 0),
        // Its request was no step: the visit counts from its answer on.
        entered: true,
        action: 'http_call',
        outcome: isOk ? 'done' : 'refused',
        ...(!isOk && { code: result === 'uncertain' ? result : code }),
        call: { status, ms, bytes, ...(result === 'uncertain' && { code }) },
      })
    } else if (actions === 0) write(nodeId, visitOf(true, true))
    for (let one = 1; one <= actions; one += 1) {
      write(nodeId, visitOf(one === 1, one === actions), actionIndex, isCut ? 'text_cut' : undefined)
      actionIndex += 1
    }
  }
  // Actions of the ending belong to the node at which the run ended.
  const last = todo.trace.at(-1)?.nodeId ?? run.state.nodeId ?? 'end'
  for (; actionIndex < todo.actions.length; actionIndex += 1)
    write(last, { number: run.number }, actionIndex, todo.end?.code)
  return written.map((step, index) => ({ ...common, ...step, n: run.steps + index }))
}

/** Adds steps that are complete to a run: their number, and the places that it has been at. */
export function addSteps(run: RunRecord, steps: readonly NewStep[]): void {
  run.steps += steps.length
  if (steps.some(({ left, entered }) => left !== undefined || entered)) run.enteredOn = undefined
  const known = new Set(run.path)
  for (const { nodeId, entered, left } of steps) {
    if (entered) known.add(pathOf.entered(nodeId))
    if (left !== undefined) known.add(pathOf.left(nodeId, left))
  }
  if (run.path && known.size > run.path.length) run.path = [...known]
}
