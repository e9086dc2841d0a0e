import { readReports } from './reports.ts'
import { describe } from './stage.ts'

/** The last lines of CI: every stage, everything that failed, and all of it in one line. */
const reports = readReports()
for (const report of reports) console.log(`${describe(report)}, ${Math.round(report.seconds)} s`)
for (const { name, failures } of reports) for (const failure of failures) console.log(`✗ ${name}: ${failure}`)
const sum = (count: (report: (typeof reports)[number]) => number) =>
  reports.reduce((total, report) => total + count(report), 0)
const failed = sum(({ failures }) => failures.length)
console.log(`${sum(({ passed }) => passed)} passed, ${failed} failed, ${sum(({ skipped }) => skipped)} skipped`)
process.exitCode = failed > 0 || reports.length === 0 ? 1 : 0
