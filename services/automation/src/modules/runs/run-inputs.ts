import type { RecordedInput } from '@parley/flow/replay-run'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { Schema } from 'mongoose'
import type { Session } from '../../platform/platform.ts'
import { outcomesOf } from './actions-of.ts'
import type { Todo } from './inputs.ts'
import { type RunRecord, runSchema } from './runs.model.ts'

/** Everything that a step depended on, without the program of its version. */
export type TakenInput = Omit<RecordedInput, 'program' | 'inputNo'>

/** One input that a run took. */
interface RunInputRecord {
  readonly id: string
  readonly workspaceId: string
  readonly runId: string
  readonly inputNo: number
  readonly at: Date
  readonly flowId: string
  readonly number: number
  /** {@link TakenInput} as JSON, for names in it may hold dots and dollars; empty: it was too large to be kept. */
  readonly taken: string
}
type NewRunInput = Omit<RunInputRecord, 'id' | 'workspaceId'>

/** They hold what customers have said: as long as events, and shorter than runs. */
const keptSeconds = 30 * 86_400
/** Maximum characters of one record. */
const maxTaken = 32 * 1024

const id = { type: Schema.Types.ObjectId, required: true }
const number = { type: Number, required: true }

export const runInputSchema = new Schema(
  {
    workspaceId: id,
    runId: id,
    inputNo: number,
    at: { type: Date, required: true },
    flowId: id,
    number,
    taken: String,
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
runInputSchema.index({ workspaceId: 1, runId: 1, inputNo: 1 }, { name: 'run', unique: true })
runInputSchema.index({ at: 1 }, { name: 'kept', expireAfterSeconds: keptSeconds })

export type RunInputs = ReturnType<typeof createRunInputs>

/** Keeps what runs took, so that it can be replayed against another flow. */
export function createRunInputs(connection: ServiceConnection) {
  const inputs = workspaceCollection<RunInputRecord>({ connection, name: 'runInputs', schema: runInputSchema })
  const runs = workspaceCollection<RunRecord>({ connection, name: 'runs', schema: runSchema })

  const forget = async (scope: WorkspaceScope, runIds: readonly string[], options: Partial<Session> = {}) => {
    if (runIds.length > 0) await inputs(scope).deleteMany({ runId: { $in: runIds } }, options)
  }

  return {
    /** Writes inputs; those that are there already stay as they are. */
    write: async (scope: WorkspaceScope, written: readonly NewRunInput[]): Promise<void> => {
      if (written.length > 0) await inputs(scope).insertPlain(written)
    },
    /** Reads those of a run, the first one first. */
    of: (scope: WorkspaceScope, runId: string, limit: number) =>
      inputs(scope).find({ runId }).sort({ inputNo: 1 }).limit(limit).hint('run'),
    forget,
    /** Deletes what was written of people who were erased while it was on its way. */
    forgetErased: async (scope: WorkspaceScope, runIds: readonly string[]): Promise<void> => {
      if (runIds.length === 0) return
      const erased = await runs(scope)
        .find({ _id: { $in: runIds }, contactName: { $exists: false } })
        .select('_id')
      await forget(
        scope,
        erased.map((run) => run.id),
      )
    },
  }
}

/** Returns the record of a `todo` that is done or was broken off; `undefined` where the host itself has asked for it. */
export function inputRecord(run: RunRecord, todo: Todo, options: { brokenOff?: true } = {}): NewRunInput | undefined {
  if (!todo.stepped) return undefined
  const { before, input, facts } = todo.stepped
  const taken: TakenInput = {
    input,
    facts,
    outcomes: outcomesOf(todo),
    path: todo.trace.map(({ nodeId, branch }) => ({ nodeId, ...(branch !== undefined && { branch }) })),
    ...(before.status === 'idle' && { before }),
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
