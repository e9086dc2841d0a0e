export type OneAtATime = ReturnType<typeof createOneAtATime>

/**
 * Runs the work of one key in this process one after the other. Transactions that write the same record would otherwise run
 * again and again, and the last of many would give up.
 */
export function createOneAtATime() {
  const last = new Map<string, Promise<unknown>>()

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve()
    const current = before.then(work, work)
    last.set(key, current)
    try {
      return await current
    } finally {
      if (last.get(key) === current) last.delete(key)
    }
  }
}
