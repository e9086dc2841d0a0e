/** A place in a list whose newest records come first; those of the same time by their ids, the highest first. */
export interface Place {
  readonly at: Date
  readonly id: string
}

/** A number of records after a place; without a place, from the newest on. */
export interface TimeSlice {
  readonly behind: Place | undefined
  readonly limit: number
}

/** A stretch of records that are few. */
export const newestOf = <T extends Place>(records: readonly T[], { behind, limit }: TimeSlice): T[] =>
  records
    .filter((record) => !behind || newestFirst(behind, record) < 0)
    .toSorted(newestFirst)
    .slice(0, limit)

export function newestFirst(left: Place, right: Place): number {
  const byTime = right.at.getTime() - left.at.getTime()
  if (byTime !== 0) return byTime
  return left.id === right.id ? 0 : left.id > right.id ? -1 : 1
}
