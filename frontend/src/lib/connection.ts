import { useSyncExternalStore } from 'react'

/**
 * `offline`: the device has no network. `unreachable`: it has, but Parley does not answer. `interrupted`: it answers, but what
 * happens elsewhere is not told at the moment.
 */
export type Connection = 'online' | 'offline' | 'unreachable' | 'interrupted'

let reachable = true
let followed = true
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

window.addEventListener('online', notify)
window.addEventListener('offline', notify)

/** Records whether the server could be reached. */
export function reportReachable(value: boolean): void {
  if (reachable === value) return
  reachable = value
  notify()
}

/** Records whether changes made elsewhere are announced to this page. */
export function reportFollowed(value: boolean): void {
  if (followed === value) return
  followed = value
  notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): Connection {
  if (!navigator.onLine) return 'offline'
  if (!reachable) return 'unreachable'
  return followed ? 'online' : 'interrupted'
}

export const useConnection = (): Connection => useSyncExternalStore(subscribe, read)
