import { isFlowKind } from '@parley/contracts/automation/flow-summary'
import type { ActionFacts } from '@parley/contracts/automation/internal-actions'
import { refusalSentence } from '@parley/contracts/automation/refusals'
import { actionsOf, claims, endOf, outcomesOf, stepWith } from './actions-of.ts'
import { endLeaving } from './give-item.ts'
import type { ActionResult, InboxItem, Todo } from './inputs.ts'
import { leaveToPeople, leftOf } from './left-messages.ts'
import { inputRecord } from './run-inputs.ts'
import type { RunRecord } from './runs.model.ts'
import { settle } from './settle.ts'
import { addSteps, stepRecords } from './step-records.ts'
import { aboutRun, endBy } from './take-input.ts'
import type { Effects, World } from './world.ts'

/** Code of an action that was tried for too long: it may have been done. */
export const givenUp = 'unavailable'
/** Milliseconds that messaging may be away before a flow gives up an action. */
const patienceMs = { bot: 15 * 60_000, workflow: 6 * 3_600_000 } as const
const maxPauseMs = 60_000

/**
 * Records the outcomes of a run's next actions and continues: refused ones are stepped again with the outcomes so far, and the
 * last one is followed by the inputs that have waited. Changes the run.
 * @returns the steps that are complete, and the input that they have answered.
 */
export async function recordResults(
  run: RunRecord,
  { results, facts }: { results: readonly ActionResult[]; facts?: ActionFacts | undefined },
  world: World,
  effects: Effects,
): Promise<{ steps: ReturnType<typeof stepRecords>; taken?: ReturnType<typeof inputRecord> }> {
  if (!run.todo) return { steps: [] }
  const before = run.todo
  const newResults = results.map(({ outcome, code, messageId }) => ({
    outcome,
    ...(code !== undefined && { code }),
    ...(messageId !== undefined && { messageId }),
  }))
  const todo: Todo = { ...before, results: [...before.results, ...newResults], tries: 0, isSingle: undefined }
  setEpoch(run, todo, facts)
  adoptConversation(run, facts)
  const { owner, forPerson } = facts?.snapshot.conversation ?? {}
  if (forPerson && isFlowKind(owner?.kind)) run.missed = true
  if (newResults.some(({ outcome }) => outcome === 'done')) run.acted = true
  const refusal = newResults.findLast(({ outcome }) => outcome === 'refused')
  const program = await world.program(run.flowId, run.number)
  const stepsOf = (done: Todo) => stepRecords(run, done, program)
  if (refusal && (refusal.code === 'conversation_taken' || isClaimRefused(todo))) {
    const steps = stepsOf(todo)
    addSteps(run, steps)
    const isTaken = refusal.code === 'conversation_taken'
    if (!isTaken && refusal.code !== givenUp)
      effects.attention.push({
        ...aboutRun(run),
        code: refusal.code ?? 'refused',
        sentence: refusalSentence(run.kind, refusal.code),
      })
    // A run that could not claim its conversation has done nothing.
    const taken = isClaimRefused(todo) ? undefined : inputRecord(run, todo, { brokenOff: true })
    run.todo = todo
    const end = { outcome: isTaken ? ('taken_over' as const) : ('failed' as const), code: refusal.code }
    if (refusal.code === givenUp) {
      // Its answers were lost: whether the conversation is the run's is not known.
      leaveToPeople(leftOf(run), effects)
      run.inbox = []
      endBy(run, releaseIfOwn(run), { ...end, reason: refusalSentence(run.kind, givenUp) }, world.now)
    } else await endLeaving(run, end, { world, effects, reopening: afterClosing(run) })
    return { steps, taken }
  }
  const known = refusal && program ? restepped(run, todo, { program }) : todo
  run.todo = known
  if (known.results.length < known.actions.length) return { steps: [] }
  const steps = stepsOf(known)
  const taken = inputRecord(run, known)
  addSteps(run, steps)
  await settle(run, known, world, effects)
  return { steps, taken }
}

/** Gives up the conversation that a run may have claimed; one that goes on as another bot has it in any case. */
const releaseIfOwn = ({ kind, legs }: RunRecord) => [
  { type: 'release' as const, attention: kind === 'bot', ...(legs.length === 0 && { ifOwn: true }) },
]

/** Returns what waits in a run since its conversation was closed, where that is the last that was done to it. */
function afterClosing({ inbox }: RunRecord): readonly InboxItem[] | undefined {
  const index = inbox.findLastIndex(({ kind }) => kind === 'owned')
  const last = inbox[index]
  return last?.kind === 'owned' && last.reason === 'closed' ? inbox.slice(index + 1) : undefined
}

const isClaimRefused = (todo: Todo): boolean => claims(todo) && todo.results[0]?.outcome === 'refused'

/** Repeats the step with the outcomes of its actions: those up to the refused one are the same. */
function restepped(run: RunRecord, todo: Todo, { program }: { program: Parameters<typeof stepWith>[0] }): Todo {
  if (!todo.stepped) return todo
  const result = stepWith(program, todo.stepped, outcomesOf(todo))
  run.state = result.state
  return {
    ...todo,
    actions: actionsOf(run, result, { ...todo, isClaimed: !claims(todo) }),
    trace: result.trace,
    end: endOf(result),
  }
}

/** Sets the epoch under which the run continues: that of its own claim, or of its giving the conversation to people. */
function setEpoch(run: RunRecord, { actions, results }: Todo, facts: ActionFacts | undefined): void {
  if (!facts || (run.kind === 'workflow' && run.epoch === undefined && !claims({ actions }))) return
  const gave = actions.some(
    ({ type }, index) => results[index]?.outcome === 'done' && (type === 'assign' || type === 'release'),
  )
  if (claims({ actions }) && results[0]?.outcome === 'done') run.left = undefined
  // A repeated answer may be of a time before a person took the conversation.
  if (gave || isFlowKind(facts.snapshot.conversation?.owner.kind)) run.epoch = facts.epoch
}

/** Keeps the conversation in which a run has said its first word. */
function adoptConversation(run: RunRecord, facts: ActionFacts | undefined): void {
  run.conversationId ??= facts?.snapshot.conversation?.id
  run.numberId ??= facts?.snapshot.conversation?.numberId
}

/**
 * Has a failed call made again later, or at once with one action where one of them cannot be read. Changes the run.
 * @returns true where its next action is to be given up.
 */
export function recordFailure(run: RunRecord, todo: Todo, of: { isPermanent: boolean; now: number }): boolean {
  if (of.isPermanent) {
    run.todo = { ...todo, isSingle: true }
    return false
  }
  const next = todo.actions[todo.results.length]
  // A conversation that no session has is answered by nobody: giving it to people is never given up.
  const leaves = next?.type === 'release' || next?.type === 'assign'
  if (!leaves && of.now - todo.since > patienceMs[run.kind]) return true
  const pauseMs = Math.min(maxPauseMs, 1000 * 2 ** Math.min(todo.tries, 10))
  run.todo = { ...todo, tries: todo.tries + 1 }
  run.retryAt = new Date(of.now + pauseMs * (0.5 + Math.random() / 2))
  return false
}
