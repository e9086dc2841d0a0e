import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { respondsOk } from '@parley/local/components/health'
import { lastLines } from '@parley/local/logs'
import { repoRoot } from '@parley/local/paths'

interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  readonly isHealthy: () => Promise<boolean>
  /** Starts it again as soon as it has ended, as a cluster would. */
  readonly restarts?: boolean
}
export type Program = Awaited<ReturnType<typeof startProgram>>

const startTimeoutMs = 60_000

/** A program in a process of its own, once it is healthy. @throws with the end of its log where it does not become so. */
export async function startProgram({ file, args, env, logFile, isHealthy, restarts = false }: Command) {
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

  async function untilHealthy(): Promise<void> {
    const deadline = performance.now() + startTimeoutMs
    while (!(await isHealthy().catch(() => false))) {
      if ((!restarts && hasEnded()) || performance.now() > deadline)
        throw new Error(`${[file, ...args].join(' ')} is not healthy:\n${lastLines(logFile, 8).join('\n')}`)
      await delay(50)
    }
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

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
    if (hasEnded()) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await Promise.race([gone, delay(10_000, undefined, { ref: false })])
    child.kill('SIGKILL')
  }

  launch()
  try {
    await untilHealthy()
  } catch (error) {
    await stop()
    throw error
  }
  return { pid: () => child.pid ?? 0, kill, freeze, untilHealthy, stop }
}

interface Script {
  readonly name: string
  /** From the top of the checkout. */
  readonly script: string
  /** With its `PORT`. */
  readonly env: Readonly<Record<string, string>>
  /** For its log. */
  readonly folder: string
  readonly nodeArguments?: readonly string[]
  readonly restarts?: boolean
}

/** A program of ours, whose `/healthz` answers. */
export const startNode = ({ name, script, env, folder, nodeArguments = [], restarts = false }: Script) =>
  startProgram({
    file: process.execPath,
    args: [...nodeArguments, join(repoRoot, script)],
    env,
    logFile: join(folder, `${name}.log`),
    isHealthy: () => respondsOk(`http://127.0.0.1:${env['PORT']}/healthz`),
    restarts,
  })
