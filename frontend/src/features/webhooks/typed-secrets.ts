import { onSessionEnd } from '../../lib/auth/session-end.ts'

const typed = new Map<string, string>()

/** Keeps a secret that was just typed, by the id of its webhook, while the page is open: no answer ever carries it. */
export function rememberSecret(id: string, secret: string): void {
  if (secret === '') typed.delete(id)
  else typed.set(id, secret)
}

export const secretJustTyped = (id: string): string => typed.get(id) ?? ''

onSessionEnd(() => typed.clear())
