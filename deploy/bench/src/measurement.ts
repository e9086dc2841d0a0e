/** One figure of a benchmark, in seconds. */
export interface Measurement {
  readonly name: string
  readonly seconds: number
  /** Most seconds that it should take. */
  readonly goal?: number
  /** `seconds / goal`: up to 1 the goal is met. */
  readonly ratio?: number
  /** Shortest and longest, where it was measured several times. */
  readonly spread?: string
}

export function measurement(name: string, seconds: number, goal: number): Measurement {
  return { name, seconds: round(seconds), goal, ratio: round(seconds / goal) }
}

/** @param seconds one figure at least. */
export function medianOf(seconds: readonly number[]): number {
  const sorted = [...seconds].sort((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
  return (lower + upper) / 2
}

/** `4.1–5.0 s (5 times)` */
export const spreadOf = (seconds: readonly number[]): string =>
  `${Math.min(...seconds).toFixed(1)}–${Math.max(...seconds).toFixed(1)} s (${seconds.length} times)`

const round = (value: number): number => Math.round(value * 100) / 100
