import type { Connection } from '@parley/contracts/automation/connections'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { FlowCounts } from '@parley/contracts/automation/publication'
import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import type { Facts } from '@parley/flow/state'
import { createContext, type ReactNode, use } from 'react'
import type { DrawnDiff } from './diff-words.ts'
import type { NewFlowTest } from './flow-tests.ts'
import type { Names } from './summary.ts'

/** Choices for settings, beyond the flow itself. */
export interface Choices extends Names {
  readonly templates: readonly {
    readonly id: string
    readonly name: string
    readonly placeholders: readonly string[]
    /** Reason why it cannot be sent. */
    readonly reason?: string | undefined
  }[]
  readonly tags: readonly string[]
  /** Connections to other systems. */
  readonly connections?: readonly Pick<Connection, 'id' | 'name' | 'baseUrl' | 'authentication'>[] | undefined
  /** Fields of contacts. */
  readonly attributes: readonly Pick<Attribute, 'name' | 'label' | 'type' | 'choices'>[]
  /** The workflow that is built; absent for a bot. */
  readonly workflowId?: string | undefined
  /** Settings and hours with which the draft is tried out; absent: those of a bot that has changed none. */
  readonly facts?: Pick<Facts, 'settings' | 'hours'> | undefined
}

export type FlowKind = 'bot' | 'workflow'

/** The open editor, for what is in its bar. */
export interface EditorHandle {
  /** True while the flow on the canvas is not saved. */
  readonly dirty: boolean
  /** True while it is being saved. */
  readonly saving: boolean
  /** The flow on the canvas. */
  readonly flow: DraftFlow
  /** Saves it. @returns whether it is saved; a failure has been reported. */
  readonly save: () => Promise<boolean>
  /** Selects nodes and brings the first into view. */
  readonly reveal: (ids: readonly string[]) => void
  /** Puts another flow in place of the draft, which an undo brings back. */
  readonly put: (flow: DraftFlow) => void
}

/** A run, a version or a comparison that is drawn in place of the draft, which cannot be edited meanwhile. */
export interface Drawn {
  readonly flow: DraftFlow
  /** Nodes that a run has been at. */
  readonly visited?: ReadonlySet<string>
  /** Node at which a run stands. */
  readonly active?: string | null
  /** Differences of two flows. */
  readonly diff?: Pick<DrawnDiff, 'nodes' | 'lines'>
  /** Figures of the nodes. */
  readonly counts?: ReadonlyMap<string, FlowCounts['nodes'][number]>
  /** Sentence on what is drawn: `Version 3: a session, not the draft`. */
  readonly title: string
}

export interface FlowEditorProps extends Partial<Choices> {
  what: FlowKind
  name: string
  draft: DraftFlow
  /** Badge beside the name. */
  status: ReactNode
  saving: boolean
  /** Commands beside the one that saves. */
  actions?: ((editor: EditorHandle) => ReactNode) | undefined
  /** Stands in place of the inspector. */
  panel?: ((editor: EditorHandle) => ReactNode) | undefined
  /** Name of the panel; absent: that of runs. */
  panelTitle?: string | undefined
  /** Closes the panel, where it is a sheet. */
  onPanelClose?: (() => void) | undefined
  drawn?: Drawn | undefined
  /** Keeps what was tried out as a test, with the flow that was tried; rejects if it could not. Absent for who may not. */
  onKeepTest?: ((test: NewFlowTest) => Promise<unknown>) | undefined
  /** Rejects if it could not be saved, which the caller reports. */
  onSave: (draft: DraftFlow) => Promise<unknown>
  onRename: (name: string) => Promise<unknown>
  /** Flow saved by another member since this one was opened; absent where there is none. */
  newer: DraftFlow | undefined
  /** The canvas shows `newer`. */
  onShown: () => void
  /** Flow saved by another member while this one was edited; absent where there is none. */
  theirs: DraftFlow | undefined
  /** The person continues from `theirs`. */
  onTaken: () => void
  /** The person keeps editing and decides later. */
  onLater: () => void
  /** Returns to the list; stable. */
  onLeave: () => void
}

const Context = createContext<Choices>({ bots: [], templates: [], tags: [], members: [], attributes: [] })
export const ChoicesProvider = Context.Provider
export const useChoices = (): Choices => use(Context)
