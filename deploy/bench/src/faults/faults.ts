import { setTimeout as delay } from 'node:timers/promises'
import type { Rig } from './rig.ts'
import type { Window } from './verdict.ts'

const slowMs = 5000
const outageMs = 15_000
/** Effects are looked for this long afterwards. */
const settleMs = 8000

interface Fault {
  readonly name: string
  /** Breaks something and mends it, or waits until it has mended itself. @returns the moments of its injectedAt. */
  readonly inject: () => Promise<readonly number[]>
}

/** What is broken, one after the other. @param kills of each kind of process. */
export function faultsOf({ mongodb, stack, link, bff, profile }: Rig, kills: number): readonly Fault[] {
  const once = (work: () => Promise<void>) => async () => {
    const at = Date.now()
    await work()
    return [at]
  }
  const killInTurn = (replicas: Rig['bff']) => async () => {
    const injectedAt: number[] = []
    for (let turn = 0; turn < kills; turn++) {
      const replica = replicas[turn % replicas.length]
      injectedAt.push(Date.now())
      await replica?.kill()
      await replica?.untilReady()
      // A moment with both, so that what follows is the next kill's doing.
      await delay(500)
    }
    return injectedAt
  }
  return [
    {
      name: 'MongoDB primary killed (of three)',
      inject: once(async () => {
        const primary = await mongodb.primary()
        await primary.kill()
        await mongodb.untilWhole()
      }),
    },
    {
      // Long enough for an election: the old primary wakes up and has to learn that it is none.
      name: `MongoDB primary frozen for ${outageMs / 1000} s`,
      inject: once(async () => {
        const primary = await mongodb.primary()
        await frozen(primary.freeze(), outageMs)
        await mongodb.untilWhole()
      }),
    },
    {
      name: 'Redis restarted (append-only file)',
      inject: once(async () => {
        stack.kill('redis', 'SIGTERM')
        await Promise.all(bff.map((replica) => replica.untilReady()))
      }),
    },
    {
      name: `Redis frozen for ${slowMs / 1000} s`,
      inject: once(async () => {
        stack.kill('redis', 'SIGSTOP')
        await frozen({ lift: () => stack.kill('redis', 'SIGCONT') }, slowMs)
      }),
    },
    {
      name: `provider slow (${slowMs / 1000} s) for ${outageMs / 1000} s`,
      inject: once(async () => {
        await link.slow(slowMs)
        await delay(outageMs)
        await link.quick()
      }),
    },
    {
      name: `provider gone for ${outageMs / 1000} s`,
      inject: once(async () => {
        await link.cut()
        await delay(outageMs)
        await link.mend()
      }),
    },
    { name: `one of two profile services frozen for ${slowMs / 1000} s`, inject: once(() => freezeFirst(profile)) },
    { name: `one of two BFFs frozen for ${slowMs / 1000} s`, inject: once(() => freezeFirst(bff)) },
    { name: `one of two BFFs killed, ${kills} times`, inject: killInTurn(bff) },
    { name: `one of two profile services killed, ${kills} times`, inject: killInTurn(profile) },
  ]
}

async function freezeFirst([replica]: Rig['bff']): Promise<void> {
  if (replica) await frozen(replica.freeze(), slowMs)
}

async function frozen({ lift }: { lift: () => void }, ms: number): Promise<void> {
  try {
    await delay(ms)
  } finally {
    lift()
  }
}

/** Injects the fault, and waits until its effects must be over. */
export async function runFault({ name, inject }: Fault): Promise<Window> {
  const from = Date.now()
  const injectedAt = await inject()
  const lifted = Date.now()
  await delay(settleMs)
  return { name, from, lifted, until: Date.now(), injectedAt }
}

/** The same without any fault, to compare with. */
export async function quiet(name: string, ms: number): Promise<Window> {
  const from = Date.now()
  await delay(ms)
  const until = Date.now()
  return { name, from, lifted: from, until, injectedAt: [] }
}
