import { setImmediate as nextTick } from 'node:timers/promises'

/**
 * Gathers what comes while earlier work of the same key is under way, and does it together: a busy key costs a few large pieces of work, an
 * idle one is not delayed.
 * @returns a function that resolves, or rejects, as the work of which its item has become a part.
 */
export function gather<T, R>(work: (key: string, items: readonly T[]) => Promise<R>) {
  const latest = new Map<string, Promise<unknown>>()
  const gathering = new Map<string, { readonly items: T[]; readonly result: Promise<R> }>()

  async function begin(key: string, items: readonly T[], before: Promise<unknown> | undefined): Promise<R> {
    await (before ?? nextTick())
    gathering.delete(key)
    return work(key, items)
  }

  return (key: string, item: T): Promise<R> => {
    const known = gathering.get(key)
    if (known) {
      known.items.push(item)
      return known.result
    }
    const items = [item]
    const result = begin(key, items, latest.get(key))
    gathering.set(key, { items, result })
    const over = result.then(
      () => undefined,
      () => undefined,
    )
    latest.set(key, over)
    void over.then(() => {
      if (latest.get(key) === over) latest.delete(key)
    })
    return result
  }
}
