import type { workflowEvents } from '@parley/contracts/automation/flow'
import type { FieldValue } from './conditions.ts'

/** Data about the person that the flow talks to. The host fills it from the contact and stores what effects change. */
export interface Person {
  readonly name: string
  /** E.164. */
  readonly phone: string
  readonly tags: readonly string[]
  readonly attributes: Readonly<Record<string, string>>
}

/** Event or time that the flow waits for. Times are milliseconds since 1970. */
export type Wait =
  | { readonly for: 'answer' }
  | { readonly for: 'choice' }
  | { readonly for: 'time'; readonly until: number }
  | { readonly for: 'reply'; readonly until: number }
  | { readonly for: 'http' }

/** One conversation's place in a flow; plain JSON, so that a host can store it between inputs. */
export interface FlowState {
  readonly status: 'idle' | 'waiting' | 'ended'
  /** Node where it waits, or where it ended. */
  readonly nodeId: string | null
  readonly wait: Wait | null
  readonly person: Person
  readonly lastAnswer: string
}

/** Everything that can happen to a flow. `at` is the host's clock, in milliseconds since 1970. */
export type FlowInput =
  | { readonly type: 'message'; readonly at: number; readonly text: string; readonly choiceId?: string }
  | {
      readonly type: 'event'
      readonly at: number
      readonly event: (typeof workflowEvents)[number]
      /** Fields of the event beyond the person, for its filter. */
      readonly fields?: Readonly<Record<string, FieldValue>>
    }
  /** The clock has come to `at`. */
  | { readonly type: 'time'; readonly at: number }
  /** Result of an `http_call` effect. */
  | { readonly type: 'http_answer'; readonly at: number; readonly ok: boolean; readonly body: string }

export type EndReason = 'end' | 'no_target' | 'go_to_bot' | 'problem' | 'loop'

/** Actions for the host, in order. `nodeId` names the node that asks for it. */
export type FlowEffect = { readonly nodeId: string } & (
  | { readonly type: 'send_text'; readonly text: string }
  | {
      readonly type: 'send_template'
      readonly templateId: string
      readonly variables: Readonly<Record<string, string>>
    }
  | { readonly type: 'send_buttons'; readonly text: string; readonly choices: readonly Choice[] }
  | { readonly type: 'send_list'; readonly text: string; readonly button: string; readonly rows: readonly Choice[] }
  | { readonly type: 'set_attribute'; readonly attribute: string; readonly value: string }
  | { readonly type: 'add_tag'; readonly tag: string }
  | { readonly type: 'assign'; readonly to: string }
  | { readonly type: 'http_call'; readonly method: string; readonly url: string; readonly body?: string }
  | { readonly type: 'go_to_bot'; readonly botId: string }
  /** Give a `time` input then. */
  | { readonly type: 'wake'; readonly at: number }
  | { readonly type: 'ended'; readonly reason: EndReason; readonly message?: string }
)

interface Choice {
  readonly id: string
  readonly title: string
  readonly description?: string | undefined
}

export interface StepResult {
  readonly state: FlowState
  readonly effects: readonly FlowEffect[]
  /** The nodes that this input went through, in order. */
  readonly visited: readonly string[]
}

/** A conversation before anything has happened in it. */
export const idleState = (person: Person): FlowState => ({
  status: 'idle',
  nodeId: null,
  wait: null,
  person,
  lastAnswer: '',
})
