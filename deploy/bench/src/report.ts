import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@parley/local/paths'
import { type Measure, verdict } from './auth/measures.ts'
import { medianOf, table } from './auth/statistics.ts'

/** Prints how far a run has come. */
export const log = (line: string): void => console.log(`  ${line}`)

/** What else the machine is doing: metrics belong to it. */
export const loadNow = (): string => `${(loadavg()[0] ?? 0).toFixed(1)} on ${cpus().length} cores`

/** Prints metrics as a table and writes them to `.parley/bench-<name>.json`. */
export function report(name: string, measures: readonly Measure[]): void {
  console.log(`\n${table([['measure', 'median (range)', 'goal', ''], ...measures.map(verdict)])}`)
  console.log(`load after the run ${loadNow()}`)
  mkdirSync(join(repoRoot, '.parley'), { recursive: true })
  writeFileSync(join(repoRoot, `.parley/bench-${name}.json`), `${JSON.stringify(measures.map(recordOf), null, 2)}\n`)
}

/** For programs. `goal` is the least or the most of it, null for information; `met` says which way. */
export function recordOf({ name, values, goal, unit }: Measure) {
  const value = Math.round(medianOf(values) * 100) / 100
  if (!goal) return { name, value, unit, goal: null, met: null }
  if ('atLeast' in goal) return { name, value, unit, goal: goal.atLeast, met: value >= goal.atLeast }
  return { name, value, unit, goal: goal.atMost, met: value <= goal.atMost }
}
