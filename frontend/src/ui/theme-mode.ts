import { useSyncExternalStore } from 'react'
import type { ThemeMode } from './theme.ts'

const storageKey = 'theme'
const root = document.documentElement
const listeners = new Set<() => void>()

const read = (): ThemeMode => (root.dataset['theme'] === 'light' ? 'light' : 'dark')

function apply(mode: ThemeMode): void {
  root.dataset['theme'] = mode
  for (const listener of listeners) listener()
}

/** Switches the theme at once and remembers it on this device. Dark is the default whatever the system says. */
export function setThemeMode(mode: ThemeMode): void {
  try {
    localStorage.setItem(storageKey, mode)
  } catch {
    // The choice lasts as long as the page if storage fails.
  }
  apply(mode)
}

// Another tab's choice counts here too.
window.addEventListener('storage', (event) => {
  if (event.key === storageKey) apply(event.newValue === 'light' ? 'light' : 'dark')
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useThemeMode = (): ThemeMode => useSyncExternalStore(subscribe, read)
