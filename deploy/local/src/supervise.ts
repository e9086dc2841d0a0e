import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { ChildRecord } from './children.ts'
import { lastLines } from './logs.ts'
import { Problem } from './problem.ts'
import { endProcess, sendSignal } from './processes.ts'

/** Program to start: no shell, and only this environment. */
export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

interface SuperviseOptions {
  readonly name: string
  readonly label: string
  readonly command: Command
  readonly logFile: string
  readonly record: ChildRecord
  /** Gets one line when the component died and was started again, or had to be ended by force. */
  readonly onEvent: (line: string) => void
  /** Called once when the component keeps dying and is left alone. */
  readonly onGaveUp: (problem: Problem) => void
}

/** Maximum deaths within {@link crashWindowMs} before a component is given up. */
const crashLimit = 5
const crashWindowMs = 60_000

/**
 * Starts a program in a session of its own (a Ctrl-C in the terminal reaches the launcher only, which stops the components in order)
 * and, once it was ready, starts it again with growing pauses whenever it dies.
 */
export function supervise({ name, label, command, logFile, record, onEvent, onGaveUp }: SuperviseOptions) {
  let child: ChildProcess | undefined
  let wasReady = false
  let stopping = false
  let diedEarly: Problem | undefined
  let deaths: number[] = []
  let wasKilled = false

  function launch(): void {
    const log = openSync(logFile, 'a')
    const { file, args, cwd, env } = command
    child = spawn(file, args, { cwd, env, stdio: ['ignore', log, log], detached: true })
    closeSync(log)
    child.once('error', (error) => void ended(error.message))
    child.once('exit', (code, signal) => void ended(signal ?? `exit code ${code}`))
    if (child.pid !== undefined) record.add(name, child.pid)
  }

  async function ended(how: string): Promise<void> {
    if (stopping) return
    if (!wasReady) {
      diedEarly = new Problem(`${label} stopped while starting (${how}).`, logHint(logFile))
      return
    }
    const now = Date.now()
    // A death that a test has caused says nothing about the program.
    deaths = [...deaths.filter((time) => now - time < crashWindowMs), ...(wasKilled ? [] : [now])]
    wasKilled = false
    if (deaths.length > crashLimit) {
      record.remove(name)
      const what = `${label} died ${deaths.length} times within a minute (last: ${how}).`
      return onGaveUp(new Problem(what, logHint(logFile)))
    }
    onEvent(`${label} died (${how}) and is started again.`)
    await delay(Math.min(100 * 2 ** Math.max(0, deaths.length - 1), 3000))
    if (!stopping) launch()
  }

  /** @throws Problem with the last log lines if the program ends or is silent too long. */
  async function untilReady(isHealthy: () => Promise<boolean>, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs
    while (!(await isHealthy())) {
      if (diedEarly) throw diedEarly
      if (stopping) throw new Problem(`${label} was stopped while starting.`, 'Start again.')
      if (performance.now() > deadline)
        throw new Problem(`${label} did not answer within ${timeoutMs / 1000} s.`, logHint(logFile))
      await delay(25)
    }
    wasReady = true
  }

  function kill(signal: NodeJS.Signals): void {
    wasKilled = signal === 'SIGKILL'
    if (child?.pid !== undefined) sendSignal(child.pid, signal)
  }

  async function stop(): Promise<void> {
    stopping = true
    const pid = child?.pid
    if (pid !== undefined && child?.exitCode === null && child.signalCode === null && (await endProcess(pid)))
      onEvent(`${label} did not stop when asked and was ended by force.`)
    record.remove(name)
  }

  launch()
  return { pid: () => child?.pid, kill, untilReady, stop }
}

function logHint(file: string): string {
  const lines = lastLines(file, 8)
  if (lines.length === 0) return `Its log ${file} is empty.`
  return `The last lines of its log (${file}):\n    ${lines.join('\n    ')}`
}
