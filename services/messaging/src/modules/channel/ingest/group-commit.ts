/** Maximum items of one write; further ones wait for the next. */
const maxItems = 2000

interface Waiting<T> {
  readonly items: readonly T[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Lets concurrent callers share writes: while a write is under way, the next one collects the items that come in. An item is
 * written at once where no other caller waits.
 * @param options.atOnce concurrent writes.
 * @param options.everyMs minimum interval between the starts of writes: fewer and larger ones, where each costs more than its
 * items.
 * @returns a function that resolves once its items are written, and rejects where their write failed.
 */
export function groupCommit<T>(
  write: (items: readonly T[]) => Promise<unknown>,
  { atOnce = 1, everyMs = 0 }: { readonly atOnce?: number; readonly everyMs?: number } = {},
): (items: readonly T[]) => Promise<void> {
  let queue: Waiting<T>[] = []
  let busy = 0
  let armed = false
  let notBefore = 0

  /** Schedules one write for everything that is read from sockets in this turn of the event loop. */
  function arm(): void {
    if (armed || busy === atOnce || queue.length === 0) return
    armed = true
    const begin = () => {
      armed = false
      notBefore = performance.now() + everyMs
      void flush()
    }
    const waitMs = notBefore - performance.now()
    if (waitMs > 0) setTimeout(begin, waitMs)
    else setImmediate(begin)
  }

  async function flush(): Promise<void> {
    const batch = nextBatch()
    busy += 1
    arm()
    try {
      await write(batch.flatMap(({ items }) => items))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      busy -= 1
      arm()
    }
  }

  function nextBatch(): Waiting<T>[] {
    let count = 0
    const end = queue.findIndex(({ items }) => {
      count += items.length
      return count >= maxItems
    })
    const batch = queue.slice(0, end === -1 ? queue.length : end + 1)
    queue = queue.slice(batch.length)
    return batch
  }

  return (items) =>
    new Promise((resolve, reject) => {
      queue.push({ items, resolve, reject })
      arm()
    })
}
