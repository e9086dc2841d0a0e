import { useEffect, useSyncExternalStore } from 'react'

/** The thing that is open on a screen which has depth: an editor, a builder. */
export interface Depth {
  readonly name: string
  /** Leads back to the screen itself. */
  readonly leave: () => void
}

let depth: Depth | undefined
const listeners = new Set<() => void>()

function set(next: Depth | undefined): void {
  depth = next
  for (const listener of listeners) listener()
}

/**
 * While the caller is mounted, the header shows the way (`Bot Flows / Order status`) and the tab is named after the thing.
 * @param leave stable (`useCallback`).
 */
export function useScreenDepth(name: string, leave: () => void): void {
  useEffect(() => {
    const mine = { name, leave }
    set(mine)
    return () => {
      if (depth === mine) set(undefined)
    }
  }, [name, leave])
}

export const useDepth = (): Depth | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => depth,
  )
