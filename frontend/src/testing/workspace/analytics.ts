import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { dateAfter, wallTimeOf } from '@parley/contracts/core/zoned-time'
import {
  type Analytics,
  type AnalyticsPeriod,
  analyticsApi,
  type ChangedValue,
  periodDays,
} from '@parley/contracts/platform/analytics'
import { figureRowsApi, type RowMetric } from '@parley/contracts/platform/figure-rows'
import { type MemberReport, teamReportApi } from '@parley/contracts/platform/team-report'
import { storyFigures } from '@parley/sample/figures'
import { conversationOf } from '@parley/sample/inbox'
import { answer } from '../answer.ts'
import { addJob } from './contact-jobs.ts'
import type { Workspace } from './workspace.ts'

const snapshotFields = { '7d': 'in7', '30d': 'in30', '90d': 'in90' } as const
const round = (value: number) => Math.round(value * 10) / 10

/** Analytics of a workspace, summed from what its story counts; a number or a member of the tests has none. */
export function analyticsHandlers(workspace: Workspace) {
  return [
    answer(analyticsApi.read, ({ query: { period = '30d', scope = 'workspace', to } }) =>
      analyticsOf(workspace, { period, scope, at: endOf(to) }),
    ),
    answer(teamReportApi.read, ({ query: { period = '30d', to: lastDay } }) => {
      const { asOf, timeZone, from, to } = analyticsOf(workspace, { period, scope: 'workspace', at: endOf(lastDay) })
      return {
        asOf,
        timeZone,
        from,
        to,
        sampleIncluded: false,
        members: teamOf(period),
        bots: { answered: 12, closed: 1, sent: 31 },
      }
    }),
    answer(figureRowsApi.list, ({ query: { metric, from, to } }) => rowsOf(workspace, { metric, from, to })),
    answer(figureRowsApi.export, ({ body: { format } }) => {
      const file = { name: `rows.${format}`, sizeBytes: 400 }
      return addJob(workspace, { task: { kind: 'rows_export', format }, done: 2, file })
    }),
  ]
}

/** Now, or noon of a last day. */
const endOf = (day: string | undefined): Date => (day === undefined ? new Date() : new Date(`${day}T12:00:00Z`))

/** Two members, of whom the second has left, and answered nobody. */
const teamOf = (period: AnalyticsPeriod): MemberReport[] => [
  {
    userId: 'user-1',
    replied: periodDays[period],
    sent: 40,
    firstAnswer: { count: 9, median: { atMostSeconds: 300 }, p95: { atMostSeconds: null } },
    targeted: 8,
    missed: 2,
    closed: 5,
    timeToClose: { count: 4, median: { atMostSeconds: 7200 } },
    rating: { count: 2, average: 4.5 },
    open: 3,
  },
  {
    userId: 'user-2',
    name: 'Sonia Rao',
    replied: 0,
    sent: 0,
    firstAnswer: null,
    targeted: 0,
    missed: 0,
    closed: 0,
    timeToClose: null,
    rating: null,
    open: 0,
  },
]

/** Returns rows of the first two conversations, and the figure of the story. */
function rowsOf(
  workspace: Workspace,
  { metric, from, to }: { metric: RowMetric; from: string; to: string },
): EndpointResponse<typeof figureRowsApi.list> {
  const at = new Date()
  const length = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  const period = length > 30 ? '90d' : length > 7 ? '30d' : '7d'
  const { stats, days } = analyticsOf(workspace, { period, scope: 'workspace', at })
  const received = days.reduce((sum, day) => sum + day.received, 0)
  const figures = { waits: 2, replied: 28, missed: 0, closed: 3, received, resolved: stats.botInteractions?.value ?? 0 }
  const sample =
    metric in figures ? figures[metric as keyof typeof figures] : (stats[metric as 'totalMessages'].value ?? 0)
  return {
    items: [...workspace.conversations.keys()].slice(0, 2).map((conversationId, place) => ({
      kind: 'message',
      id: `row-${place}`,
      at: at.toISOString(),
      conversationId,
      contactName: conversationOf(workspace, conversationId)?.contact.name ?? null,
      direction: 'inbound',
      status: null,
      by: null,
    })),
    nextCursor: null,
    asOf: at.toISOString(),
    timeZone: defaultTimeZone,
    figure: sample + 2,
    sample,
    erased: 0,
  }
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
