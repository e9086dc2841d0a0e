import { medianOf, spread } from './statistics.ts'

/** One metric of the run, once for each round. */
export interface Measure {
  readonly name: string
  readonly values: readonly number[]
  /** What is aimed at; one without is for information. */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number }
  /** Of the values, where they are no ratios. */
  readonly unit?: string
}

const missedBy = (goal: NonNullable<Measure['goal']>, value: number) =>
  'atLeast' in goal ? goal.atLeast - value : value - goal.atMost

/** A row of the last table. */
export function verdict({ name, values, goal, unit }: Measure): string[] {
  const measured = spread(values) + (unit ? ` ${unit}` : '')
  if (!goal) return [name, measured, '', '']
  const missed = missedBy(goal, medianOf(values))
  const aim = 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`
  return [name, measured, aim, missed > 0 ? `missed by ${missed.toFixed(2)}` : 'met']
}
