/** Longest delay that a timer of Node takes, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Time as the simulated platform sees it: real time plus what has been skipped. Work that is due at a time runs then, and at
 * once where the clock is moved past it.
 */
export function createClock() {
  let skippedMs = 0
  const pending = new Set<{ readonly dueAt: number; readonly run: () => void; timer?: NodeJS.Timeout }>()

  /** Milliseconds since 1970. */
  const now = () => Date.now() + skippedMs

  /** Runs `run` at a time, or as soon as possible where that has passed. @returns what takes it back. */
  function at(dueAt: number, run: () => void): () => void {
    const entry: { dueAt: number; run: () => void; timer?: NodeJS.Timeout } = { dueAt, run }
    pending.add(entry)
    arm(entry)
    return () => {
      clearTimeout(entry.timer)
      pending.delete(entry)
    }
  }

  function arm(entry: { dueAt: number; run: () => void; timer?: NodeJS.Timeout }): void {
    clearTimeout(entry.timer)
    const waitMs = Math.max(0, entry.dueAt - now())
    entry.timer = setTimeout(
      () => {
        if (entry.dueAt > now()) return arm(entry)
        pending.delete(entry)
        entry.run()
      },
      Math.min(waitMs, maxTimerMs),
    )
    entry.timer.unref()
  }

  /** Moves the clock forward; what becomes due runs in its order. */
  function advance(ms: number): void {
    skippedMs += ms
    for (const entry of [...pending].sort((left, right) => left.dueAt - right.dueAt)) arm(entry)
  }

  /** Time that has been skipped so far, in milliseconds, and a way to start with it again. */
  const skipped = () => skippedMs
  const restore = (ms: number) => {
    skippedMs = ms
  }

  function stop(): void {
    for (const { timer } of pending) clearTimeout(timer)
    pending.clear()
  }

  return { now, at, advance, skipped, restore, stop }
}
export type Clock = ReturnType<typeof createClock>
