import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import { type Run, type RunOutcome, type RunStatus, runOutcomes, runStatuses } from '@parley/contracts/automation/runs'
import type { MessagePart } from '@parley/flow/inputs'
import type { FlowState } from '@parley/flow/state'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'
import type { InboxItem, Todo } from './inputs.ts'

/** Free text that waits for more of it. Times are milliseconds since 1970. */
export interface Collected {
  readonly parts: readonly MessagePart[]
  /** Events of the parts; absent in those of older versions. */
  readonly eventIds?: readonly string[] | undefined
  /** The first message: the others have its person and conversation. */
  readonly first: Extract<InboxItem, { kind: 'message' }>
  /** The newest message of it; absent in those of older versions. */
  readonly upTo?: string | undefined
  /** Trigger that it starts; absent for an answer. */
  readonly triggerId?: string | undefined
  /** Time at which the first came. */
  readonly since: number
}

/** Recent traffic that limits a bot in a loop; carried over to the conversation's next session. Milliseconds since 1970. */
export interface Recent {
  /** Times of the last automated messages. */
  readonly sentAt: readonly number[]
  /** Digest of the customer's last text, and the times at which it came within seconds of ours. */
  readonly echo?: { readonly digest: string; readonly at: readonly number[] } | undefined
}

/** Reasons why a run continues by itself: free text is complete, a wait is over, somebody or its age has ended it. */
export const dueReasons = ['collect', 'timer', 'end'] as const
type DueFor = (typeof dueReasons)[number]

/** Cause of a run: for a workflow the event as its triggers name it. */
export interface StartedBy {
  readonly eventId: string
  readonly triggerId: string
  readonly event?: NonNullable<Run['started']>['event'] | undefined
  /** The tag, or the field, that has changed. */
  readonly detail?: string | undefined
  /** Actor of the event. */
  readonly by?: string | undefined
}

/** One execution of a flow: a session of a bot, or a run of a workflow. */
export interface RunRecord {
  readonly id: string
  readonly workspaceId: string
  readonly kind: FlowKind
  flowId: string
  number: number
  contactId: string
  contactName?: string | undefined
  /** Lane of this contact's work. */
  home: string
  /** Absent while a workflow has said nothing. */
  conversationId?: string | undefined
  numberId?: string | undefined
  status: RunStatus
  /** Set until it has ended. */
  live?: true | undefined
  /** Set while it keeps the conversation for itself: one run of a conversation at most. */
  holds?: true | undefined
  state: FlowState
  /** Number of stored steps. */
  steps: number
  /** Nodes that it has been at, and branches by which it left them (`pathOf`); absent in runs of older versions. */
  path?: readonly string[] | undefined
  /** Version on which it came to the node at which it waits, where it has moved to another one there. */
  enteredOn?: number | undefined
  /** Set from its end until that is part of the counts, and once more where a person writes after it. */
  uncounted?: 'new' | undefined
  /** Outcome as which the figures of its flow count it; `followed_up` is completed with `followedUp`. */
  readonly talliedAs?: RunOutcome | 'begun' | 'followed_up' | undefined
  /** Inputs that arrived while there was a `todo`, the oldest first. */
  inbox: readonly InboxItem[]
  collect?: Collected | undefined
  todo?: Todo | undefined
  /** `home`, while there is a `todo`. */
  lane?: string | undefined
  /** Time from which the `todo` may be tried. */
  retryAt?: Date | undefined
  dueAt?: Date | undefined
  dueFor?: DueFor | undefined
  /** `home`, while there is a `dueAt`. */
  dueLane?: string | undefined
  /** Epoch under which it acts; absent before it has claimed the conversation. */
  epoch?: number | undefined
  /** Newest message of the customer that it has taken: what comes after it is not read where the run ends. */
  readUpTo?: string | undefined
  /** True where it had no use for a message of the customer: people read it at the end. */
  missed?: true | undefined
  /** Set once it has left its conversation to people and continues beside them; it may claim it again. */
  left?: true | undefined
  /** True while nothing that it did has answered the last message that it took. */
  unanswered?: true | undefined
  /** Reason for which somebody has ended it; it goes to people once it has nothing else to do. */
  ending?: string | undefined
  startedBy: StartedBy
  /** Place that one run of a workflow has with a contact: for good, or while it lives. */
  slot?: 'once' | 'live' | undefined
  /** Set where a limit of its workflow has held it before its first action, until a person lets it go on: it has not started. */
  heldBack?: true | undefined
  /** Set once it has done something. */
  acted?: true | undefined
  /** The run that it tries again. */
  readonly retryOf?: string | undefined
  /** The run by which it was tried again: once only. */
  retriedBy?: string | undefined
  readonly chain: readonly string[]
  legs: readonly { readonly flowId: string; readonly number: number }[]
  recent: Recent
  outcome?: RunOutcome | undefined
  /** Sentence on why it failed or is held. */
  reason?: string | undefined
  code?: string | undefined
  /** Set where a person wrote within 24 hours after its end, or its last answer was lost: it has not resolved the matter. */
  followedUp?: true | undefined
  endedAt?: Date | undefined
  expireAt?: Date | undefined
  readonly createdAt: Date
  readonly version: number
}

const text = { type: String, required: true }
const id = { type: Schema.Types.ObjectId, required: true }
const mixed = { type: Schema.Types.Mixed }
const set = { type: Boolean }

export const runSchema = new Schema(
  {
    workspaceId: id,
    kind: text,
    flowId: id,
    number: { type: Number, required: true },
    contactId: id,
    contactName: { type: String },
    home: text,
    conversationId: { type: Schema.Types.ObjectId },
    numberId: { type: Schema.Types.ObjectId },
    status: { type: String, enum: runStatuses, required: true },
    live: set,
    holds: set,
    state: { ...mixed, required: true },
    steps: { type: Number, required: true },
    path: { type: [String], default: undefined },
    enteredOn: { type: Number },
    uncounted: { type: String },
    talliedAs: { type: String },
    inbox: { type: [Schema.Types.Mixed], required: true },
    collect: mixed,
    todo: mixed,
    lane: { type: String },
    retryAt: { type: Date },
    dueAt: { type: Date },
    dueFor: { type: String },
    dueLane: { type: String },
    epoch: { type: Number },
    readUpTo: { type: String },
    missed: set,
    left: set,
    unanswered: set,
    ending: { type: String },
    startedBy: {
      type: new Schema(
        { eventId: text, triggerId: text, event: { type: String }, detail: { type: String }, by: { type: String } },
        { _id: false },
      ),
      required: true,
    },
    slot: { type: String },
    heldBack: set,
    acted: set,
    retryOf: { type: Schema.Types.ObjectId },
    retriedBy: { type: Schema.Types.ObjectId },
    chain: { type: [String], required: true },
    legs: { type: [Schema.Types.Mixed], required: true },
    recent: { ...mixed, required: true },
    outcome: { type: String, enum: runOutcomes },
    reason: { type: String },
    code: { type: String },
    followedUp: set,
    createdAt: { type: Date, required: true },
    endedAt: { type: Date },
    expireAt: { type: Date },
    version: { type: Number, required: true },
  },
  { versionKey: false, minimize: false, strict: 'throw', strictQuery: 'throw' },
)
runSchema.index({ workspaceId: 1, 'startedBy.eventId': 1, flowId: 1 }, { name: 'started-by', unique: true })
runSchema.index({ workspaceId: 1, conversationId: 1 }, { name: 'holder', unique: true, ...whereExists('holds') })
runSchema.index(
  { workspaceId: 1, flowId: 1, contactId: 1, slot: 1 },
  { name: 'slot', unique: true, ...whereExists('slot') },
)
runSchema.index({ workspaceId: 1, contactId: 1, slot: 1 }, { name: 'slots', ...whereExists('slot') })
runSchema.index({ workspaceId: 1, flowId: 1, contactId: 1, createdAt: -1 }, { name: 'enrolled' })
runSchema.index(
  { workspaceId: 1, flowId: 1, heldBack: 1, createdAt: -1 },
  { name: 'held-back', ...whereExists('heldBack') },
)
runSchema.index({ workspaceId: 1, contactId: 1 }, { name: 'live', ...whereExists('live') })
runSchema.index({ workspaceId: 1, contactId: 1, _id: -1 }, { name: 'contact' })
runSchema.index({ workspaceId: 1, conversationId: 1, _id: -1 }, { name: 'conversation' })
runSchema.index({ workspaceId: 1, flowId: 1, createdAt: -1, _id: -1 }, { name: 'newest' })
runSchema.index(
  { workspaceId: 1, flowId: 1, outcome: 1, createdAt: -1, _id: -1 },
  { name: 'outcome', ...whereExists('outcome') },
)
runSchema.index(
  { workspaceId: 1, flowId: 1, live: 1, createdAt: -1, _id: -1 },
  { name: 'newest-live', ...whereExists('live') },
)
runSchema.index({ workspaceId: 1, flowId: 1, number: 1 }, { name: 'running', ...whereExists('live') })
// The version before counts by it: it goes with a later migration.
runSchema.index({ workspaceId: 1, flowId: 1, createdAt: -1, outcome: 1, followedUp: 1 }, { name: 'figures' })
runSchema.index(
  { workspaceId: 1, flowId: 1, path: 1, createdAt: -1, _id: -1 },
  { name: 'path', ...whereExists('path') },
)
runSchema.index({ uncounted: 1, _id: 1 }, { name: 'uncounted', ...whereExists('uncounted') })
runSchema.index({ workspaceId: 1, flowId: 1, uncounted: 1 }, { name: 'uncounted-of', ...whereExists('uncounted') })
runSchema.index({ lane: 1, retryAt: 1, _id: 1 }, { name: 'pending', ...whereExists('lane') })
// Holds those alone whose delivery has failed: few of very many runs.
runSchema.index(
  { lane: 1, 'todo.since': 1 },
  { name: 'retried', partialFilterExpression: { 'todo.tries': { $gt: 0 } } },
)
runSchema.index({ dueFor: 1, dueAt: 1, dueLane: 1 }, { name: 'due', ...whereExists('dueFor') })
runSchema.index({ dueLane: 1, dueAt: 1 }, { name: 'due-in-lane', ...whereExists('dueLane') })
runSchema.index({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 })
