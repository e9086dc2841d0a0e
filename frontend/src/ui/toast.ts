import { useSyncExternalStore } from 'react'

export interface ToastRecord {
  readonly id: number
  readonly kind: 'success' | 'note' | 'error'
  readonly text: string
  readonly open: boolean
  /** Takes back what the toast reports. */
  readonly undo?: () => void
}

/** Milliseconds that a toast stays. */
export const toastDurationMs = 5000
const toastForgetMs = 1_000_000

let toasts: readonly ToastRecord[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly ToastRecord[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** One toast at a time: a new one takes the place of the old. */
function show(kind: ToastRecord['kind'], text: string, undo?: () => void): void {
  lastId += 1
  set([{ id: lastId, kind, text, open: true, ...(undo && { undo }) }])
}

/** Closes a toast. Its record stays for a while, so that its holders can still read it. */
export function dismissToast(id: number): void {
  if (!toasts.some((toast) => toast.id === id && toast.open)) return
  set(toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)))
  setTimeout(() => set(toasts.filter((toast) => toast.id !== id)), toastForgetMs)
}

/** Notifications. `error` is the destructive toast titled 'Error'; `note` is neither good nor bad news. */
export const toast = {
  success: (text: string, undo?: () => void): void => show('success', text, undo),
  note: (text: string): void => show('note', text),
  error: (text: string): void => show('error', text),
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The id of the latest toast, shown or gone: another one later says that something was reported meanwhile. */
export const latestToast = (): number => lastId

/** Resolves once there is a toast to show. */
export const toastShown = (): Promise<void> =>
  new Promise((resolve) => {
    if (toasts.length > 0) return resolve()
    const unsubscribe = subscribe(() => {
      unsubscribe()
      resolve()
    })
  })

export const useToasts = (): readonly ToastRecord[] => useSyncExternalStore(subscribe, () => toasts)
