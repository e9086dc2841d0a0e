import type { InternalAction } from '@parley/contracts/automation/internal-actions'
import type { RunOutcome } from '@parley/contracts/automation/runs'
import type { TraceStep } from '@parley/flow/actions'
import type { FlowInput, MessagePart } from '@parley/flow/inputs'
import type { Facts, FlowState, Person } from '@parley/flow/state'

/** A message of the customer on its way into a run. Times are milliseconds since 1970. */
export interface InboundMessage {
  readonly kind: 'message'
  readonly eventId: string
  /** Absent in those that a version before has stored. */
  readonly messageId?: string | undefined
  readonly at: number
  readonly part: MessagePart
  /** Id of the tapped option, `<runId>.<inputNo>.<choiceId>` where a run has asked. */
  readonly choice?: string | undefined
  /** True where it began the conversation, or reopened it. */
  readonly isFirst?: true | undefined
  readonly person: Person
  readonly context: ConversationContext
  /** True where it has ended a session without an answer before: the next time it goes to people. */
  readonly isRerouted?: true | undefined
}

/** Conversation of a message, and whether a person has it. */
export interface ConversationContext {
  readonly contactId: string
  readonly contactName: string
  readonly conversationId: string
  readonly numberId: string
  readonly isHeld?: true | undefined
  readonly chain: readonly string[]
}

/** A change of the conversation's owner, or a person's message in it. */
export interface OwnerChange {
  readonly kind: 'owned'
  readonly epoch: number
  readonly reason: 'assigned' | 'replied' | 'phone' | 'closed' | 'bot' | 'returned'
  /** Run that caused it. */
  readonly runId?: string | undefined
}

/** A message of this run that could not be delivered. */
interface NotDelivered {
  readonly kind: 'not_delivered'
  readonly messageId: string
  /** Node that sent it; absent while the step is not complete. */
  readonly nodeId?: string | undefined
  readonly person: Person
}

/** The customer has opted out. */
interface OptedOut {
  readonly kind: 'opted_out'
}

/** Result of a call to another system. */
interface CallAnswer extends Omit<Extract<FlowInput, { type: 'http_answer' }>, 'type'> {
  readonly kind: 'http_answer'
  readonly person: Person
}

/** Any input of a run, which waits while the run has other work. */
export type InboxItem = InboundMessage | OwnerChange | NotDelivered | OptedOut | CallAnswer

/** Maximum inputs of a kind that wait for a run. */
export const maxInbox = 50

/** End of a run once its `todo` is done. */
export interface RunEnd {
  readonly outcome: RunOutcome
  readonly reason?: string | undefined
  readonly code?: string | undefined
  /** Bot in which the run continues instead, as another leg. */
  readonly toBot?: string | undefined
}

export interface ActionResult {
  readonly outcome: 'done' | 'refused'
  readonly code?: string | undefined
  readonly messageId?: string | undefined
}

/**
 * Actions that a run has to do at messaging: they change together with its state and position, or not at all. Their keys are
 * `<runId>.<inputNo>.<index>`. Times are milliseconds since 1970.
 */
export interface Todo {
  readonly inputNo: number
  /** Arguments to repeat the step with; absent where the host asks for something itself. */
  readonly stepped?: { readonly before: FlowState; readonly input: FlowInput; readonly facts: Facts } | undefined
  /** Message that this answers; where nothing answers it, it is routed again. */
  readonly message?: InboundMessage | undefined
  /** Events of its fragments, where it has several. */
  readonly eventIds?: readonly string[] | undefined
  /** True where it started the session. */
  readonly isStart?: true | undefined
  readonly actions: readonly InternalAction[]
  readonly results: readonly ActionResult[]
  readonly trace: readonly TraceStep[]
  readonly end?: RunEnd | undefined
  readonly since: number
  readonly tries: number
  /** Set where a call carries one action: it isolates one that messaging cannot read. */
  readonly isSingle?: true | undefined
}
