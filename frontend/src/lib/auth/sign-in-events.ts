import { z } from 'zod'
import { authTimes } from './auth-config.ts'

const key = 'sign-in-events'
const seenSchema = z.record(z.string(), z.number()).catch({})

/** Takes note of the result of a sign-in by its state. @returns false if this tab has seen it within the last 10 minutes. */
export function isNewEvent(state: string): boolean {
  const now = Date.now()
  const recent = Object.entries(read()).filter(([, seenAt]) => now - seenAt < authTimes.eventCacheMs)
  const isNew = !recent.some(([seen]) => seen === state)
  if (isNew) write(Object.fromEntries([...recent, [state, now]]))
  return isNew
}

function read(): Record<string, number> {
  try {
    return seenSchema.parse(JSON.parse(sessionStorage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}

function write(seen: Record<string, number>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(seen))
  } catch {
    // A browser that refuses storage has no sign-in state either, so nothing can be repeated.
  }
}
