import { type CallState, callStates } from '@parley/contracts/automation/connections'
import type { HttpRequest } from '@parley/flow/actions'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** The run that waits for a call. */
export interface CallingRun {
  readonly runId: string
  readonly flowId: string
  readonly nodeId: string
  /** Number of the input at which it waits. */
  readonly inputNo: number
}

/** Outcome of a call. */
export interface CallResult {
  readonly state: Extract<CallState, 'answered' | 'failed' | 'uncertain'>
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly ms?: number | undefined
  readonly bytes?: number | undefined
  /** Values that the flow keeps, by their JSON pointer; until the run has them. */
  readonly values?: Readonly<Record<string, string>> | undefined
  /** Beginning of the answer to a test. */
  readonly answer?: string | undefined
}

/** One call to another system: of a run's step, or a test that a person asked for. */
export interface CallRecord extends Omit<CallResult, 'state'> {
  readonly id: string
  readonly workspaceId: string
  /** Sent as `Idempotency-Key`; unique, so that a step makes its call once. */
  readonly key: string
  readonly connectionId: string
  /** Absent for a test. */
  readonly run?: CallingRun | undefined
  /** Removed once the call has ended. */
  readonly request?: HttpRequest | undefined
  readonly state: CallState
  /** Number of times that it was begun. */
  readonly tries: number
  /** Set while there is something to do. */
  readonly open?: typeof open | undefined
  /** Time from which it may be begun; of a begun one the end of its lease; of one that has ended, of telling its run again. */
  readonly dueAt?: Date | undefined
  /** Names the worker's try: the result of a lost one is not taken. */
  readonly lease?: string | undefined
  readonly at: Date
  readonly expireAt: Date
}

export const open = 'open'

const text = { type: String, required: true }
const id = { type: Schema.Types.ObjectId, required: true }

export const callSchema = new Schema(
  {
    workspaceId: id,
    key: text,
    connectionId: id,
    run: {
      type: new Schema(
        { runId: id, flowId: id, nodeId: text, inputNo: { type: Number, required: true } },
        { _id: false },
      ),
    },
    request: { type: Schema.Types.Mixed },
    state: { type: String, enum: callStates, required: true },
    tries: { type: Number, required: true },
    open: { type: String },
    dueAt: { type: Date },
    lease: { type: String },
    status: { type: Number },
    code: { type: String },
    ms: { type: Number },
    bytes: { type: Number },
    // JSON: pointers hold dots and dollars.
    values: { type: String },
    answer: { type: String },
    at: { type: Date, required: true },
    expireAt: { type: Date, required: true },
  },
  { versionKey: false, minimize: false, strict: 'throw', strictQuery: 'throw' },
)
callSchema.index({ workspaceId: 1, key: 1 }, { name: 'key', unique: true })
callSchema.index(
  { workspaceId: 1, connectionId: 1, open: 1, dueAt: 1 },
  { name: 'of-connection', ...whereExists('open') },
)
callSchema.index({ workspaceId: 1, 'run.runId': 1 }, { name: 'run', ...whereExists('run') })
callSchema.index({ open: 1, dueAt: 1 }, { name: 'due', ...whereExists('open') })
callSchema.index({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 })
