import { useSyncExternalStore } from 'react'

/** Cookie that is kept for 7 days. */
const cookie = 'sidebar_state'
const maxAgeSeconds = 604_800

const root = document.documentElement
const listeners = new Set<() => void>()

/** `first-paint.js` has read the cookie already and left its word on the root element. */
const isExpanded = (): boolean => root.dataset['sidebar'] !== 'collapsed'

export function toggleSidebar(): void {
  const expanded = !isExpanded()
  root.dataset['sidebar'] = expanded ? 'expanded' : 'collapsed'
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we support.
  document.cookie = `${cookie}=${expanded}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax`
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSidebarExpanded = (): boolean => useSyncExternalStore(subscribe, isExpanded)
