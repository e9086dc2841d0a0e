import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { stopLimitSeconds } from '@parley/processes/stop'
import { errorCode } from './problem.ts'

/** True while a process of that id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
  return !isZombie(pid)
}

/** A dead process whose parent has not asked for its end yet. */
function isZombie(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/, ''))
  } catch {
    return false
  }
}

/** The command line of a process with single spaces between its words; `""` if it is gone or may not be read. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    // No /proc on this system, or no such process: ask ps.
  }
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return ''
  }
}

/** Sends a signal; a process that is gone already is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/**
 * Asks a process to stop and ends it by force if it has not within `graceMs`.
 * @returns `true` if it took force.
 */
export async function endProcess(pid: number, graceMs = stopLimitSeconds * 1000): Promise<boolean> {
  sendSignal(pid, 'SIGTERM')
  if (await gone(pid, graceMs)) return false
  sendSignal(pid, 'SIGKILL')
  await gone(pid, 5000)
  return true
}

async function gone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false
    await delay(20)
  }
  return true
}
