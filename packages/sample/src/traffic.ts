import { dayMs, daysIntoPeriod, facts } from './facts.ts'
import { createRandom } from './random.ts'
import { shares } from './shares.ts'

/** Messages of one day. */
export interface DayTraffic {
  /** Midnight in UTC. */
  readonly at: string
  readonly sent: number
  readonly received: number
}

/** The longest period of the analytics, and as much again to compare it with. */
const daysKept = 180

/** Traffic by weekday; Sunday first. */
const weekday = [0.55, 1.05, 1.1, 1.08, 1.15, 1.2, 0.8]

/**
 * Messages of each of the last 180 days, oldest first, today last. They add up to the facts: this period's sent messages,
 * the last 30 days, and the growth over the 30 days before.
 */
export function createTraffic(now: Date): DayTraffic[] {
  const random = createRandom(11)
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const days = Array.from({ length: daysKept }, (_, index) => new Date(today - (daysKept - 1 - index) * dayMs))
  const weights = days.map((day) => (weekday[day.getUTCDay()] ?? 1) * (0.9 + 0.2 * random.next()))
  const { total, sent, changePercent } = facts.last30Days
  const before = Math.round(total / (1 + changePercent / 100))
  const sentBefore = Math.round(before * 0.8)
  const month = facts.periodDays
  const older = daysKept - 2 * month
  const split = (amount: number, from: number, to: number) => shares(amount, weights.slice(from, to))
  const start = daysKept - daysIntoPeriod
  const sentByDay = [
    ...split(Math.round((sentBefore * older * 0.9) / month), 0, older),
    ...split(sentBefore, older, older + month),
    ...split(sent - facts.messagesSent, older + month, start),
    ...split(facts.messagesSent, start, daysKept),
  ]
  const receivedByDay = [
    ...split(Math.round(((before - sentBefore) * older * 0.9) / month), 0, older),
    ...split(before - sentBefore, older, older + month),
    ...split(total - sent, older + month, daysKept),
  ]
  return days.map((day, index) => ({
    at: day.toISOString(),
    sent: sentByDay[index] ?? 0,
    received: receivedByDay[index] ?? 0,
  }))
}
