import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { respondsOk } from '@parley/local/components/health'
import { lastLines } from '@parley/local/logs'
import { repoRoot } from '@parley/local/paths'

interface Command {
  /** Name of its log. */
  readonly name: string
  readonly folder: string
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly isHealthy: () => Promise<boolean>
  /** Starts it again as soon as it has ended, as a cluster would. */
  readonly restarts?: boolean
}
export type Program = Awaited<ReturnType<typeof startProgram>>

/** A program in a process of its own, once it is healthy. @throws with the end of its log where it does not become so. */
export async function startProgram({ name, folder, file, args, env, isHealthy, restarts = false }: Command) {
  const logFile = join(folder, `${name}.log`)
  let stopping = false
  let child: ChildProcess

  function launch(): void {
    const log = openSync(logFile, 'a')
    child = spawn(file, args, { env, stdio: ['ignore', log, log] })
    closeSync(log)
    child.once('exit', () => {
      if (restarts && !stopping) launch()
    })
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

  /** Dies at once, without a chance to tidy up. Resolves when it is gone; the next one is on its way then. */
  async function kill(): Promise<void> {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  /** Stands still with all its connections open, as under `docker pause`. */
  async function freeze(ms: number): Promise<void> {
    const frozen = child
    frozen.kill('SIGSTOP')
    await delay(ms)
    frozen.kill('SIGCONT')
  }

  async function stop(): Promise<void> {
    stopping = true
    if (hasEnded()) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await Promise.race([gone, delay(10_000, undefined, { ref: false })])
    child.kill('SIGKILL')
  }

  launch()
  try {
    await until(`${name} is healthy`, async () => {
      if (!restarts && hasEnded()) throw new Error(`${name} has ended`)
      return isHealthy()
    })
  } catch (error) {
    await stop()
    throw new Error(lastLines(logFile, 8).join('\n'), { cause: error })
  }
  return { pid: () => child.pid ?? 0, kill, freeze, [Symbol.asyncDispose]: stop }
}

interface Script extends Pick<Command, 'name' | 'folder' | 'env' | 'restarts'> {
  /** Path from the top of the checkout. */
  readonly script: string
  readonly nodeArguments?: readonly string[]
}

/** A program of ours; `/healthz` answers at the `PORT` of its environment. */
export const startNode = ({ script, nodeArguments = [], ...command }: Script) =>
  startProgram({
    ...command,
    file: process.execPath,
    args: [...nodeArguments, join(repoRoot, script)],
    isHealthy: () => respondsOk(`http://127.0.0.1:${command.env['PORT']}/healthz`),
  })

/** Runs `work`, and stops at its end whatever it has added to `cleanUp`, the last first. */
export async function withCleanUp<T>(work: (cleanUp: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const cleanUp = new AsyncDisposableStack()
  try {
    return await work(cleanUp)
  } finally {
    await cleanUp.disposeAsync()
  }
}

interface Wait {
  readonly everyMs?: number
  readonly limitMs?: number
}

/** Resolves once `look` says so. @throws where that takes too long. */
export async function until(
  what: string,
  look: () => Promise<boolean>,
  { everyMs = 50, limitMs = 60_000 }: Wait = {},
): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`not within ${limitMs / 1000} s: ${what}`)
    await delay(everyMs)
  }
}
