/** Most items of one write; more wait for the next. */
const mostItems = 2000

interface Waiting<T> {
  readonly items: readonly T[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Lets concurrent callers share writes: one write is under way at a time, and the next one takes along whatever has come in
 * meanwhile. There is no timer: with nobody else waiting an item is written at once.
 * @returns a function that resolves once its items are written, and rejects where their write failed.
 */
export function groupCommit<T>(
  write: (items: readonly T[]) => Promise<unknown>,
): (items: readonly T[]) => Promise<void> {
  let queue: Waiting<T>[] = []
  let busy = false
  let armed = false

  /** Everything that is read from sockets in this turn of the event loop goes into one write. */
  function arm(): void {
    if (armed || busy || queue.length === 0) return
    armed = true
    setImmediate(() => {
      armed = false
      void flush()
    })
  }

  async function flush(): Promise<void> {
    const batch = nextBatch()
    busy = true
    try {
      await write(batch.flatMap(({ items }) => items))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      busy = false
      arm()
    }
  }

  function nextBatch(): Waiting<T>[] {
    let count = 0
    const end = queue.findIndex(({ items }) => {
      count += items.length
      return count >= mostItems
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
