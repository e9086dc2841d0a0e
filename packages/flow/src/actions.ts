import type { Assignee } from '@parley/contracts/automation/bot-settings'
import type { HttpMethod } from '@parley/contracts/automation/http-request'
import type { FlowState } from './state.ts'

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

/** Returns whether an action sends a message. */
export const isSending = ({ type }: { readonly type: string }): boolean => type === 'send' || type === 'send_template'

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

/** Names the actions of a step by their nodes and types, so that those of two flows are known to be the same. */
export function namesOf({ trace, actions }: Pick<StepResult, 'trace' | 'actions'>): string[] {
  const nodes = trace.flatMap((one) => Array.from({ length: one.actions }, () => one.nodeId))
  const seen = new Map<string, number>()
  return actions.map(({ type }, index) => {
    const name = `${nodes[index] ?? ''} ${type}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return `${name} ${count}`
  })
}

/** Returns the results of a step’s actions by their names; one without a result was done. */
export function resultsOf(result: StepResult, outcomes: readonly Outcome[]): ReadonlyMap<string, Outcome> {
  const known = namesOf(result).map((name, index) => [name, outcomes[index] ?? { outcome: 'done' as const }] as const)
  return new Map(known)
}
