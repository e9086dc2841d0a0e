type Query = Readonly<Record<string, unknown>>

/**
 * The path and query of a call to a service: each parameter encoded, each value of the query under its name.
 * @param query values as they are before parsing; lists are repeated, `undefined` is left out.
 */
export function callAddress(path: string, params: Readonly<Record<string, unknown>>, query: Query = {}): string {
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(params[name] ?? '')))
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) pairs.append(name, String(item))
    }
  }
  return pairs.size > 0 ? `${filled}?${pairs}` : filled
}
