import { type Assignee, botSettingsSchema } from '@parley/contracts/automation/bot-settings'
import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import type { BusinessHours } from '@parley/contracts/inbox/opening-hours'

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
