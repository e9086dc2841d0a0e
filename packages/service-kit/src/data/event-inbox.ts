import type { RecordedEvent } from '@parley/contracts/platform/events'

const maxWaiting = 256

export type Entry = { readonly event: RecordedEvent } | { readonly unlogged: { event: string; data: unknown } }
export type EventInbox = ReturnType<typeof createEventInbox>

/** Creates the queue of one reader. When full it is emptied, and the reader continues from the database. */
export function createEventInbox(signal: AbortSignal) {
  let entries: Entry[] = []
  let behind = false
  let wake = () => {}
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    push: (entry: Entry): void => {
      if (entries.length < maxWaiting) entries.push(entry)
      else if ('event' in entry) {
        entries = []
        behind = true
      }
      wake()
    },
    setBehind: (): void => {
      behind = true
      wake()
    },
    takeBehind: (): boolean => {
      const was = behind
      behind = false
      return was
    },
    shift: (): Entry | undefined => entries.shift(),
    filled: async (): Promise<void> => {
      if (entries.length > 0 || behind || signal.aborted) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    },
  }
}
