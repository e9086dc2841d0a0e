import { useEffect, useSyncExternalStore } from 'react'

/** Command of the screen in view, or of the record that is open on it. */
export interface Command {
  readonly id: string
  /** Verb and object: `Pause Summer sale`. */
  readonly title: string
  /** Other words by which it is found. */
  readonly keywords?: readonly string[]
  readonly run: () => void
}

/** A key of the screen in view, for the list of shortcuts. The screen itself listens for it. */
export interface Shortcut {
  /** Keys as printed: `['Ctrl', 'S']`; alternatives are entries of their own. */
  readonly keys: readonly string[]
  readonly what: string
}

interface Offer {
  readonly commands: readonly Command[]
  readonly shortcuts: readonly Shortcut[]
}

let offers: readonly Offer[] = []
const listeners = new Set<() => void>()

function set(next: readonly Offer[]): void {
  offers = next
  for (const listener of listeners) listener()
}

const none: readonly never[] = []

/** The command menu and the list of shortcuts show these while the caller is mounted. Keep both arrays stable (`useMemo`). */
export function useScreenCommands(commands: readonly Command[], shortcuts: readonly Shortcut[] = none): void {
  useEffect(() => {
    const offer = { commands, shortcuts }
    set([...offers, offer])
    return () => set(offers.filter((other) => other !== offer))
  }, [commands, shortcuts])
}

/** Returns the current offers. */
export const useOffers = (): readonly Offer[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => offers,
  )
