import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reportsFolder } from './paths.ts'
import { stageReportSchema } from './stage.ts'

/** The last lines of CI: every stage with its figures, then all of them in one. */
const reports = readdirSync(reportsFolder)
  .filter((name) => name.endsWith('.stage.json'))
  .map((name) => stageReportSchema.parse(JSON.parse(readFileSync(join(reportsFolder, name), 'utf8'))))
for (const { name, passed, failed, skipped, reason, seconds } of reports) {
  console.log(
    `${name}: ${passed} passed, ${failed} failed, ${skipped} skipped${reason ? ` (${reason})` : ''}, ${seconds} s`,
  )
}
for (const { name, failures = [] } of reports) for (const failure of failures) console.log(`✗ ${name}: ${failure}`)
const sum = (key: 'passed' | 'failed') => reports.reduce((total, report) => total + report[key], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') > 0 || reports.length === 0 ? 1 : 0
