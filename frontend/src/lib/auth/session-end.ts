const listeners = new Set<() => void>()

/** Registers a listener for the moment at which the signed-in person goes: it drops caches and flags that belong to them. */
export const onSessionEnd = (listener: () => void): void => void listeners.add(listener)

/** The session has ended, or another person's has begun. */
export function reportSessionEnd(): void {
  for (const listener of listeners) listener()
}
