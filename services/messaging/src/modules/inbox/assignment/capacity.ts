import type { Assignment } from '@parley/contracts/inbox/assignment'

/** Capacity of the members who take part: how many more conversations each may be given. */
export interface Capacity {
  /** Returns the member who is given the next one; `undefined` where nobody has capacity. */
  readonly next: () => string | undefined
  /** Counts one that the member has been given. */
  readonly take: (userId: string) => void
}

/** Returns whether a rule needs to know how many open conversations its members have. */
export const countsOpen = ({ mode, limit, limits }: Omit<Assignment, 'version'>): boolean =>
  mode === 'least_busy' || limit !== null || limits.length > 0

/**
 * Chooses members by a workspace's rule.
 * @param how.last member whose turn was the last one. `open`: how many open conversations members have, as `countsOpen` asks for.
 */
export function createCapacity(
  { mode, members, limit, limits }: Omit<Assignment, 'version'>,
  how: {
    readonly last: string | undefined
    readonly isAway: (userId: string) => boolean
    readonly open: ReadonlyMap<string, number>
  },
): Capacity {
  const limitOf = new Map(limits.map((of) => [of.userId, of.limit]))
  const first = how.last === undefined ? 0 : members.indexOf(how.last) + 1
  /** In the order of their turns. */
  let seats = [...members.slice(first), ...members.slice(0, first)].flatMap((userId) => {
    const seat = { userId, open: how.open.get(userId) ?? 0, max: limitOf.get(userId) ?? limit ?? Infinity }
    return how.isAway(userId) ? [] : seat
  })
  return {
    next: () => {
      const free = seats.filter(({ open, max }) => open < max)
      if (mode === 'round_robin') return free[0]?.userId
      const least = Math.min(...free.map(({ open }) => open))
      return free.find(({ open }) => open === least)?.userId
    },
    take: (userId) => {
      const taken = seats.findIndex((seat) => seat.userId === userId)
      const seat = seats[taken]
      if (!seat) return
      seat.open += 1
      seats = [...seats.slice(taken + 1), ...seats.slice(0, taken + 1)]
    },
  }
}
