import { useSyncExternalStore } from 'react'

/** `offline`: the device has no network. `unreachable`: it has, but Parley does not answer. */
export type Connection = 'online' | 'offline' | 'unreachable'

let reachable = true
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

window.addEventListener('online', notify)
window.addEventListener('offline', notify)

/** Whoever keeps trying to reach the server says here how it went. */
export function reportReachable(value: boolean): void {
  if (reachable === value) return
  reachable = value
  notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const read = (): Connection => (!navigator.onLine ? 'offline' : reachable ? 'online' : 'unreachable')

export const useConnection = (): Connection => useSyncExternalStore(subscribe, read)
