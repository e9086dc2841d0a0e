import type { Report } from './reports.ts'
import { describe, failStage } from './stage.ts'
import { type StageName, stages } from './stages.ts'

/**
 * @param wanted names, or beginnings of names: `long` stands for all of its parts.
 * @throws with the names that there are where one is none of them.
 */
export function stageNames(wanted: readonly string[]): StageName[] {
  const isStage = (name: string): name is StageName => Object.hasOwn(stages, name)
  const names = Object.keys(stages).filter(isStage)
  const meant = (word: string) => names.filter((name) => name === word || name.startsWith(`${word}-`))
  const unknown = wanted.filter((word) => meant(word).length === 0)
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: the stages are ${names.join(', ')}.`)
  return wanted.flatMap(meant)
}

/** Runs stages in their order, `lanes` at a time. A stage that cannot begin is a failure of its own and ends no other. */
export async function runStages(
  names: readonly StageName[],
  { lanes = 1, onEnd }: { lanes?: number; onEnd?: (name: StageName, reports: readonly Report[]) => void } = {},
): Promise<Report[]> {
  const all: Report[] = []
  const waiting = [...names]
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const reports = await stages[name].run().catch((error: unknown) => [failStage(String(name), messageOf(error))])
      all.push(...reports)
      onEnd?.(name, reports)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return all
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

export const hasFailed = ({ failures }: Report) => failures.length > 0

/** Prints each report, each failure, and last `N passed, N failed, N skipped`. @returns the exit code. */
export function printSummary(reports: readonly Report[]): 0 | 1 {
  for (const report of reports) console.log(`${describe(report)}, ${Math.round(report.seconds)} s`)
  for (const { name, failures } of reports) for (const failure of failures) console.log(`✗ ${name}: ${failure}`)
  const sum = (count: (report: Report) => number) => reports.reduce((total, report) => total + count(report), 0)
  const failed = sum(({ failures }) => failures.length)
  console.log(`${sum(({ passed }) => passed)} passed, ${failed} failed, ${sum(({ skipped }) => skipped)} skipped`)
  return failed > 0 || reports.length === 0 ? 1 : 0
}
