import { setTimeout as pause } from 'node:timers/promises'

/** A process starts within it too, on a machine that does other things. */
const giveUpMs = 45_000

/** Looks again and again until there is something. @throws Error naming what never came */
export async function waitFor<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + giveUpMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}`)
    await pause(100)
  }
}
