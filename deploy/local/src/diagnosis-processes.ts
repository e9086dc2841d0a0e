import { describeProcess, type ProcessName, processNames } from '@parley/processes/processes'
import { z } from 'zod'
import { type Ports, portOf } from './ports.ts'
import type { Check } from './problem.ts'

const timeoutMs = 2000
const readinessSchema = z.object({ parts: z.record(z.string(), z.unknown()) })
const isOk = (part: unknown): boolean => part === 'ok' || z.object({ ok: z.literal(true) }).safeParse(part).success

/** Asks each process of a running stack whether it is ready. */
export async function checkProcesses(ports: Partial<Ports>, logs: string): Promise<Check[]> {
  const checks = await Promise.all(processNames.map((name) => checkProcess(name, ports[portOf(name, 'http')], logs)))
  const problems = checks.filter((check) => check !== undefined)
  if (problems.length > 0) return problems
  return [{ verdict: 'ok', subject: 'Processes', finding: `all ${processNames.length} are ready` }]
}

async function checkProcess(name: ProcessName, port: number | undefined, logs: string): Promise<Check | undefined> {
  const fault = port === undefined ? 'has no port yet' : await faultAt(port)
  if (fault === undefined) return undefined
  return {
    verdict: 'problem',
    subject: describeProcess(name).label,
    finding: fault,
    remedy: `Its log in ${logs} says why.`,
  }
}

/** Returns the fault of the process at a port of this machine; `undefined` where it is ready. */
async function faultAt(port: number): Promise<string | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(timeoutMs) })
    const { data } = readinessSchema.safeParse(await answer.json().catch(() => undefined))
    if (answer.ok) return undefined
    const ill = Object.entries(data?.parts ?? {}).flatMap(([part, state]) => (isOk(state) ? [] : [part]))
    return ill.length > 0 ? `is not ready: ${ill.join(', ')}` : `is not ready (${answer.status})`
  } catch {
    return `does not answer at 127.0.0.1:${port}`
  }
}
