import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { sendSignal } from '@parley/local/processes'
import { reportsFolder, root } from './paths.ts'
import {
  errorLine,
  passedAtSecondTry,
  type Report,
  readReport,
  reportFile,
  secondReportFile,
  writeReport,
} from './reports.ts'

interface Stage {
  readonly name: string
  /** Command and arguments; tools of node_modules/.bin by name. Test runners report each test, any other command is one. */
  readonly command: readonly string[]
  /** Set to show the output as it comes; else it is in the log alone, and printed after a failure. */
  readonly live?: boolean
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** Set where failed files of Vitest are run once more, in a process of their own; what passes then is named as skipped. */
  readonly secondTry?: boolean
}

/** Runs one command of the proof and leaves a JUnit report and a log. Never throws: a failure is part of the report. */
export async function runStage({ name, command, live = false, env, secondTry = false }: Stage): Promise<Report> {
  mkdirSync(reportsFolder, { recursive: true })
  for (const file of [reportFile(name), secondReportFile(name)]) rmSync(file, { force: true })
  const watched = live && process.stdout.isTTY
  const startedAt = performance.now()
  const runner = command.find((word) => Object.hasOwn(junitArguments, word))
  const reporting = (file: string) => (runner ? (junitArguments[runner]?.(file) ?? []) : [])
  let code = await run(name, [...command, ...reporting(reportFile(name))], watched, {
    ...env,
    PLAYWRIGHT_JUNIT_OUTPUT_FILE: reportFile(name),
  })
  const secondsOf = () => Math.round((performance.now() - startedAt) / 100) / 10
  let output = outputOf(name)
  const failure = code === 0 ? '' : errorLine(output)
  if (!runner) writeReport(name, { seconds: secondsOf(), failure })
  let report = readReportOf(name)
  if (code !== 0 && secondTry && canBeTriedAgain(report)) {
    console.log(describe(report))
    for (const failed of report.failures) console.log(`  once more: ${failed}`)
    const again = `${name}, second try`
    code = await run(
      again,
      [...command, ...report.failedFiles, ...reporting(secondReportFile(name))],
      watched,
      env ?? {},
    )
    output += outputOf(again)
    report = readReportOf(name)
  }
  report = { ...report, seconds: secondsOf() }
  // A file that cannot be loaded, or a runner that dies, fails the run without a failed test.
  if (code !== 0 && report.failures.length === 0) {
    writeReport(`${name}, outside any test`, { failure })
    report = { ...report, failures: [failure] }
  }
  const flaky = passedAtSecondTry(output)
  if (flaky.length > 0) note(`${name}, passed at the second try`, { skipped: flaky.join('; ') })
  if (code !== 0 && !watched) process.stdout.write(output)
  console.log(`${describe(report)}, ${report.seconds} s`)
  return report
}

const outputOf = (name: string) => readFileSync(join(reportsFolder, `${name}.log`), 'utf8')

/** Files that may be tried again: where more fail it is no chance, and takes the time of the stage once more. */
const maxFilesOfSecondTry = 5

/** Errors outside any test have no file that could be run again. */
const canBeTriedAgain = ({ failedFiles }: Report): boolean =>
  failedFiles.length > 0 &&
  failedFiles.length <= maxFilesOfSecondTry &&
  failedFiles.every((file) => existsSync(join(root, file)))

/** Notes a stage that cannot run on this machine. */
export const skipStage = (name: string, skipped: string): Report => note(name, { skipped })

/** Notes a stage that this process has carried out by itself. */
export const passStage = (name: string): Report => note(name, {})

/** Notes a stage that could not begin although it should have, or that this process has found wrong. */
export const failStage = (name: string, failure: string): Report => note(name, { failure })

function note(name: string, outcome: { skipped?: string; failure?: string }): Report {
  mkdirSync(reportsFolder, { recursive: true })
  writeReport(name, outcome)
  const report = readReport(name)
  console.log(describe(report))
  return report
}

/** A stage in one line. */
export function describe({ name, passed, failures, skipped, reasons }: Report): string {
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : ''
  return `${failures.length > 0 ? '✗' : passed > 0 ? '✓' : '-'} ${name}: ${passed} passed, ${failures.length} failed${skipped ? `, ${skipped} skipped${why}` : ''}`
}

function readReportOf(name: string): Report {
  try {
    return readReport(name)
  } catch {
    return { name, seconds: 0, passed: 0, failures: [], failedFiles: [], skipped: 0, reasons: [] }
  }
}

/** Arguments with which each test runner leaves a JUnit report. Playwright takes the file from its environment. */
const junitArguments: Readonly<Record<string, (file: string) => string[]>> = {
  vitest: (file) => ['--reporter=default', '--reporter=junit', `--outputFile.junit=${file}`],
  playwright: () => [],
  schemathesis: (file) => ['--report', 'junit', '--report-junit-path', file],
  'helm-unittest': (file) => ['--output-type', 'JUnit', '--output-file', file],
}

/** The longest stage takes twenty minutes, three times that on a slow machine. */
const maxMinutes = 60
/** Milliseconds that a stopped command has to end by itself. */
const stopMs = 30_000
/** Milliseconds for which output may continue after a command has ended, from children that it left running. */
const trailingOutputMs = 10_000

const running = new Set<ChildProcess>()

const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals) => pid !== undefined && sendSignal(-pid, signal)

/** Ends the commands, whose own process groups a signal to this process does not reach. */
function endWithStages(signal: NodeJS.Signals): never {
  for (const child of running) signalGroup(child, signal)
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, endWithStages)

async function run(
  name: string,
  [tool = '', ...args]: readonly string[],
  watched: boolean,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const log = createWriteStream(join(reportsFolder, `${name}.log`))
  const child = spawn(tool, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, PATH: `${join(root, 'node_modules/.bin')}:${env['PATH'] ?? process.env['PATH']}` },
    // A group of its own, so that its children end with it.
    detached: true,
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log.write(chunk)
      if (watched) process.stdout.write(chunk)
    })
  }
  running.add(child)
  const limit = setTimeout(() => {
    log.write(`\nerror: stopped, it did not end within ${maxMinutes} minutes\n`)
    // Test runners then report what they have.
    signalGroup(child, 'SIGINT')
    setTimeout(() => running.has(child) && signalGroup(child, 'SIGKILL'), stopMs).unref()
  }, maxMinutes * 60_000)
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      log.write(`${error.message}\n`)
      resolve(1)
    })
    child.once('exit', (exitCode) => {
      const trailing = setTimeout(() => {
        console.log(`  ${name} left processes running that hold its output; they are stopped`)
        signalGroup(child, 'SIGKILL')
        resolve(exitCode ?? 1)
      }, trailingOutputMs)
      child.once('close', () => {
        clearTimeout(trailing)
        resolve(exitCode ?? 1)
      })
    })
  })
  clearTimeout(limit)
  running.delete(child)
  child.stdout.destroy()
  child.stderr.destroy()
  log.end()
  await finished(log)
  return code
}
