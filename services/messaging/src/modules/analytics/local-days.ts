import { dateAfter, momentOf, wallTimeOf } from '@parley/contracts/core/zoned-time'
import { type Counts, type DayCounts, type Metric, momentOfPlace, placeOf } from './levels.ts'

/** Days as a zone has them, oldest first. */
export interface LocalDays {
  readonly dates: readonly string[]
  /** Beginning of each, and the end of the last one. */
  readonly starts: readonly Date[]
}

export const todayIn = (zone: string, now: Date): string => wallTimeOf(now, zone).date

/** Returns the last day that a question asks for: today where it names none, or one that is still to come. */
export const lastDayOf = (asked: string | undefined, today: string): string =>
  asked !== undefined && asked < today ? asked : today

/** Returns the days from one date to another. @param from not after `to`. */
export function localDays(zone: string, { from, to }: { from: string; to: string }): LocalDays {
  const dates: string[] = []
  for (let date = from; date <= to; date = dateAfter(date, 1)) dates.push(date)
  const starts = [...dates, dateAfter(to, 1)].map((date) => startOf(date, zone))
  return { dates, starts }
}

export function startOf(date: string, zone: string): Date {
  const start = momentOf({ date, time: '00:00' }, zone)
  if (!start) throw new Error(`${date} is no day of ${zone}`)
  return start
}

/** The period of days, for queries. */
export function periodOf({ starts }: LocalDays): { from: Date; to: Date } {
  const [from, to] = [starts[0], starts.at(-1)]
  if (!from || !to) throw new Error('a period has a day')
  return { from, to }
}

/** The days in UTC whose counters are needed. */
export const utcDaysOf = ({ from, to }: { from: Date; to: Date }): { from: string; to: string } => ({
  from: placeOf(from).day,
  to: placeOf(new Date(to.getTime() - 1)).day,
})

/** Sums counters of quarters of an hour up to the days of a zone: as many as there are dates. */
export function sumByDay(records: readonly Pick<DayCounts, 'day' | 'slots'>[], { dates, starts }: LocalDays): Counts[] {
  const sums = dates.map((): Record<string, number> => ({}))
  const bounds = starts.map((start) => start.getTime())
  for (const { day, slots } of records)
    for (const [slot, counts] of Object.entries(slots ?? {})) {
      const at = momentOfPlace({ day, slot: Number(slot) })
      const sum = sums[placeIn(bounds, at)]
      if (sum) for (const [metric, count] of Object.entries(counts)) sum[metric] = (sum[metric] ?? 0) + count
    }
  return sums
}

/** Returns the index of the day with a moment; -1, or beyond the last one, where none has it. */
function placeIn(bounds: readonly number[], at: number): number {
  let [low, high] = [0, bounds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bounds[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Sums some metrics of all days. */
export const totalOf = (days: readonly Counts[], ...wanted: readonly Metric[]): number =>
  days.reduce((sum, counts) => sum + wanted.reduce((own, metric) => own + (counts[metric] ?? 0), 0), 0)

const round = (value: number): number => Math.round(value * 10) / 10

/** Percent by which a figure differs from that before; `null` where that was nothing. */
export function changeOf(value: number, before: number): number | null {
  if (before === 0) return value === 0 ? 0 : null
  return round((value / before - 1) * 100)
}

/** Percent with one decimal; `null` of nothing. */
export const rateOf = (part: number, whole: number): number | null =>
  whole <= 0 ? null : round(Math.min(1, part / whole) * 100)

/** Difference of two percentages in points; `null` where one of them is not known. */
export const pointsOf = (rate: number | null, before: number | null): number | null =>
  rate === null || before === null ? null : round(rate - before)
