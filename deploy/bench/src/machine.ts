import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** Microseconds of CPU that a process, and the children that it has now, have used; 0 where the system has no /proc. */
export function cpuMicroseconds(pid: number): number {
  try {
    return [pid, ...childrenOf(pid)].reduce((sum, processId) => sum + ticksOf(processId), 0) * (1e6 / ticksPerSecond)
  } catch {
    return 0
  }
}

/** User and system time stand in the 14th and 15th field; the second, the name, may hold spaces. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}

const childrenOf = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  )

/** Returns the resident memory of a process in MiB. */
export const residentMiB = (pid: number): number => memoryMiB(pid, 'VmRSS')

/** The most that it has had so far. */
export const peakMiB = (pid: number): number => memoryMiB(pid, 'VmHWM')

function memoryMiB(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024)
}
