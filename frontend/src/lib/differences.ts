import { hashKey } from '@tanstack/react-query'

/** Field that another member has changed while a person was editing it or the fields around it. */
export interface Difference<N extends string = string> {
  readonly name: N
  readonly mine: unknown
  readonly theirs: unknown
  /** The person has changed it as well: they decide. */
  readonly isContested: boolean
}

const isSame = (left: unknown, right: unknown): boolean => hashKey([left]) === hashKey([right])

/**
 * Compares what a form began with, what it holds now and what is stored by now.
 * @returns the fields that were changed elsewhere and do not agree with the form.
 */
export function differencesOf<V extends object, N extends keyof V & string>(
  names: readonly N[],
  { base, mine, theirs }: { base: V; mine: V; theirs: V },
): Difference<N>[] {
  return names
    .filter((name) => !isSame(base[name], theirs[name]) && !isSame(mine[name], theirs[name]))
    .map((name) => ({
      name,
      mine: mine[name],
      theirs: theirs[name],
      isContested: !isSame(mine[name], base[name]),
    }))
}

/** Returns the stored values with the person's own changes on top, for a form to continue with. */
export function mergedValues<V extends object>({ base, mine, theirs }: { base: V; mine: V; theirs: V }): V {
  // Object.entries loses the names' types.
  const changed = Object.entries(mine).filter(([name, value]) => !isSame(value, base[name as keyof V]))
  return { ...theirs, ...Object.fromEntries(changed) }
}
