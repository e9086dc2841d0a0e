import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  /** Whether it can serve. */
  readonly answers: () => Promise<boolean>
}

const startTimeoutMs = 60_000

/** A program that is started again as soon as it has ended, as a cluster would. */
export async function keepRunning(program: Program) {
  const log = openSync(program.logFile, 'a')
  let stopping = false
  let child: ChildProcess

  function launch(): void {
    child = spawn(program.file, program.args, { env: program.env, stdio: ['ignore', log, log] })
    child.once('exit', () => {
      if (!stopping) launch()
    })
  }

  /** @throws after a minute without an answer. */
  async function untilReady(): Promise<void> {
    const deadline = performance.now() + startTimeoutMs
    while (!(await program.answers().catch(() => false))) {
      if (performance.now() > deadline)
        throw new Error(`${program.args.join(' ')} does not answer; see ${program.logFile}`)
      await delay(50)
    }
  }

  /** Dies at once, without a chance to tidy up. Resolves when it is gone; the next one is on its way then. */
  async function kill(): Promise<void> {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  /** Stands still with all its connections open, as under `docker pause`, until `lift` is called. */
  function freeze(): { lift: () => void } {
    const frozen = child
    frozen.kill('SIGSTOP')
    return { lift: () => void frozen.kill('SIGCONT') }
  }

  async function stop(): Promise<void> {
    stopping = true
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await Promise.race([gone, delay(10_000)])
    child.kill('SIGKILL')
  }

  launch()
  try {
    await untilReady()
  } catch (error) {
    await stop()
    throw error
  }
  return { kill, freeze, untilReady, stop }
}
export type KeptProcess = Awaited<ReturnType<typeof keepRunning>>

/** @returns whether the address answers 200 within two seconds. */
export const answersOk = async (url: string): Promise<boolean> =>
  (await fetch(url, { signal: AbortSignal.timeout(2000) })).status === 200
