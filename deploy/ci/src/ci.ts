import { readReports } from './reports.ts'
import { hasFailed, printSummary, runStages, stageNames } from './run-stages.ts'

/**
 * `node deploy/ci/src/ci.ts <stage> …`: runs stages one after the other, `--lanes` two at a time. `--summary` counts in the end what
 * every stage has reported since the reports were emptied.
 */
const words = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const startedAt = performance.now()
const reports = await runStages(stageNames(words), { lanes: process.argv.includes('--lanes') ? 2 : 1 })
const failed = reports.filter(hasFailed).map(({ name }) => name)
const verdict = failed.length > 0 ? `failed: ${failed.join(', ')}` : 'green'
console.log(`${words.join(', ')}: ${verdict} in ${Math.round((performance.now() - startedAt) / 1000)} s`)
process.exitCode = process.argv.includes('--summary') ? printSummary(readReports()) : Number(failed.length > 0)
