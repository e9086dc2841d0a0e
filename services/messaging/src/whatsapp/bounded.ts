/** Maximum depth, enough for whatever the platform is likely to add; the database refuses documents deeper than 180. */
const maxLevels = 8
/** Items kept of one list. */
const maxItems = 100
/** Altogether: small numbers take four times the room in the database that they take in JSON. */
const maxValues = 1000
const maxCharacters = 2048

/**
 * Returns an object with unknown fields, cut so that the record that holds it can always be stored. Deeper values and those after
 * the first thousand are left out, and so are fields whose names the database does not take.
 */
export function bounded<T extends object>(value: T): T {
  let left = maxValues

  const cutObject = (object: object, levels: number): object =>
    Object.fromEntries(
      Object.entries(object).flatMap(([name, inner]) =>
        isStorable(name) && isKept(inner, levels) ? [[name, cut(inner, levels - 1)]] : [],
      ),
    )

  function cut(inner: unknown, levels: number): unknown {
    if (typeof inner === 'string') return inner.slice(0, maxCharacters)
    if (!isNested(inner)) return inner
    if (!Array.isArray(inner)) return cutObject(inner, levels)
    const items: readonly unknown[] = inner.slice(0, maxItems)
    return items.filter((item) => isKept(item, levels)).map((item) => cut(item, levels - 1))
  }

  function isKept(inner: unknown, levels: number): boolean {
    if (left === 0 || (levels === 0 && isNested(inner))) return false
    left -= 1
    return true
  }

  // The same object with less in it.
  return cutObject(value, maxLevels) as T
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null
const isStorable = (name: string): boolean =>
  name !== '' && name.length <= 200 && !/^\$|[.\0]/.test(name) && name !== '__proto__'
