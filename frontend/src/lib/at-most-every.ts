/**
 * @returns `act`, carried out at once for the first call and once more at the end of each `ms` in which it was called again
 * with the same `key`.
 */
export function atMostEvery<A extends readonly unknown[]>(
  ms: number,
  keyOf: (...given: A) => string,
  act: (...given: A) => void,
): (...given: A) => void {
  const later = new Map<string, A | undefined>()
  const run = (key: string, given: A) => {
    later.set(key, undefined)
    setTimeout(() => {
      const last = later.get(key)
      later.delete(key)
      if (last) run(key, last)
    }, ms)
    act(...given)
  }
  return (...given) => {
    const key = keyOf(...given)
    if (later.has(key)) later.set(key, given)
    else run(key, given)
  }
}
