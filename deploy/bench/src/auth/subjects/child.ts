import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const startTimeoutMs = 20_000

export interface Child {
  readonly process: ChildProcess
  /** What it has written to stderr. */
  readonly errors: () => string
  readonly stop: () => Promise<void>
}

/**
 * Starts a program, its log in a file, and waits until `url` answers anything at all.
 * @throws with what it wrote to stderr where it ends first.
 */
export async function startChild(
  command: { file: string; args: readonly string[]; env: Record<string, string>; logFile: string },
  url: string,
): Promise<Child> {
  const log = openSync(command.logFile, 'w')
  const child = spawn(command.file, command.args, { env: command.env, stdio: ['ignore', log, 'pipe'] })
  closeSync(log)
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  const deadline = performance.now() + startTimeoutMs
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop()
      throw new Error(`${command.args.join(' ')} does not answer:\n${errors}`)
    }
    await delay(50)
  }
  return { process: child, errors: () => errors, stop }
}

const answers = (url: string) =>
  fetch(url, { redirect: 'manual' }).then(
    async (response) => {
      await response.arrayBuffer()
      return true
    },
    () => false,
  )
