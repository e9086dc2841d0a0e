import type { DraftFlow } from '@parley/contracts/automation/flow'
import { useCallback, useReducer } from 'react'
import { commit, type History, redo, startHistory, undo } from './history.ts'

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
      return { ...draft, saved: action.flow }
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
