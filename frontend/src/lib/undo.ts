import { useSyncExternalStore } from 'react'
import { latestToast, toast } from '../ui/toast.ts'
import { onSessionEnd } from './auth/session-end.ts'

/** A change that can be undone. */
export interface Undoable {
  readonly id: number
  /** Completed change: `3 contacts deleted`. */
  readonly text: string
  readonly undo: () => void | Promise<void>
}

const maxKept = 20

let done: readonly Undoable[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly Undoable[]): void {
  done = next
  for (const listener of listeners) listener()
}

/**
 * Reports what was done in a toast with Undo. Once another toast has taken its place, Ctrl+Z and the command menu still
 * take it back, the latest first.
 * @param undo may reject; the thing then stays done, which is said, and can be tried again.
 */
export function offerUndo(text: string, undo: Undoable['undo']): void {
  lastId += 1
  const entry = { id: lastId, text, undo }
  set([entry, ...done].slice(0, maxKept))
  toast.success(text, () => void undoChange(entry))
}

/** Takes one thing back: the latest unless told. */
export async function undoChange(entry: Undoable | undefined = done[0]): Promise<void> {
  if (!entry || !done.includes(entry)) return
  set(done.filter((other) => other !== entry))
  const shown = latestToast()
  try {
    await entry.undo()
    // A newer toast, perhaps with an Undo of its own, stays to be read.
    if (latestToast() === shown) toast.success('Undone.')
  } catch {
    set([entry, ...done])
    toast.error('That could not be undone. Try again.')
  }
}

/** Returns changes that can be undone, the latest first. */
export const useUndoables = (): readonly Undoable[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => done,
  )

onSessionEnd(() => set([]))
