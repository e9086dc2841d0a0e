import type { WorkflowStart } from '@parley/contracts/automation/triggers'
import type { FlowInput } from '@parley/flow/inputs'
import type { RecordedInput } from '@parley/flow/replay-run'
import type { Facts } from '@parley/flow/state'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { outcomesOf } from './actions-of.ts'
import type { Todo } from './inputs.ts'
import { type RunInputRecord, runInputSchema } from './run-inputs.model.ts'
import type { RunRecord } from './runs.model.ts'

type InputOf<T extends FlowInput['type']> = Extract<FlowInput, { type: T }>

/**
 * An input without anything that a person has said or is: words and fields stand in messaging's events, which this names. Values that
 * another system has sent are kept nowhere; `hasValues` tells that there were some.
 */
export type InputReference =
  | (Omit<InputOf<'message'>, 'parts'> & { readonly eventIds: readonly string[] })
  | {
      readonly type: 'event'
      readonly event: WorkflowStart
      readonly triggerId?: string | undefined
      readonly by?: string | undefined
      readonly hasValues?: true | undefined
    }
  | (Omit<InputOf<'http_answer'>, 'values'> & { readonly hasValues?: true | undefined })
  | InputOf<'handed_over' | 'start_at' | 'timer' | 'not_delivered'>

/** Everything that a step depended on that tells nothing of a person. */
export interface TakenInput extends Pick<RecordedInput, 'outcomes' | 'path' | 'brokenOff'> {
  readonly input: InputReference
  readonly facts: Omit<Facts, 'person'>
  /** Set where the run, or its part in this flow, began; true where it began with answers from before. */
  readonly begins?: { readonly inputNo: number; readonly knows?: true | undefined } | undefined
}

type NewRunInput = Omit<RunInputRecord, 'id' | 'workspaceId'>

/** Maximum characters of one record. */
const maxTaken = 32 * 1024

export type RunInputs = ReturnType<typeof createRunInputs>

/** Keeps references to what runs took, so that it can be replayed against another flow. */
export function createRunInputs(connection: ServiceConnection) {
  const inputs = workspaceCollection<RunInputRecord>({ connection, name: 'runInputs', schema: runInputSchema })
  return {
    /** Writes inputs; those that are there already stay as they are. */
    write: async (scope: WorkspaceScope, written: readonly NewRunInput[]): Promise<void> => {
      if (written.length > 0) await inputs(scope).insertPlain(written)
    },
    /** Reads those of a run, the first one first. */
    of: (scope: WorkspaceScope, runId: string, limit: number) =>
      inputs(scope).find({ runId }).sort({ inputNo: 1 }).limit(limit).hint('run'),
  }
}

/** Returns the record of a `todo` that is done or was broken off; `undefined` where the host itself has asked for it. */
export function inputRecord(run: RunRecord, todo: Todo, options: { brokenOff?: true } = {}): NewRunInput | undefined {
  if (!todo.stepped) return undefined
  const { before, facts } = todo.stepped
  const { person: _, ...rest } = facts
  const knows = Object.keys(before.session).length > 0 || before.lastAnswer !== ''
  const taken: TakenInput = {
    input: referenceTo(todo.stepped.input, todo),
    facts: rest,
    outcomes: outcomesOf(todo),
    path: todo.trace.map(({ nodeId, branch }) => ({ nodeId, ...(branch !== undefined && { branch }) })),
    ...(before.status === 'idle' && { begins: { inputNo: before.inputNo, ...(knows && { knows }) } }),
    ...options,
  }
  const text = JSON.stringify(taken)
  return {
    runId: run.id,
    inputNo: todo.inputNo,
    at: new Date(todo.since),
    flowId: run.flowId,
    number: run.number,
    taken: text.length > maxTaken ? '' : text,
  }
}

function referenceTo(input: FlowInput, { message, eventIds = message ? [message.eventId] : [] }: Todo): InputReference {
  const hasValues = 'values' in input && Object.keys(input.values ?? {}).length > 0 ? { hasValues: true as const } : {}
  switch (input.type) {
    case 'message': {
      const { parts: _, ...rest } = input
      return { ...rest, eventIds }
    }
    case 'event': {
      const { type, event, triggerId, fields } = input
      const by = fields?.['event.by']
      return { type, event, triggerId, ...(typeof by === 'string' && { by }), ...hasValues }
    }
    case 'http_answer': {
      const { values: _, ...rest } = input
      return { ...rest, ...hasValues }
    }
    default:
      return input
  }
}
