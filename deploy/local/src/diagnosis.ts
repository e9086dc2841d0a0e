import { existsSync } from 'node:fs'
import type { Check, DiagnosisContext } from './check.ts'
import { findLeftovers } from './children.ts'
import { checkBacking } from './diagnosis-backing.ts'
import { checkClock } from './diagnosis-clock.ts'
import { checkDeadLetters } from './diagnosis-dead-letters.ts'
import { ensureFolder, freeBytes } from './folders.ts'
import { readJson } from './json-file.ts'
import { lockHolder } from './lock.ts'
import { sharedToolsDir, stackPaths } from './paths.ts'
import { isPortFree, type PortName, portNames, portsSchema } from './ports.ts'
import { Problem } from './problem.ts'

const enoughDiskBytes = 1.5e9

/** Looks at everything that the local stack needs, changes nothing, and starts nothing. */
export async function diagnose(options: { dataDir: string; environment: NodeJS.ProcessEnv }): Promise<Check[]> {
  const paths = stackPaths(options.dataDir)
  const folder = await attempt('Data folder', () => checkFolder(options.dataDir))
  if (folder.verdict === 'problem') return [checkNode(), folder]
  const holder = lockHolder(paths.lock)
  const kept = await attempt('Files', () => {
    readJson(paths.ports, portsSchema)
    return { verdict: 'ok', subject: 'Files', finding: 'can be read' }
  })
  if (kept.verdict === 'problem') return [checkNode(), folder, kept]
  const context: DiagnosisContext = {
    paths,
    toolsDir: sharedToolsDir,
    environment: options.environment,
    ports: { app: Number(options.environment['PORT'] || 3000), ...readJson(paths.ports, portsSchema) },
    launcher: typeof holder === 'number' ? holder : undefined,
  }
  return [
    checkNode(),
    folder,
    await attempt('Disk', () => checkDisk(options.dataDir)),
    checkLock(holder, context),
    ...(await checkPorts(context)),
    ...(await checkBacking(context)),
    ...(await checkDeadLetters(context)),
    await attempt('Clock', () => checkClock(context)),
  ]
}

async function attempt(subject: string, check: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof Problem) return { verdict: 'problem', subject, finding: error.message }
    throw error
  }
}

const checkNode = (): Check => ({
  verdict: 'ok',
  subject: 'Node',
  finding: `${process.version} (22.18 or newer needed)`,
})

function checkFolder(dataDir: string): Check {
  if (!existsSync(dataDir))
    return { verdict: 'ok', subject: 'Data folder', finding: `${dataDir} is made at first start` }
  ensureFolder(dataDir)
  return { verdict: 'ok', subject: 'Data folder', finding: `${dataDir} can be read and written` }
}

function checkDisk(dataDir: string): Check {
  const free = freeBytes(existsSync(dataDir) ? dataDir : '.')
  const finding = `${(free / 1e9).toFixed(1)} GB free`
  if (free >= enoughDiskBytes) return { verdict: 'ok', subject: 'Disk', finding }
  return { verdict: 'problem', subject: 'Disk', finding, remedy: 'Free some space: the local stack needs 1.5 GB.' }
}

function checkLock(holder: number | 'stale' | undefined, { paths }: DiagnosisContext): Check {
  const subject = 'Lock'
  if (typeof holder === 'number') return { verdict: 'ok', subject, finding: `Parley runs (process ${holder})` }
  const leftovers = findLeftovers(paths.children).map((child) => `${child.name} (${child.pid})`)
  if (leftovers.length > 0) {
    const finding = `still running without their launcher: ${leftovers.join(', ')}`
    return { verdict: 'problem', subject, finding, remedy: 'npm start ends them and starts anew.' }
  }
  if (holder === undefined) return { verdict: 'ok', subject, finding: 'Parley does not run' }
  return {
    verdict: 'problem',
    subject,
    finding: `${paths.lock} is stale: its launcher is gone`,
    remedy: 'npm start removes it by itself; or delete the file.',
  }
}

/** While Parley does not run, its ports must be free; what is left of an earlier start is reported with the lock. */
async function checkPorts({ ports, launcher, paths }: DiagnosisContext): Promise<Check[]> {
  if (launcher !== undefined) return [{ verdict: 'ok', subject: 'Ports', finding: 'in use by Parley' }]
  if (findLeftovers(paths.children).length > 0) return []
  const known = portNames.flatMap((name): [PortName, number][] => (ports[name] ? [[name, ports[name]]] : []))
  const taken = (
    await Promise.all(known.map(async ([name, port]) => ((await isPortFree(port)) ? [] : [{ name, port }])))
  ).flat()
  if (taken.length === 0) {
    const finding = `free: ${known.map(([name, port]) => `${name} ${port}`).join(', ')}`
    return [{ verdict: 'ok', subject: 'Ports', finding }]
  }
  return taken.map(({ name, port }) => ({
    verdict: 'problem',
    subject: 'Ports',
    finding: `${port} (${name}) is in use by another program`,
    remedy:
      name === 'app'
        ? `Stop that program, or type: PORT=${port + 1} npm start`
        : `Stop that program (find it with: ss -ltnp 'sport = :${port}'), or start empty: npm start -- --fresh`,
  }))
}
