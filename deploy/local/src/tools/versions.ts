/** Compares dotted versions number by number: negative if `a` is older than `b`, 0 if equal, positive if newer. */
export function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number)
  const right = b.split('.').map(Number)
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** The component of a version within which data files stay readable: `6.0.5` → `6.0`. */
export const versionSeries = (version: string): string => version.split('.').slice(0, 2).join('.')
