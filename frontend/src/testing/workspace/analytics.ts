import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { dateAfter, wallTimeOf } from '@parley/contracts/core/zoned-time'
import { type Analytics, analyticsApi, type ChangedValue, periodDays } from '@parley/contracts/platform/analytics'
import { storyFigures } from '@parley/sample/figures'
import { answer } from '../answer.ts'
import type { Workspace } from './workspace.ts'

const snapshotFields = { '7d': 'in7', '30d': 'in30', '90d': 'in90' } as const
const round = (value: number) => Math.round(value * 10) / 10

/** Analytics of a workspace, summed from what its story counts; a number or a member of the tests has none. */
export function analyticsHandlers(workspace: Workspace) {
  return [
    answer(analyticsApi.read, ({ query: { period = '30d', scope = 'workspace' } }) =>
      analyticsOf(workspace, { period, scope, at: new Date() }),
    ),
  ]
}

type Asked = Pick<Analytics, 'period' | 'scope'> & { readonly at: Date }

export function analyticsOf(workspace: Workspace, { period, scope, at }: Asked): Analytics {
  const length = periodDays[period]
  const isAll = scope === 'workspace'
  const { days, bots, snapshots } = storyFigures(workspace)
  const today = wallTimeOf(at, defaultTimeZone).date
  const sum = <T>(some: readonly T[], countOf: (one: T) => number) =>
    some.reduce((total, one) => total + countOf(one), 0)
  const compared = <T extends { readonly daysAgo: number }>(
    all: readonly T[],
    countOf: (one: T) => number,
  ): ChangedValue => {
    const within = (from: number) => all.filter(({ daysAgo }) => daysAgo >= from && daysAgo < from + length)
    const [value, before] = isAll ? [sum(within(0), countOf), sum(within(length), countOf)] : [0, 0]
    return { value, changePercent: before === 0 ? 0 : round((value / before - 1) * 100) }
  }
  const active = (daysAgo: number) => snapshots[daysAgo]?.activeContacts[snapshotFields[period]] ?? 0
  const traffic = days.slice(-length).map(({ daysAgo, sent, received }) => ({
    date: dateAfter(today, -daysAgo),
    sent: isAll ? sent : 0,
    received: isAll ? received : 0,
  }))
  const botDays = bots.flatMap((bot) => bot.days)
  return {
    asOf: at.toISOString(),
    timeZone: defaultTimeZone,
    from: dateAfter(today, 1 - length),
    to: today,
    sampleIncluded: isAll && workspace.contacts.size > 0,
    period,
    scope,
    stats: {
      totalMessages: compared(days, ({ sent, received }) => sent + received),
      messagesSent: compared(days, ({ sent }) => sent),
      activeContacts: isAll
        ? {
            value: active(0),
            changePercent: active(length) === 0 ? 0 : round((active(0) / active(length) - 1) * 100),
          }
        : null,
      botInteractions: scope.startsWith('member:') ? null : compared(botDays, ({ taken }) => taken),
    },
    week: traffic.slice(-7),
    days: traffic,
    campaigns: isAll ? campaignsOf(workspace, length) : [],
    bots: isAll
      ? bots.map(({ id, days: own }) => {
          const within = own.filter(({ daysAgo }) => daysAgo < length)
          const [conversations, resolved] = [sum(within, ({ taken }) => taken), sum(within, (day) => day.resolved)]
          return { id, conversations, resolved, rate: round((resolved / conversations) * 100) }
        })
      : [],
  }
}

function campaignsOf({ now, campaigns }: Workspace, length: number): Analytics['campaigns'] {
  const since = now.getTime() - length * 86_400_000
  return [...campaigns.values()]
    .filter(({ startedAt, completedAt, counts }) => {
      const end = Date.parse(completedAt ?? now.toISOString())
      return counts.delivered > 0 && startedAt !== undefined && end >= since
    })
    .map(({ id, name, counts: { delivered, read: opened, clicked } }) => {
      return { id, name, delivered, opened, clicked, openRate: round((opened / delivered) * 100) }
    })
    .toSorted((left, right) => right.openRate - left.openRate)
    .slice(0, 100)
}
