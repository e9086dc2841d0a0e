import { setTimeout as delay } from 'node:timers/promises'

const lookEveryMs = 100
const giveUpMs = 300_000

/**
 * Waits until nothing is left.
 * @param count says how much is left, from an index alone: it runs beside what is measured.
 * @returns how much was done a second, from the first that was done to the last: the start of a process is not counted.
 */
export async function rateUntilEmpty(count: () => Promise<number>): Promise<number> {
  const giveUpAt = performance.now() + giveUpMs
  const all = await count()
  let begun: { at: number; left: number } | undefined
  for (;;) {
    const left = await count()
    const at = performance.now()
    if (left < all) begun ??= { at, left }
    if (begun && left === 0) return (begun.left / Math.max(1, at - begun.at)) * 1000
    if (at > giveUpAt) throw new Error(`${left} of ${all} are left after ${giveUpMs / 1000} s`)
    await delay(lookEveryMs)
  }
}
