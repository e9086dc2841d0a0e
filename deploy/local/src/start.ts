import { parseArgs } from 'node:util'
import { stopLimitSeconds } from '@parley/processes/stop'
import getPort from 'get-port'
import { z } from 'zod'
import { demoEmail, ensureDemoAccount } from './demo-account.ts'
import { defaultDataDir, stackPaths } from './paths.ts'
import { requirePort } from './ports.ts'
import { Problem } from './problem.ts'
import { componentsTable, seconds, shortPath } from './report.ts'
import type { Progress } from './run-components.ts'
import { type Stack, startStack } from './stack.ts'

const startedAt = performance.now()
const versions = new Map<string, string>()
const aborter = new AbortController()
let starting: Promise<Stack> | undefined
let page: { close(): Promise<void> } | undefined
let asked = 0

// A closed terminal (SIGHUP) must not leave the components behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stopAndExit(0))

try {
  const { fresh, dev, appPort } = readCommand()
  if (dev) await requirePort('app', appPort, 'the page')
  const asOne = !dev && readProcesses() === 'one'
  const ports = dev ? { appPort: await getPort({ host: '127.0.0.1' }), pagePort: appPort } : { appPort }
  starting = startStack({ dataDir: defaultDataDir, ...ports, asOne, fresh, signal: aborter.signal, onProgress: report })
  const stack = await starting
  if (dev)
    page = await (await import('./dev-page.ts')).startPage({
      port: appPort,
      bffUrl: `http://127.0.0.1:${ports.appPort}`,
    })
  if (fresh)
    for (const { label, choice } of stack.components)
      if (choice?.source === 'environment')
        console.log(`  ${label} comes from the environment; what it holds was not touched.`)
  const demoPassword = await ensureDemoAccount(stack, (line) => console.log(`  ${line}`))
  console.log(`\n${componentsTable(stack.components, versions)}\n`)
  console.log(`Open ${stack.urls.app} — ready in ${seconds(performance.now() - startedAt)}.`)
  if (demoPassword) console.log(`Demo account: ${demoEmail}, password ${demoPassword}`)
  console.log(
    `Logs are in ${shortPath(stackPaths(defaultDataDir).logs)}. Ctrl-C stops everything; npm run doctor checks for problems.`,
  )
} catch (error) {
  if (asked === 0) {
    printProblem(error)
    await stopAndExit(1)
  }
}

function readCommand() {
  const port = z.coerce.number().int().min(1).max(65535)
  const appPort = port.safeParse(process.env['PORT'] || '3000').data
  if (appPort === undefined)
    throw new Problem('PORT is not a port number.', 'Choose one like this: PORT=3001 npm start')
  try {
    const flag = { type: 'boolean', default: false } as const
    return { ...parseArgs({ options: { fresh: flag, dev: flag } }).values, appPort }
  } catch {
    throw new Problem('npm start knows one option only.', 'Type: npm start, or to start empty: npm start -- --fresh')
  }
}

/** Returns whether the processes of Parley run in `one` of Node, or `each` in its own. */
function readProcesses(): 'one' | 'each' {
  const choice = z.enum(['one', 'each']).safeParse(process.env['PROCESSES'] || 'one').data
  if (choice !== undefined) return choice
  throw new Problem('PROCESSES says neither one nor each.', 'Choose like this: PROCESSES=each npm start')
}

function report(progress: Progress): void {
  if (progress.kind === 'note') console.log(`  ${progress.line}`)
  if (progress.kind === 'ready') {
    if (progress.version) versions.set(progress.component.name, progress.version)
    console.log(`✔ ${progress.component.label.padEnd(18)} ${seconds(progress.elapsedMs)}`)
  }
  // A process that ends because the launcher was told to stop has not failed.
  if (progress.kind === 'failed' && asked === 0) {
    printProblem(progress.problem)
    void stopAndExit(1)
  }
}

/** The first signal stops the components in order, a second one does not wait for that. */
async function stopAndExit(code: number): Promise<void> {
  asked += 1
  if (asked > 1) {
    if (code === 0)
      console.log(`\nStill stopping; each process gets ${stopLimitSeconds} s. Press Ctrl-C again to leave at once.`)
    if (asked > 3) process.exit(1)
    return
  }
  if (code === 0) console.log('\nStopping …')
  aborter.abort()
  await page?.close()
  const stack = await starting?.catch(() => undefined)
  await stack?.stop()
  if (code === 0) console.log('Stopped.')
  process.exit(code)
}

function printProblem(error: unknown): void {
  if (error instanceof Problem) console.error(`✘ ${error.message}`)
  else console.error('✘ Something unexpected went wrong; please report it.', error)
}
