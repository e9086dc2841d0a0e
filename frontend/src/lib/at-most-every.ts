/**
 * @returns `act`, carried out at once for the first call and once more at the end of each `ms` in which it was called again
 * with the same `key`.
 */
export function atMostEvery<A extends readonly unknown[]>(
  ms: number,
  keyOf: (...args: A) => string,
  act: (...args: A) => void,
): (...args: A) => void {
  const later = new Map<string, A | undefined>()
  const run = (key: string, args: A) => {
    later.set(key, undefined)
    setTimeout(() => {
      const last = later.get(key)
      later.delete(key)
      if (last) run(key, last)
    }, ms)
    act(...args)
  }
  return (...args) => {
    const key = keyOf(...args)
    if (later.has(key)) later.set(key, args)
    else run(key, args)
  }
}
