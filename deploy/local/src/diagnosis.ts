import { existsSync } from 'node:fs'
import { processNames } from '@parley/processes/processes'
import { parleyVersion } from '@parley/service-kit/core/build'
import { z } from 'zod'
import { findLeftovers } from './children.ts'
import { checkAddresses } from './diagnosis-addresses.ts'
import { checkBacking, mongodbOf } from './diagnosis-backing.ts'
import { checkMigrations } from './diagnosis-migrations.ts'
import { checkProcesses } from './diagnosis-processes.ts'
import { judgeWork } from './diagnosis-work.ts'
import { ensureFolder, freeBytes, readJson } from './files.ts'
import { lockHolder } from './lock.ts'
import { type StackPaths, stackPaths } from './paths.ts'
import { isPortFree, type PortName, type Ports, portNames, portOf, portRemedy, portsSchema } from './ports.ts'
import { type Check, Problem } from './problem.ts'

interface Options {
  readonly dataDir: string
  readonly environment: NodeJS.ProcessEnv
}

const enoughDiskBytes = 1.5e9

/** Looks at everything that the local stack needs, changes nothing, and starts nothing. */
export async function diagnose(options: Options): Promise<Check[]> {
  const node: Check = { verdict: 'ok', subject: 'Node', finding: `${process.version} (22.18 or newer needed)` }
  try {
    return [node, ...(await checkFolder(options))]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [node, { verdict: 'problem', subject: 'Data folder', finding: error.message }]
  }
}

/** @throws Problem where the folder or a file in it cannot be read */
async function checkFolder({ dataDir, environment }: Options): Promise<Check[]> {
  const paths = stackPaths(dataDir)
  const isThere = existsSync(dataDir)
  if (isThere) ensureFolder(dataDir)
  const holder = lockHolder(paths.lock)
  const isRunning = typeof holder === 'number'
  const ports = {
    app: Number(environment['PORT'] || (isRunning && startedAt(paths)) || 3000),
    ...readJson(paths.ports, portsSchema),
  }
  return [
    {
      verdict: 'ok',
      subject: 'Data folder',
      finding: isThere ? `${dataDir} can be read and written` : `${dataDir} is made at first start`,
    },
    checkDisk(isThere ? dataDir : '.'),
    checkLock(holder, paths),
    ...(isRunning ? await checkProcesses(ports, paths.logs) : await checkPorts(ports, paths)),
    ...(await checkBacking({ environment, ports, logs: paths.logs, isRunning })),
    ...(isRunning ? await checkWhatRuns(ports, environment) : []),
  ]
}

/** Returns the port of the app that the running launcher was given; nothing else keeps it. */
function startedAt({ urls }: StackPaths): string | undefined {
  const app = readJson(urls, z.object({ app: z.url() }))?.app
  return app && new URL(app).port
}

async function checkWhatRuns(ports: Partial<Ports>, environment: NodeJS.ProcessEnv): Promise<Check[]> {
  const [texts, migrations, addresses] = await Promise.all([
    readMetrics(ports),
    checkMigrations(mongodbOf(environment, ports)),
    checkAddresses(environment),
  ])
  return [judgeVersions(texts), ...migrations, ...addresses, ...judgeWork(texts)]
}

function checkDisk(folder: string): Check {
  const free = freeBytes(folder)
  const finding = `${(free / 1e9).toFixed(1)} GB free`
  if (free >= enoughDiskBytes) return { verdict: 'ok', subject: 'Disk', finding }
  return { verdict: 'problem', subject: 'Disk', finding, remedy: 'Free some space: the local stack needs 1.5 GB.' }
}

function checkLock(holder: number | 'stale' | undefined, { children, lock }: StackPaths): Check {
  const subject = 'Lock'
  if (typeof holder === 'number') return { verdict: 'ok', subject, finding: `Parley runs (process ${holder})` }
  const leftovers = findLeftovers(children).map((child) => `${child.name} (${child.pid})`)
  if (leftovers.length > 0) {
    const finding = `still running without their launcher: ${leftovers.join(', ')}`
    return { verdict: 'problem', subject, finding, remedy: 'npm start stops them and starts again.' }
  }
  if (holder === undefined) return { verdict: 'ok', subject, finding: 'Parley does not run' }
  const finding = `${lock} is stale: its launcher is gone`
  return {
    verdict: 'problem',
    subject,
    finding,
    remedy: 'npm start removes it automatically, or you can delete the file.',
  }
}

/** Checks that ports are free while Parley does not run; the remains of an earlier start are reported with the lock. */
async function checkPorts(ports: Partial<Ports>, { children }: StackPaths): Promise<Check[]> {
  if (findLeftovers(children).length > 0) return []
  const checks: Check[] = []
  for (const name of portNames) {
    const port = ports[name]
    if (port === undefined || (await isPortFree(port))) continue
    const finding = `${port} (${name}) is in use by another program`
    checks.push({ verdict: 'problem', subject: 'Ports', finding, remedy: portRemedy(name, port) })
  }
  return checks.length > 0 ? checks : [{ verdict: 'ok', subject: 'Ports', finding: 'free' }]
}

const timeoutMs = 5000

/** Reads the metrics of each process that runs, as Prometheus does; one that does not answer has none. */
const readMetrics = (ports: Partial<Ports>): Promise<string[]> =>
  Promise.all(metricsPorts().map((name) => metricsAt(ports[name])))

/** Ports at which processes may have their metrics: one that has no port for management has them beside the rest. */
const metricsPorts = (): PortName[] =>
  processNames.flatMap((name) => [portOf(name, 'http'), portOf(name, 'management')])

async function metricsAt(port: number | undefined): Promise<string> {
  if (port === undefined) return ''
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(timeoutMs) })
    return answer.ok ? await answer.text() : ''
  } catch {
    // Another check asks whether it answers at all.
    return ''
  }
}

/**
 * Compares the versions of processes with each other and with the code of this checkout.
 * @param texts metrics of each process, as Prometheus reads them.
 */
export function judgeVersions(texts: readonly string[], here = parleyVersion): Check {
  const subject = 'Versions'
  const series = texts.join('\n').matchAll(/^build_info\{(.*)\} 1$/gm)
  const running = Map.groupBy(series, ([, labels]) => labelOf('version', labels))
  const versions = [...running.keys()].sort()
  if (versions.every((version) => version === here)) return { verdict: 'ok', subject, finding: `all run ${here}` }
  const parts = versions.map((version) => {
    const names = running.get(version)?.map(([, labels]) => labelOf('process', labels)) ?? []
    return `${version} (${names.sort().join(', ')})`
  })
  const finding = `the code here is ${here}, and processes run ${parts.join(' and ')}`
  return { verdict: 'problem', subject, finding, remedy: 'End npm start with Ctrl-C and start it again.' }
}

const labelOf = (name: string, labels = ''): string =>
  new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? 'an unknown one'
