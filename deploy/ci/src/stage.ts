import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { errorLine, playwrightFailures, vitestFailures } from './failures.ts'
import { reportsFolder, root } from './paths.ts'
import { skipReasons } from './skip-reasons.ts'

/** What a stage of the proof came to. */
export const stageReportSchema = z.object({
  name: z.string(),
  passed: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  /** Why something was skipped. */
  reason: z.string().optional(),
  /** What failed and why, a line each. */
  failures: z.array(z.string()).optional(),
  seconds: z.number(),
})
export type StageReport = z.infer<typeof stageReportSchema>

const vitestSchema = z.object({ numPassedTests: z.number(), numFailedTests: z.number(), numPendingTests: z.number() })
const playwrightSchema = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
})

interface Stage {
  readonly name: string
  /** Command and arguments; tools of node_modules/.bin by name. */
  readonly command: readonly string[]
  /** Whose report to count; a plain command counts as one. */
  readonly counts?: 'vitest' | 'playwright'
  /** Print the output as it comes instead of only after a failure. */
  readonly live?: boolean
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>
}

/** Runs one command of the proof and writes down what it came to. Never throws: a failure is a figure of the report. */
export async function runStage(stage: Stage): Promise<StageReport> {
  mkdirSync(reportsFolder, { recursive: true })
  const countsFile = join(reportsFolder, `${stage.name}.counts.json`)
  rmSync(countsFile, { force: true })
  const startedAt = performance.now()
  const { code, output } = await run(stage, countsFile)
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  const counted = count(stage, code, countsFile)
  // Not every failure is one of a test.
  const failures = counted.failed > 0 && !counted.failures?.length ? [errorLine(output)] : (counted.failures ?? [])
  const report = { name: stage.name, ...counted, failures, seconds }
  writeFileSync(join(reportsFolder, `${stage.name}.stage.json`), JSON.stringify(report))
  if (code !== 0 && !stage.live) process.stdout.write(output)
  console.log(`${report.failed === 0 ? '✓' : '✗'} ${stage.name} (${seconds} s)${describe(report)}`)
  return report
}

/** Notes a stage that cannot run on this machine. */
export const skipStage = (name: string, reason: string): StageReport => note({ name, skipped: 1, reason })

/** Notes a stage that could not begin although it should have. */
export const failStage = (name: string, reason: string): StageReport => note({ name, failed: 1, reason })

function note(outcome: Pick<StageReport, 'name' | 'reason'> & Partial<StageReport>): StageReport {
  mkdirSync(reportsFolder, { recursive: true })
  const report = { passed: 0, failed: 0, skipped: 0, seconds: 0, ...outcome }
  writeFileSync(join(reportsFolder, `${report.name}.stage.json`), JSON.stringify(report))
  console.log(`${report.failed ? '✗' : '-'} ${report.name} ${report.failed ? 'failed' : 'skipped'}: ${report.reason}`)
  return report
}

const describe = ({ passed, failed, skipped }: StageReport) =>
  passed + failed + skipped > 1 ? `: ${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}` : ''

function run(
  { command: [tool = '', ...args], counts, live, env }: Stage,
  countsFile: string,
): Promise<{ code: number; output: string }> {
  const reporter =
    counts === 'vitest' ? ['--reporter=default', '--reporter=json', `--outputFile.json=${countsFile}`] : []
  const child = spawn(tool, [...args, ...reporter], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...env,
      PATH: `${join(root, 'node_modules/.bin')}:${env?.['PATH'] ?? process.env['PATH']}`,
      ...(counts === 'playwright' && { PLAYWRIGHT_JSON_OUTPUT_NAME: countsFile }),
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk
      if (live) process.stdout.write(chunk)
    })
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: `${error.message}\n` }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

function count(
  { counts }: Stage,
  code: number,
  countsFile: string,
): Pick<StageReport, 'passed' | 'failed' | 'skipped' | 'reason' | 'failures'> {
  const failed = code === 0 ? 0 : 1
  if (!counts) return { passed: 1 - failed, failed, skipped: 0 }
  try {
    const text: unknown = JSON.parse(readFileSync(countsFile, 'utf8'))
    if (counts === 'vitest') {
      const { numPassedTests, numFailedTests, numPendingTests } = vitestSchema.parse(text)
      // A file that cannot be loaded fails the run without a failed test.
      return {
        passed: numPassedTests,
        failed: Math.max(numFailedTests, failed),
        skipped: numPendingTests,
        failures: vitestFailures(text),
      }
    }
    const { expected, unexpected, flaky, skipped } = playwrightSchema.parse(text).stats
    const reason = skipReasons(text).join('; ')
    return {
      passed: expected,
      failed: Math.max(unexpected + flaky, failed),
      skipped,
      ...(reason && { reason }),
      failures: playwrightFailures(text),
    }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}
