import { randomInt } from 'node:crypto'

/** The line on which a file has had a number. */
export interface NumberLines {
  readonly get: (number: number) => number | undefined
  /** @param number a whole one above 0, of at most 2^53 − 1. @param line below 2^32. */
  readonly set: (number: number, line: number) => void
}

const firstSlots = 1024

/**
 * A map of numbers to lines, as a hash table in two arrays of bytes: with a million of them `Map` takes 50 MiB of the heap, whose
 * limit grows with what is in it, and this 24 MiB beside the heap, in less time.
 */
export function createNumberLines(): NumberLines {
  let numbers = new Float64Array(firstSlots)
  let lines = new Uint32Array(firstSlots)
  let count = 0
  // Random, so that nobody can write a file whose numbers all collide.
  const seed = randomInt(2 ** 32)

  /** Returns the slot of a number: the first after its own that has it or is empty. */
  function slotOf(number: number): number {
    const last = numbers.length - 1
    let slot = hashOf(number, seed) & last
    while (numbers[slot] !== 0 && numbers[slot] !== number) slot = (slot + 1) & last
    return slot
  }

  function grow(): void {
    const [oldNumbers, oldLines] = [numbers, lines]
    numbers = new Float64Array(oldNumbers.length * 2)
    lines = new Uint32Array(numbers.length)
    for (const [slot, number] of oldNumbers.entries()) {
      if (number === 0) continue
      const newSlot = slotOf(number)
      numbers[newSlot] = number
      lines[newSlot] = oldLines[slot] ?? 0
    }
  }

  return {
    get: (number) => {
      const slot = slotOf(number)
      return numbers[slot] === number ? lines[slot] : undefined
    },
    set: (number, line) => {
      // The table is at most three quarters full: searches stay short.
      if ((count + 1) * 4 > numbers.length * 3) grow()
      const slot = slotOf(number)
      if (numbers[slot] !== number) count += 1
      numbers[slot] = number
      lines[slot] = line
    },
  }
}

/** Neighbouring phone numbers come to slots far apart. Source: the mixing steps of MurmurHash3. */
function hashOf(number: number, seed: number): number {
  let hash = seed ^ (number % 2 ** 32) ^ Math.imul(number / 2 ** 32, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
