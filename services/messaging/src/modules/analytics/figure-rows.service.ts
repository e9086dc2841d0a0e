import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import { type FigureRow, type figureRowsApi, maxRowDays, type RowMetric } from '@parley/contracts/platform/figure-rows'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ConversationsService } from '../inbox/conversations/conversations.service.ts'
import type { createCountedMessages } from '../inbox/messages/counted-messages.ts'
import type { MessageRecord } from '../inbox/messages/messages.service.ts'
import type { RatingRecord, RatingsRepository } from '../inbox/ratings/ratings.service.ts'
import type { SendingHoursService } from '../outbound/sending-hours/sending-hours.service.ts'
import type { AnswerRecord } from './answers.model.ts'
import type { AnswersRepository } from './answers.repository.ts'
import type { ClosureRecord } from './closures.model.ts'
import type { ClosuresRepository } from './closures.repository.ts'
import { contactNamesOf } from './latest-activity.ts'
import { answerLimitMs, idOfScope, levelsOfWaiting, type Metric, workspaceFigures } from './levels.ts'
import { localDays, periodOf, sumByDay, totalOf, utcDaysOf } from './local-days.ts'
import type { RollupsRepository } from './rollups.repository.ts'
import type { TakeOverRecord } from './take-overs.model.ts'
import type { TakeOversRepository } from './take-overs.repository.ts'

const defaultLimit = 25

/** Counters that a figure is the sum of. */
const countersOf: Readonly<Record<RowMetric, readonly Metric[]>> = {
  totalMessages: ['sent', 'received'],
  messagesSent: ['sent'],
  received: ['received'],
  waits: ['begun'],
  replied: ['replied'],
  missed: ['late'],
  // They are counted by their rows.
  ratings: [],
  botInteractions: ['taken'],
  resolved: ['resolved'],
  closed: ['closed'],
}

/** Question for the rows of a figure. */
export interface RowsQuestion {
  readonly metric: RowMetric
  readonly from: string
  readonly to: string
  readonly scope: string
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}
type Page = EndpointResponse<typeof figureRowsApi.list>

interface Dependencies {
  readonly rollups: Pick<RollupsRepository, 'read'>
  readonly answers: Pick<AnswersRepository, 'page'>
  readonly takeOvers: Pick<TakeOversRepository, 'page'>
  readonly closures: Pick<ClosuresRepository, 'page'>
  readonly messages: Pick<ReturnType<typeof createCountedMessages>, 'page' | 'numberIds'>
  readonly ratingRecords: Pick<RatingsRepository, 'page' | 'count'>
  readonly sendingHours: Pick<SendingHoursService, 'zoneOf'>
  readonly conversations: Pick<ConversationsService, 'showMany'>
  readonly now?: Clock
}

/** Reads the rows behind figures of dashboard and analytics. */
export function createFigureRows(deps: Dependencies) {
  const { rollups, answers, takeOvers, messages, ratingRecords: ratings, sendingHours, now = () => new Date() } = deps

  /** @throws `validation_failed` for days that are none of a period, and for a figure that this scope does not have. */
  async function readRows(scope: WorkspaceScope, question: RowsQuestion): Promise<Page> {
    const { metric, scope: of } = question
    const asOf = now()
    const timeZone = await sendingHours.zoneOf(scope)
    const days = localDays(timeZone, checked(question))
    const [records, page] = await Promise.all([
      rollups.read(scope, { scope: of, ...utcDaysOf(periodOf(days)) }),
      pageOf(scope, question, periodOf(days)),
    ])
    const counters = of.startsWith('member:') && metric === 'waits' ? (['answered'] as const) : countersOf[metric]
    const sumOf = (...parts: readonly string[]) =>
      totalOf(
        sumByDay(
          records.filter(({ part }) => parts.includes(part)),
          days,
        ),
        ...counters,
      )
    const ids = page.items.flatMap(({ conversationId }) => conversationId ?? [])
    const names = await contactNamesOf(deps.conversations, scope, [...new Set(ids)])
    return {
      items: page.items.map((row) => {
        const of = row.conversationId ?? ''
        const contactName = names.get(of) ?? null
        // A row whose conversation the caller does not see counts, and tells nothing else.
        const hidden = scope.viewer !== undefined && contactName === null && row.conversationId !== undefined
        const conversationId = hidden ? null : (row.conversationId ?? null)
        const told = toRow(row, asOf)
        return { ...(hidden ? withoutDetails(told) : told), conversationId, contactName, ...(hidden && { hidden }) }
      }),
      nextCursor: page.nextCursor,
      asOf: asOf.toISOString(),
      timeZone,
      figure:
        metric === 'ratings'
          ? await ratings.count(scope, { by: idOfScope(of), ...periodOf(days) })
          : sumOf('counted', 'sample'),
      sample: sumOf('sample'),
      erased: sumOf('erased'),
    }
  }

  async function pageOf(
    scope: WorkspaceScope,
    { metric, scope: of, limit = defaultLimit, cursor }: RowsQuestion,
    period: { from: Date; to: Date },
  ) {
    const page = { ...period, limit, cursor }
    const only = (kind: string) => (of.startsWith(`${kind}:`) ? idOfScope(of) : undefined)
    const [numberId, memberId, botId] = [only('number'), only('member'), only('bot')]
    if (metric === 'waits') {
      // A member's figure counts their answers in time.
      return answers.page(scope, { ...page, numberId, by: memberId, inTime: memberId !== undefined })
    }
    if (metric === 'replied' || metric === 'missed')
      return answers.page(scope, { ...page, by: memberId, replied: true, late: metric === 'missed' })
    if (metric === 'ratings') return ratings.page(scope, { ...page, by: memberId ?? '' })
    if (metric === 'closed') return deps.closures.page(scope, { ...page, by: memberId ?? botId ?? '' })
    if (metric === 'botInteractions' || metric === 'resolved')
      return takeOvers.page(scope, { ...page, numberId, botId, resolved: metric === 'resolved' })
    const numberIds =
      of === workspaceFigures ? await messages.numberIds(scope) : numberId === undefined ? [] : [numberId]
    const kinds = { totalMessages: 'total', messagesSent: 'sent', received: 'received' } as const
    return messages.page(scope, { ...page, of: kinds[metric], memberId, numberIds })
  }

  return readRows
}

function checked({ from, to, metric, scope }: RowsQuestion): { from: string; to: string } {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000
  if (days < 0) throw errors.validation({ to: 'The last day comes before the first.' })
  if (days >= maxRowDays) throw errors.validation({ to: `Choose at most ${maxRowDays} days.` })
  const isOfBots = metric === 'botInteractions' || metric === 'resolved'
  const isOfAuthors = metric === 'closed'
  if ((scope.startsWith('bot:') && !isOfBots && !isOfAuthors) || (scope.startsWith('member:') && isOfBots))
    throw errors.validation({ metric: 'This figure is not counted for that.' })
  if ((metric === 'replied' || metric === 'missed' || metric === 'ratings') && !scope.startsWith('member:'))
    throw errors.validation({ metric: 'This figure is counted for members alone.' })
  if (isOfAuthors && !scope.startsWith('member:') && !scope.startsWith('bot:'))
    throw errors.validation({ metric: 'This figure is counted for members and bots alone.' })
  return { from, to }
}

type Row = MessageRecord | AnswerRecord | TakeOverRecord | ClosureRecord | RatingRecord

type Told =
  | Omit<Extract<FigureRow, { kind: 'message' }>, 'conversationId' | 'contactName'>
  | Omit<Extract<FigureRow, { kind: 'wait' }>, 'conversationId' | 'contactName'>
  | Omit<Extract<FigureRow, { kind: 'bot' }>, 'conversationId' | 'contactName'>
  | Omit<Extract<FigureRow, { kind: 'closure' }>, 'conversationId' | 'contactName'>
  | Omit<Extract<FigureRow, { kind: 'rating' }>, 'conversationId' | 'contactName'>

/** Leaves out who answered and when, and what was said: a colleague's work is theirs. */
function withoutDetails(row: Told): Told {
  if (row.kind === 'rating') return { ...row, comment: null }
  if (row.kind === 'message') return { ...row, by: null }
  if (row.kind !== 'wait') return row
  const { openSeconds: _, missed: __, ...wait } = row
  return { ...wait, by: null, answeredAt: null }
}

function toRow(row: Row, asOf: Date): Told {
  if ('direction' in row) {
    const { id, sentAt, direction, status = null, cause, sample } = row
    const by = direction === 'outbound' ? { kind: cause.kind, id: cause.id } : null
    const way = direction === 'outbound' ? ('outbound' as const) : ('inbound' as const)
    return { kind: 'message', id, at: sentAt.toISOString(), direction: way, status, by, ...(sample && { sample }) }
  }
  if ('askedAt' in row) {
    const { id, ratedAt = row.askedAt, score = 1, comment = null, by } = row
    return { kind: 'rating', id, at: ratedAt.toISOString(), score, comment, by: { kind: 'member', id: by } }
  }
  if (!('since' in row)) {
    const { id, closedAt, by, openSeconds } = row
    const time = openSeconds !== undefined && { openSeconds }
    return { kind: 'closure', id, at: closedAt.toISOString(), by: { ...by }, ...time }
  }
  const { id, since } = row
  const at = since.toISOString()
  if ('botId' in row) {
    const { botId, endedAt, resolved } = row
    return { kind: 'bot', id, at, botId, endedAt: endedAt?.toISOString() ?? null, resolved: resolved === true }
  }
  const { answeredAt, by } = row
  const isInTime = levelsOfWaiting(row).answered === 1
  const isYoung = asOf.getTime() - since.getTime() < answerLimitMs
  const state = isInTime ? 'answered' : answeredAt ? 'late' : isYoung ? 'young' : 'waiting'
  return {
    kind: 'wait',
    id,
    at,
    state,
    answeredAt: answeredAt?.toISOString() ?? null,
    by: by ? { ...by } : null,
    ...(row.openSeconds !== undefined && { openSeconds: row.openSeconds }),
    ...(row.late && { missed: true as const }),
  }
}
