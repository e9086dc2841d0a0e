import { setTimeout as delay } from 'node:timers/promises'
import type { Rig } from './rig.ts'
import type { Window } from './verdict.ts'

const slowMs = 5000
const outageMs = 15_000
/** Effects are looked for this long afterwards. */
const settleMs = 8000

/** Breaks something and mends it, or waits until it has mended itself. @param inject notes the moment of each blow. */
type Fault = (inject: () => void) => Promise<void>

/**
 * Returns the faults, one after the other.
 * @param kills of each kind of process.
 */
export function faultsOf({ mongodb, stack, link, bff, profile }: Rig, kills: number): Record<string, Fault> {
  const killInTurn =
    (replicas: Rig['bff']): Fault =>
    async (inject) => {
      for (let turn = 0; turn < kills; turn++) {
        const replica = replicas[turn % 2 === 0 ? 0 : 1]
        inject()
        await replica.kill()
        await replica.untilReady()
        // A moment with both, so that what follows is the next kill's doing.
        await delay(500)
      }
    }
  const once =
    (work: () => Promise<unknown>): Fault =>
    async (inject) => {
      inject()
      await work()
    }
  return {
    'MongoDB primary killed (of three)': once(async () => {
      await (await mongodb.primary()).kill()
      await mongodb.untilWhole()
    }),
    // Long enough for an election: the old primary wakes up and has to learn that it is none.
    [`MongoDB primary frozen for ${outageMs / 1000} s`]: once(async () => {
      await (await mongodb.primary()).freeze(outageMs)
      await mongodb.untilWhole()
    }),
    'Redis restarted (append-only file)': once(async () => {
      stack.kill('redis', 'SIGTERM')
      await Promise.all(bff.map((replica) => replica.untilReady()))
    }),
    [`Redis frozen for ${slowMs / 1000} s`]: once(async () => {
      stack.kill('redis', 'SIGSTOP')
      await delay(slowMs)
      stack.kill('redis', 'SIGCONT')
    }),
    [`provider slow (${slowMs / 1000} s) for ${outageMs / 1000} s`]: once(async () => {
      link.slow(slowMs)
      await delay(outageMs)
      link.slow(0)
    }),
    [`provider gone for ${outageMs / 1000} s`]: once(async () => {
      link.cut()
      await delay(outageMs)
      link.mend()
    }),
    [`one of two profile services frozen for ${slowMs / 1000} s`]: once(() => profile[0].freeze(slowMs)),
    [`one of two BFFs frozen for ${slowMs / 1000} s`]: once(() => bff[0].freeze(slowMs)),
    [`one of two BFFs killed, ${kills} times`]: killInTurn(bff),
    [`one of two profile services killed, ${kills} times`]: killInTurn(profile),
  }
}

/** Injects the fault, and waits until its effects must be over. */
export async function runFault(name: string, fault: Fault): Promise<Window> {
  const from = Date.now()
  const injectedAt: number[] = []
  await fault(() => injectedAt.push(Date.now()))
  const lifted = Date.now()
  await delay(settleMs)
  return { name, from, lifted, until: Date.now(), injectedAt }
}

/** The same without any fault, to compare with. */
export async function quiet(name: string, ms: number): Promise<Window> {
  const from = Date.now()
  await delay(ms)
  return { name, from, lifted: from, until: Date.now(), injectedAt: [] }
}
