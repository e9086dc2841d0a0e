import type { ConsentSource } from '@parley/contracts/contacts/consent'

/** Properties of entries that decide which one holds. */
export interface ConsentFact {
  readonly value: 'in' | 'out'
  readonly source: ConsentSource
  readonly at: Date
  /** Unique key. */
  readonly key: string
}

/** Sources that stand for the person, or a member on their word: a list cannot undo them. */
const byPerson: ReadonlySet<ConsentSource> = new Set([
  ...(['keyword', 'platform', 'platform_error', 'agent', 'form', 'bot', 'suppression', 'merge'] as const),
])

/** Returns whether a person, or a member on their word, has said it. */
export const isByPerson = ({ source }: Pick<ConsentFact, 'source'>): boolean => byPerson.has(source)

/**
 * Returns the entry that holds of all about one category, in whatever order they were learned: the latest, but an opt-out by the
 * person ends only by a later opt-in of the person. Of two at the same moment the opt-out counts.
 */
export function resolveConsent<T extends ConsentFact>(entries: readonly T[]): T | undefined {
  let current: T | undefined
  for (const entry of entries.toSorted(inTime)) {
    const isKept = current?.value === 'out' && byPerson.has(current.source) && !byPerson.has(entry.source)
    if (!isKept) current = entry
  }
  return current
}

function inTime(left: ConsentFact, right: ConsentFact): number {
  const byTime = left.at.getTime() - right.at.getTime()
  if (byTime !== 0) return byTime
  if (left.value !== right.value) return left.value === 'in' ? -1 : 1
  // The person's own opt-out counts as the later one of two at the same moment.
  const byOrigin = Number(byPerson.has(left.source)) - Number(byPerson.has(right.source))
  return byOrigin !== 0 ? byOrigin : left.key < right.key ? -1 : 1
}
