import type { WorkflowStart } from '@parley/contracts/automation/triggers'
import type { FieldValue } from './conditions.ts'

/** One message of the customer; several in a row form one input. */
export interface MessagePart {
  /** Kind of its content, as messages have it: `text`, `image`, `location`. */
  readonly contentType: string
  /** Text, caption, name of the file or the title of what was tapped; may be empty. */
  readonly text: string
  /** Coordinates of a location. */
  readonly place?: { readonly latitude: number; readonly longitude: number } | undefined
  /** Answers of a form, in its order. */
  readonly answers?: readonly { readonly question: string; readonly answer: string }[] | undefined
}

/** Outcome of a call. `uncertain`: it may have been done, although no answer came. */
interface HttpAnswer {
  readonly result: 'ok' | 'failed' | 'uncertain'
  /** Reason of a failure: `timeout`, `http_status`. */
  readonly code?: string | undefined
  /** Values of the answer by their JSON pointer, without those that it lacks. */
  readonly values: Readonly<Record<string, string>>
  readonly status?: number | undefined
  readonly ms?: number | undefined
  readonly bytes?: number | undefined
}

/** Everything that can happen to a run. */
export type FlowInput =
  | {
      readonly type: 'message'
      readonly parts: readonly MessagePart[]
      /** Tapped option of a question of this run: the number of the input that asked, and the choice. */
      readonly choice?: { readonly inputNo: number; readonly id: string } | undefined
      /** Trigger that the routing table has chosen, where the message starts the run; absent: the best of the flow. */
      readonly triggerId?: string | undefined
    }
  /** Hands the conversation from a member to the bot. */
  | { readonly type: 'handed_over' }
  | {
      readonly type: 'event'
      readonly event: WorkflowStart
      /** Trigger that the host has chosen among several of the same name; absent: the first that fits. */
      readonly triggerId?: string | undefined
      /** Fields of the event beyond the person, for its filter. */
      readonly fields?: Readonly<Record<string, FieldValue>> | undefined
      /** Values of the body of a call from outside, by their JSON pointer. */
      readonly values?: Readonly<Record<string, string>> | undefined
    }
  /** Begins at a node, whatever its triggers say: a run that is tried again. */
  | { readonly type: 'start_at'; readonly nodeId: string }
  /** Reports that the time of the wait of this number has come. */
  | { readonly type: 'timer'; readonly inputNo: number }
  /** Result of an `http_call` action. */
  | ({ readonly type: 'http_answer'; readonly inputNo: number } & HttpAnswer)
  /** Reports that a message sent by this input could not be delivered after all: the customer never saw it. */
  | { readonly type: 'not_delivered'; readonly inputNo: number }
