import { type Assignee, botSettingsSchema } from '@parley/contracts/automation/bot-settings'
import type { WorkflowStart } from '@parley/contracts/automation/flow'
import type { HttpMethod } from '@parley/contracts/automation/http-request'
import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import type { BusinessHours } from '@parley/contracts/inbox/opening-hours'
import type { FieldValue } from './conditions.ts'

/** The customer as the host knows them at an input. */
export interface Person {
  readonly name: string
  /** E.164; absent where WhatsApp tells none. */
  readonly phone?: string | undefined
  readonly username?: string | undefined
  readonly tags: readonly string[]
  readonly attributes: Readonly<Record<string, string>>
}

/** Settings of a bot that its flow is run with; those of a workspace are joined to them by the host. */
export interface FlowSettings {
  /** Hours after which a question without a deadline of its own is given up. */
  readonly idleHours: number
  /** Words by which a customer asks for a person at any point. */
  readonly handOverWords: readonly string[]
  /** Text to the customer at a hand-over; empty: none. */
  readonly handOverText: string
  /** Replaces `handOverText` outside the workspace's opening hours. */
  readonly closedText?: string | undefined
  /** Text to the customer where the bot cannot continue; empty: none. */
  readonly failureText: string
  readonly failureTo: Assignee
}

/** Settings of a bot and a workspace that have changed none. */
export const defaultSettings: FlowSettings = { ...botSettingsSchema.parse({}), handOverWords: ['agent', 'human'] }

/** Everything that one step may know of the world; the host reads it before the step and gives the same again where it repeats one. */
export interface Facts {
  /** The host's clock, in milliseconds since 1970. */
  readonly now: number
  readonly person: Person
  readonly conversation?:
    | {
        /** True where this message began the conversation, or reopened it. */
        readonly isFirst?: boolean | undefined
      }
    | undefined
  /** The workspace's opening hours; absent: always open. */
  readonly hours?: BusinessHours | undefined
  /** Definitions of contact fields, by which values are checked. */
  readonly attributes?: readonly Pick<Attribute, 'name' | 'label' | 'type' | 'choices'>[] | undefined
  /** Absent for a workflow, which says nothing of its own. */
  readonly settings?: FlowSettings | undefined
  /** False for a workflow that has not claimed the conversation: it neither releases it nor gives it up. */
  readonly owns?: boolean | undefined
}

/**
 * Cause for which a run waits. `inputNo` numbers the input that led here: an answer or a timer for an older one is recognised by
 * it. `until` is the moment of the `timer` input, in milliseconds since 1970.
 */
export interface Wait {
  readonly for: 'answer' | 'choice' | 'time' | 'reply' | 'http'
  readonly inputNo: number
  readonly until?: number
}

/** A run's place in its flow, with what it remembers; plain JSON, and nothing of the person. */
export interface FlowState {
  readonly status: 'idle' | 'waiting' | 'ended'
  /** Node where it waits, or where it ended. */
  readonly nodeId: string | null
  readonly wait: Wait | null
  /** Number of inputs that were taken. */
  readonly inputNo: number
  /** Variables that are forgotten with the session: at most 50, of 8 KiB together. */
  readonly session: Readonly<Record<string, string>>
  /** Forms by the variables that they have written, which another filling replaces; absent before the first. */
  readonly formOf?: Readonly<Record<string, string>> | undefined
  readonly lastAnswer: string
  /** Answers to the open question that did not fit. */
  readonly tries: number
  /** True once the conversation was given to people: the run may continue, but asks no more. */
  readonly assigned: boolean
}

export const maxSessionVariables = 50
export const maxSessionBytes = 8192

/** A run before anything has happened. */
export const idleState: FlowState = {
  status: 'idle',
  nodeId: null,
  wait: null,
  inputNo: 0,
  session: {},
  lastAnswer: '',
  tries: 0,
  assigned: false,
}

/** Waits that are longer leave the conversation to others meanwhile. */
const maxHoldingWaitMs = 300_000

/** Returns whether a run keeps a conversation for itself: it asks something, or pauses for five minutes at most. */
export const holdsConversation = ({ status, wait, assigned }: FlowState, now: number): boolean =>
  status === 'waiting' &&
  !assigned &&
  (wait?.for !== 'time' || wait.until === undefined || wait.until - now <= maxHoldingWaitMs)

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

/** A call to another system, filled: its connection fixes host and secrets. */
export interface HttpRequest {
  readonly connectionId: string
  readonly method: HttpMethod
  /** Path and query below the connection's address. */
  readonly path: string
  readonly headers?: readonly { readonly name: string; readonly value: string }[]
  /** JSON. */
  readonly body?: string
  readonly timeoutSeconds?: number
  /** JSON pointers to the values of the answer that the flow keeps. */
  readonly pick?: readonly string[]
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

/** Option of a question; `id` is `<inputNo>.<choiceId>`, to which the host puts its run: `<runId>.<id>`. */
interface PromptOption {
  readonly id: string
  readonly title: string
  readonly description?: string | undefined
}

/** Content of a message that a flow sends. */
type FlowContent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'video' | 'document'
      readonly mediaId: string
      readonly caption?: string
      readonly fileName?: string
    }
  | { readonly type: 'audio'; readonly mediaId: string }
  /** Buttons, or a list that `button` opens. */
  | {
      readonly type: 'interactive'
      readonly text: string
      readonly button?: string
      readonly options: readonly PromptOption[]
    }
  /** A form that `button` opens. `token` comes back with its answers: `<inputNo>.form`, to which the host puts its run. */
  | {
      readonly type: 'form'
      readonly text: string
      readonly button: string
      /** Id at WhatsApp. */
      readonly formId: string
      readonly screen?: string
      readonly token: string
    }

/** Action that a run asks the host for, in order: each becomes one entry of messaging's actions, but for the last two. */
export type FlowAction =
  | { readonly type: 'send'; readonly content: FlowContent }
  | {
      readonly type: 'send_template'
      readonly templateId: string
      readonly variables: Readonly<Record<string, string>>
    }
  | { readonly type: 'set_attribute'; readonly attribute: string; readonly value: string }
  | { readonly type: 'add_tag' | 'remove_tag'; readonly tag: string }
  /** Gives the conversation to people. */
  | { readonly type: 'assign'; readonly to: Assignee }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'close' }
  /** Ends the run's hold. `resolved`: nobody has to read what was written. `attention`: the customer waits for a person. */
  | { readonly type: 'release'; readonly resolved?: boolean; readonly attention?: boolean }
  /** Calls an address outside: the result comes back as `http_answer`. */
  | ({ readonly type: 'http_call' } & HttpRequest)

/** Result of one action, in the order of the actions. One that is missing has not been tried and counts as done. */
export interface Outcome {
  readonly outcome: 'done' | 'refused'
  /** `window_closed`, `opted_out`. */
  readonly code?: string | undefined
}

/** Outcome of a run. `abandoned`: no answer in time. Others (`taken_over`, `cancelled`) are the host's. */
type EndOutcome = 'completed' | 'handed_over' | 'abandoned' | 'failed' | 'loop'

/** The end of a run, or of its part in this flow: `toBot` continues in another. */
export interface FlowEnd {
  readonly outcome: EndOutcome
  /** Sentence for the team, where it failed. */
  readonly message?: string
  /** Code of the refusal for which it failed. */
  readonly code?: string
  readonly toBot?: string
}

/** One node that was passed. */
export interface TraceStep {
  readonly nodeId: string
  /** Branch by which it was left; absent where the run stays or ends here. */
  readonly branch?: string
  /** Number of its actions, which follow one another. */
  readonly actions: number
  /** True where a text was longer than the platform takes, and lost its end. */
  readonly isCut?: true
}

export interface StepResult {
  readonly state: FlowState
  readonly actions: readonly FlowAction[]
  readonly trace: readonly TraceStep[]
  /** False where the run has no use for the input: nothing has changed, and a message is to be routed elsewhere. */
  readonly consumed: boolean
  readonly end?: FlowEnd
}
