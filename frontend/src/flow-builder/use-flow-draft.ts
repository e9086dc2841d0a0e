import type { DraftFlow } from '@parley/contracts/automation/flow'
import { useCallback, useReducer } from 'react'

interface Draft {
  readonly history: History<DraftFlow>
  /** Changes when the flow changes other than by typing, so that a form that shows a node starts over. */
  readonly revision: number
  readonly saved: DraftFlow
}

type Action =
  | { type: 'change'; change: (flow: DraftFlow) => DraftFlow; tag: string | undefined }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'saved'; flow: DraftFlow }
  | { type: 'replace'; flow: DraftFlow }

function reduce(draft: Draft, action: Action): Draft {
  switch (action.type) {
    case 'change':
      return { ...draft, history: commit(draft.history, action.change(draft.history.present), action.tag) }
    case 'undo':
      return { ...draft, history: undo(draft.history), revision: draft.revision + 1 }
    case 'redo':
      return { ...draft, history: redo(draft.history), revision: draft.revision + 1 }
    case 'saved':
      // Later changes are undone by themselves: an undo leads back to what was saved.
      return { ...draft, saved: action.flow, history: { ...draft.history, tag: undefined } }
    case 'replace':
      return {
        history: commit(draft.history, action.flow, undefined),
        revision: draft.revision + 1,
        saved: action.flow,
      }
  }
}

/** A flow while it is edited: every change can be undone, and it is known whether it has been saved. */
export function useFlowDraft(initial: DraftFlow) {
  const [{ history, revision, saved }, dispatch] = useReducer(reduce, initial, (flow) => ({
    history: startHistory(flow),
    revision: 0,
    saved: flow,
  }))
  return {
    flow: history.present,
    revision,
    dirty: history.present !== saved,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    /** @param tag changes with the same tag in a row are undone together. */
    change: useCallback(
      (change: (flow: DraftFlow) => DraftFlow, tag?: string) => dispatch({ type: 'change', change, tag }),
      [],
    ),
    undo: useCallback(() => dispatch({ type: 'undo' }), []),
    redo: useCallback(() => dispatch({ type: 'redo' }), []),
    /** Goes on from a flow that is saved elsewhere; an undo brings back what was here. */
    replace: useCallback((flow: DraftFlow) => dispatch({ type: 'replace', flow }), []),
    markSaved: useCallback((flow: DraftFlow) => dispatch({ type: 'saved', flow }), []),
  }
}

/** States of something that is edited, with undo and redo. */
interface History<T> {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[]
  /** Subject of the last change; consecutive changes of the same kind are undone together. */
  readonly tag: string | undefined
}

const maxKept = 100

export const startHistory = <T>(present: T): History<T> => ({ past: [], present, future: [], tag: undefined })

/** @param tag names a change that continues, such as typing in one field; absent, the change stands by itself. */
export function commit<T>(history: History<T>, next: T, tag?: string): History<T> {
  if (next === history.present) return history
  const goesOn = tag !== undefined && tag === history.tag
  const past = goesOn ? history.past : [...history.past, history.present].slice(-maxKept)
  return { past, present: next, future: [], tag }
}

export function undo<T>({ past, present, future, ...history }: History<T>): History<T> {
  const before = past.at(-1)
  if (before === undefined) return { past, present, future, ...history }
  return { past: past.slice(0, -1), present: before, future: [present, ...future], tag: undefined }
}

export function redo<T>({ past, present, future, ...history }: History<T>): History<T> {
  const [after, ...rest] = future
  if (after === undefined) return { past, present, future, ...history }
  return { past: [...past, present], present: after, future: rest, tag: undefined }
}
