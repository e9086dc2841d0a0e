import { dateAfter } from '@parley/contracts/core/zoned-time'

/** The n-th period from a day on, from 0: dates as `2026-11-25`, the first day and the first one after it. */
export interface Period {
  readonly n: number
  readonly from: string
  readonly to: string
}

/** Returns the day that is `months` after another: the 31st, or where a month has none its last day. */
export function monthsAfter(anchor: string, months: number): string {
  const [year = 0, month = 1, day = 1] = anchor.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10)
}

/** The calendar month, counted from a day on, that has a date; of an earlier date the first. */
export function monthWith(anchor: string, date: string): Period {
  const [years = 0, months = 0] = date.split('-').map((part, place) => Number(part) - Number(anchor.split('-')[place]))
  const begun = 12 * years + months
  const n = Math.max(0, monthsAfter(anchor, begun) <= date ? begun : begun - 1)
  return { n, from: monthsAfter(anchor, n), to: monthsAfter(anchor, n + 1) }
}

/** Same as `monthWith`, with periods of `days` days. */
export function daysWith(anchor: string, days: number, date: string): Period {
  const passed = (Date.parse(date) - Date.parse(anchor)) / 86_400_000
  const n = Math.max(0, Math.floor(passed / days))
  return { n, from: dateAfter(anchor, n * days), to: dateAfter(anchor, (n + 1) * days) }
}
