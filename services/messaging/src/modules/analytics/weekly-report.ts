import { dateAfter, wallTimeOf } from '@parley/contracts/core/zoned-time'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { AddNotifications } from '../../platform/notification.ts'
import type { SendingHoursService } from '../outbound/sending-hours/sending-hours.service.ts'
import type { AnswersRepository } from './answers.repository.ts'
import { answerLimitMs, workspaceFigures } from './levels.ts'
import { localDays, periodOf, rateOf, sumByDay, totalOf, utcDaysOf } from './local-days.ts'
import type { RollupsRepository } from './rollups.repository.ts'

interface Dependencies {
  readonly rollups: Pick<RollupsRepository, 'read'>
  readonly answers: Pick<AnswersRepository, 'countOpen'>
  readonly sendingHours: Pick<SendingHoursService, 'zoneOf'>
  readonly addNotifications: AddNotifications
  readonly transaction: RunInTransaction
}

const count = new Intl.NumberFormat('en')

/** Tells the members who want it what the week before has come to: once a week, from Monday on. */
export function createWeeklyReport({ rollups, answers, sendingHours, addNotifications, transaction }: Dependencies) {
  return async function tellWeek(scope: WorkspaceScope, at: Date): Promise<void> {
    const timeZone = await sendingHours.zoneOf(scope)
    const today = wallTimeOf(at, timeZone).date
    // Sunday is the seventh day of its week.
    const weekday = new Date(`${today}T00:00:00Z`).getUTCDay() || 7
    const monday = dateAfter(today, 1 - weekday)
    const days = localDays(timeZone, { from: dateAfter(monday, -7), to: dateAfter(monday, -1) })
    const records = await rollups.read(scope, { scope: workspaceFigures, ...utcDaysOf(periodOf(days)) })
    const counted = sumByDay(
      records.filter(({ part }) => part !== 'erased'),
      days,
    )
    const [sent, received] = [totalOf(counted, 'sent'), totalOf(counted, 'received')]
    if (sent + received === 0) return
    // Those who began to wait within a day may still be answered in time.
    const { from, to } = periodOf(days)
    const youngFrom = new Date(Math.max(from.getTime(), at.getTime() - answerLimitMs))
    const young = youngFrom < to ? await answers.countOpen(scope, { from: youngFrom, to }) : 0
    const rate = rateOf(totalOf(counted, 'answered'), totalOf(counted, 'begun') - young)
    const answered = rate === null ? '' : ` ${rate}% of those who waited had an answer within 24 hours.`
    const report = {
      key: `week:${monday}`,
      category: 'report' as const,
      severity: 'info' as const,
      title: `Your week from ${days.dates[0]} to ${days.dates.at(-1)}`,
      body: `${count.format(sent)} messages sent, ${count.format(received)} received.${answered}`,
      // Its last day, until which the screen shows seven.
      object: { kind: 'analytics', id: dateAfter(monday, -1) },
      at,
      ...(records.some(({ part }) => part === 'sample') && { sample: true as const }),
    }
    await transaction((tx) => addNotifications(scope, [report], tx))
  }
}
