/** Numbers that look random and are the same for the same seed (mulberry32). */
export interface Random {
  /** Returns 0 ≤ x < 1. */
  next(): number
  /** Returns a whole number, `min` ≤ n ≤ `max`. */
  whole(min: number, max: number): number
  pick<T>(items: readonly T[]): T
  /** Returns true with this probability. */
  chance(probability: number): boolean
}

/** @param seed any whole number; each part of the story takes its own, so that one part may grow without moving another. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[whole(0, items.length - 1)]
      if (item === undefined) throw new RangeError('There is nothing to pick from.')
      return item
    },
  }
}
