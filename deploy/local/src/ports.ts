import { createServer } from 'node:net'
import { describeProcess, type ProcessName, processNames } from '@parley/processes/processes'
import getPort, { portNumbers } from 'get-port'
import { z } from 'zod'
import { readJson, writeJson } from './files.ts'
import { Problem } from './problem.ts'

/** The name of a process's port. That of the app is the one that people choose. */
export function portOf(name: ProcessName, port: 'http' | 'management'): PortName {
  if (port === 'management') return `${name}Management`
  return name === 'bff' ? 'app' : name
}

const backingPorts = ['identityProvider', 'smtp', 'mailPage', 'mongodb', 'redis'] as const
/** Ports of a stack, by the process that listens there. */
export type PortName = 'app' | ProcessName | `${ProcessName}Management` | (typeof backingPorts)[number]
export const portNames: readonly PortName[] = [
  ...processNames.flatMap((name) => describeProcess(name).ports.map((port) => portOf(name, port))),
  ...backingPorts,
]
export type Ports = Record<PortName, number>

export const portsSchema = z.partialRecord(z.enum(portNames), z.int().min(1).max(65535))

/** Lowest port, below the range that systems use for outgoing connections, so that a kept port is rarely taken by one. */
const lowest = 20_000
const highest = 29_999
const host = '127.0.0.1'

/** True if nothing listens on that port of this machine. */
export function isPortFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer().once('error', () => resolve(false))
  server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  return promise
}

/**
 * The ports of a stack: each is chosen once, among free ones, and kept in `file` (mail links, the issuer and the replica set name
 * them). `fixed` ones are taken as given and not kept.
 */
export async function choosePorts(file: string, fixed: Partial<Ports> = {}): Promise<Ports> {
  const kept = readJson(file, portsSchema) ?? {}
  const exclude = [...Object.values(kept), ...Object.values(fixed)]
  // Consecutive ports from a random one: two stacks that choose at the same moment collide far less often.
  const first = lowest + Math.floor(Math.random() * (highest - lowest - 200))
  const chosen: Partial<Ports> = { ...kept }
  for (const name of portNames.filter((candidate) => !(candidate in fixed))) {
    chosen[name] ??= await getPort({ port: portNumbers(first, first + 200), exclude, host })
    exclude.push(chosen[name])
  }
  writeJson(file, chosen)
  return z.record(z.enum(portNames), z.int()).parse({ ...chosen, ...fixed })
}

/** Returns the remedy where another program uses a port. */
export const portRemedy = (name: PortName, port: number): string =>
  name === 'app'
    ? `Stop it, or choose another with: PORT=${port + 1} npm start`
    : `Stop it (find it with: ss -ltnp 'sport = :${port}'), or start empty on new ports with: npm start -- --fresh`

/**
 * Makes sure that a component can listen.
 * @throws Problem naming the port, whom it is for and the way out.
 */
export async function requirePort(name: PortName, port: number, label: string): Promise<void> {
  if (await isPortFree(port)) return
  throw new Problem(`Port ${port}, which ${label} needs, is in use by another program.`, portRemedy(name, port))
}
