const listeners = new Set<() => void>()

/** Called whenever the signed-in person goes: caches and flags that belong to them are dropped here. */
export const onSessionEnd = (listener: () => void): void => void listeners.add(listener)

/** The session has ended, or another person's has begun. */
export function reportSessionEnd(): void {
  for (const listener of listeners) listener()
}
