import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import { dateAfter } from '@parley/contracts/core/zoned-time'
import { type AnalyticsPeriod, periodDays } from '@parley/contracts/platform/analytics'
import type { MemberReport, teamReportApi } from '@parley/contracts/platform/team-report'
import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ActorContext } from '@parley/service-kit/http/context'
import type { RatingsRepository } from '../inbox/ratings/ratings.service.ts'
import type { SendingHoursService } from '../outbound/sending-hours/sending-hours.service.ts'
import {
  answerTimeBounds,
  answerTimes,
  botFigures,
  type Counts,
  closeTimes,
  idOfScope,
  memberFigures,
} from './levels.ts'
import { lastDayOf, localDays, periodOf, sumByDay, todayIn, totalOf, utcDaysOf } from './local-days.ts'
import type { RollupsRepository } from './rollups.repository.ts'

const maxMembers = 500
interface Owned {
  readonly open: number
  readonly name: string | null
}

/** Owners and admins see how all members answer, all others only themselves. */
export const seesTeam = ({ actor, may }: Pick<ActorContext, 'actor' | 'may'>): boolean =>
  actor.kind === 'key' || may('workspace:write')

/** Reads how members answer customers: sums of counters over days of the workspace's zone. */
export function createTeamReport({
  rollups,
  sendingHours,
  conversationRecords,
  ratingRecords: ratings,
  now = () => new Date(),
}: {
  readonly rollups: Pick<RollupsRepository, 'readAll'>
  readonly sendingHours: Pick<SendingHoursService, 'zoneOf'>
  readonly conversationRecords: {
    /** Open conversations of each member, and the name that they have for them. */
    readonly countOpenByOwner: (scope: WorkspaceScope) => Promise<ReadonlyMap<string, Owned>>
  }
  readonly ratingRecords: Pick<RatingsRepository, 'averages'>
  readonly now?: Clock
}) {
  return async function readTeamReport(
    caller: ActorContext,
    { period, to: asked }: { readonly period: AnalyticsPeriod; readonly to?: string | undefined },
  ): Promise<EndpointResponse<typeof teamReportApi.read>> {
    const asOf = now()
    const timeZone = await sendingHours.zoneOf(caller)
    const to = lastDayOf(asked, todayIn(timeZone, asOf))
    const from = dateAfter(to, 1 - periodDays[period])
    const days = localDays(timeZone, { from, to })
    const seesAll = seesTeam(caller)
    const utcDays = utcDaysOf(periodOf(days))
    const [records, ofBots, open, rated] = await Promise.all([
      rollups.readAll(caller, { of: memberFigures, ...utcDays }),
      seesAll ? rollups.readAll(caller, { of: botFigures, ...utcDays }) : [],
      conversationRecords.countOpenByOwner(caller),
      ratings.averages(caller, { ...periodOf(days), by: seesAll ? undefined : caller.actor.id }),
    ])
    const counted = new Map(
      [...Map.groupBy(records, ({ scope }) => idOfScope(scope))].map(([id, own]) => [id, sumByDay(own, days)]),
    )
    // A member who answered before the period may be rated in it.
    const ids = [...new Set([...counted.keys(), ...open.keys(), ...rated.keys()])]
    const seen = seesAll ? ids : [caller.actor.id]
    const byBots = sumByDay(ofBots, days)
    return {
      asOf: asOf.toISOString(),
      timeZone,
      from,
      to,
      sampleIncluded: records.some(({ part }) => part === 'sample'),
      members: seen
        .map((userId) => ({
          ...reportOf(userId, counted.get(userId) ?? [], open.get(userId)),
          rating: rated.get(userId) ?? null,
        }))
        .sort((left, right) => right.replied - left.replied || left.userId.localeCompare(right.userId))
        .slice(0, maxMembers),
      ...(seesAll && {
        bots: {
          answered: totalOf(byBots, 'answered'),
          closed: totalOf(byBots, 'closed'),
          sent: totalOf(byBots, 'sent'),
        },
      }),
    }
  }
}

function reportOf(userId: string, days: readonly Counts[], owned: Owned | undefined): Omit<MemberReport, 'rating'> {
  const timesOf = (counters: typeof answerTimes | typeof closeTimes) => {
    const times = counters.map((time) => totalOf(days, time))
    return { times, count: times.reduce((sum, own) => sum + own, 0) }
  }
  const [answers, closures] = [timesOf(answerTimes), timesOf(closeTimes)]
  return {
    userId,
    ...(owned?.name && { name: owned.name }),
    replied: totalOf(days, 'replied'),
    sent: totalOf(days, 'sent'),
    firstAnswer:
      answers.count === 0
        ? null
        : { count: answers.count, median: atMost(answers.times, 0.5), p95: atMost(answers.times, 0.95) },
    targeted: totalOf(days, 'targeted'),
    missed: totalOf(days, 'late'),
    closed: totalOf(days, 'closed'),
    timeToClose: closures.count === 0 ? null : { count: closures.count, median: atMost(closures.times, 0.5) },
    open: owned?.open ?? 0,
  }
}

/** Returns the bound within which a share of the times are. @param times how many each counter has. */
export function atMost(times: readonly number[], share: number): { atMostSeconds: number | null } {
  const wanted = Math.ceil(times.reduce((sum, own) => sum + own, 0) * share)
  let sum = 0
  for (const [place, own] of times.entries()) {
    sum += own
    if (sum >= wanted) return { atMostSeconds: answerTimeBounds[place] ?? null }
  }
  return { atMostSeconds: null }
}
