import { cpus, loadavg } from 'node:os'

/** One metric of the run, once for each round. */
export interface Measure {
  readonly name: string
  readonly values: readonly number[]
  /** Target of the measure; one without is for information. */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number }
  /** Unit of the values, where they are not ratios. */
  readonly unit?: string
}

/** Prints how far a run has come. */
export const log = (line: string): void => console.log(`  ${line}`)

/** Returns the machine's load, which puts the metrics in context. */
export const loadNow = (): string => `${(loadavg()[0] ?? 0).toFixed(1)} on ${cpus().length} cores`

export function report(measures: readonly Measure[]): void {
  console.log(`\n${table([['measure', 'median (range)', 'goal', ''], ...measures.map(verdict)])}`)
  console.log(`load after the run ${loadNow()}`)
}

function verdict({ name, values, goal, unit }: Measure): string[] {
  const measured = spread(values) + (unit ? ` ${unit}` : '')
  if (!goal) return [name, measured, '', '']
  const [aim, missedBy] =
    'atLeast' in goal
      ? [`≥ ${goal.atLeast}`, goal.atLeast - medianOf(values)]
      : [`≤ ${goal.atMost}`, medianOf(values) - goal.atMost]
  return [name, measured, aim, missedBy > 0 ? `missed by ${missedBy.toFixed(2)}` : 'met']
}

/** The value that a share of all values does not exceed. @param values one at least. @param share 0.95 for p95. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** @param values one at least. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [lower, upper] = [(sorted.length - 1) / 2, sorted.length / 2].map((position) => sorted[Math.floor(position)])
  return ((lower ?? Number.NaN) + (upper ?? Number.NaN)) / 2
}

/** Formats median and range, as `0.93 (0.90–0.97)`. */
export function spread(values: readonly number[], digits = 2): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits))
  return `${medianOf(values).toFixed(digits)} (${low}–${high})`
}

/** Columns of equal width, the first to the left and the others to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n')
}
