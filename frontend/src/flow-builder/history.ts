/** States of something that is edited, with undo and redo. */
export interface History<T> {
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
