import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { root } from './paths.ts'
import type { Report } from './reports.ts'
import { hasFailed, printSummary, runStages, stageNames } from './run-stages.ts'
import { alwaysRead, proofStages, type StageName, stages } from './stages.ts'

/**
 * `npm run proof`: runs what the gate leaves out. A stage whose inputs are those of its last green run is not run again.
 * `npm run proof -- long faults` runs those; `--again` also where nothing has changed, `--full` obtains what takes long to obtain,
 * `--status` runs nothing and prints what is known.
 */
const file = join(root, '.parley/proof.json')

/** A stage's last green run. A stage that was skipped, whole or in part, is as green as the rest of it: `skipped` says why. */
const runSchema = z.object({
  /** Hash of the inputs: names and contents. */
  fingerprint: z.string(),
  /** Commit of HEAD; with `+` where an input was not committed. */
  commit: z.string(),
  minutes: z.number(),
  passed: z.number(),
  skipped: z.array(z.string()),
})
const recordSchema = z.record(z.string(), runSchema)

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim()
const readRecord = () => (existsSync(file) ? recordSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : {})
function inputsOf(name: StageName): string[] {
  const { inputs = ['.'], readsPages } = stages[name]
  return [...alwaysRead, ...inputs, ...(readsPages ? [] : [':!*.md'])]
}

/** Names and contents of a stage's inputs, as they are in the working tree. */
function fingerprintOf(name: StageName): string {
  const listed = git('ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...inputsOf(name))
  const files = [...new Set(listed.split('\0'))].filter((path) => path && existsSync(join(root, path))).sort()
  const hash = createHash('sha256')
  for (const path of files)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

function remember(name: StageName, fingerprint: string, reports: readonly Report[]): void {
  const passed = reports.reduce((sum, report) => sum + report.passed, 0)
  if (reports.some(hasFailed) || passed === 0) return
  const changed = git('status', '--porcelain', '--', ...inputsOf(name)) ? '+' : ''
  const minutes = Math.round(reports.reduce((sum, { seconds }) => sum + seconds, 0) / 6) / 10
  const skipped = [...new Set(reports.flatMap(({ reasons }) => reasons))]
  const run = { fingerprint, commit: `${git('rev-parse', '--short', 'HEAD')}${changed}`, minutes, passed, skipped }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ ...readRecord(), [name]: run }, null, 2)}\n`)
}

const flags = new Set(process.argv.slice(2).filter((argument) => argument.startsWith('--')))
const words = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const wanted = words.length > 0 ? stageNames(words) : proofStages
const now = new Map(wanted.map((name) => [name, fingerprintOf(name)]))
const known = readRecord()
const isGreen = (name: StageName) => known[name]?.fingerprint === now.get(name)

if (flags.has('--status')) {
  console.log('stage       last green  minutes  tests')
  for (const name of wanted) {
    const run = known[name]
    const columns = [name.padEnd(10), (run?.commit ?? 'never').padEnd(10), String(run?.minutes ?? '').padStart(7)]
    const state = !run ? 'stale: never green here' : isGreen(name) ? 'fresh' : 'stale: its inputs have changed'
    const skipped = run?.skipped.length ? `; skipped: ${run.skipped.join(', ')}` : ''
    console.log(`${columns.join('  ')}  ${String(run?.passed ?? '').padStart(5)}  ${state}${skipped}`)
  }
} else {
  const due = wanted.filter((name) => flags.has('--again') || !isGreen(name))
  for (const name of wanted.filter((stage) => !due.includes(stage)))
    console.log(`- ${name}: nothing it reads has changed since ${known[name]?.commit}, where it was green`)
  const reports = await runStages(due, { onEnd: (name, ended) => remember(name, now.get(name) ?? '', ended) })
  process.exitCode = due.length > 0 ? printSummary(reports) : 0
}
