import { useSyncExternalStore } from 'react'

/**
 * A choice between on and off that is kept on this device, on unless a person has switched it off. Another tab's choice counts here too.
 * @param storageKey its name in `localStorage`; the choice lasts as long as the page if storage fails.
 */
export function createDeviceSwitch(storageKey: string) {
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

  function set(on: boolean): void {
    try {
      localStorage.setItem(storageKey, on ? 'on' : 'off')
    } catch {
      // The page itself remembers it.
    }
    apply(on)
  }

  window.addEventListener('storage', ({ key }) => {
    if (key === storageKey) apply(read())
  })
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = () => isOn
  return { get, set, use: (): boolean => useSyncExternalStore(subscribe, get) }
}
