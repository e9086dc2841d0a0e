import { useSyncExternalStore } from 'react'

const storageKey = 'character_keys'
const listeners = new Set<() => void>()

let isOn = read()

function read(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true
  }
}

function apply(on: boolean): void {
  isOn = on
  for (const listener of listeners) listener()
}

/**
 * Returns whether shortcuts of a single character work. People who dictate or press keys by accident can switch them off (WCAG
 * 2.1.4); the choice is kept on this device.
 */
export const areCharacterKeysOn = (): boolean => isOn

export function setCharacterKeys(on: boolean): void {
  try {
    localStorage.setItem(storageKey, on ? 'on' : 'off')
  } catch {
    // The choice lasts as long as the page if storage fails.
  }
  apply(on)
}

// Another tab's choice counts here too.
window.addEventListener('storage', ({ key }) => {
  if (key === storageKey) apply(read())
})

export const useCharacterKeys = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOn,
  )
