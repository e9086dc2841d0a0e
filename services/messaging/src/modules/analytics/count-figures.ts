import { afterOpenSeconds, openSecondsBetween } from '@parley/contracts/inbox/open-time'
import type { ResponseTarget } from '@parley/contracts/inbox/response-target'
import type { EventType, RecordedEvent } from '@parley/contracts/platform/events'
import type { Clock } from '@parley/service-kit/core/clock'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import { newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { ConversationsRepository, ConversationsService } from '../inbox/conversations/conversations.service.ts'
import type { OpeningHoursService } from '../inbox/opening-hours/opening-hours.service.ts'
import { activityOf, withActivities } from './activity.ts'
import type { AnswersRepository, NewAnswer } from './answers.repository.ts'
import type { ClosuresRepository, NewClosure } from './closures.repository.ts'
import { createFollowBots, ownedConversationOf } from './follow-bots.ts'
import { type AnswerTimes, conversationOf, createFollowWaiting } from './follow-waiting.ts'
import {
  createSums,
  differenceOf,
  levelsOf,
  levelsOfClosure,
  type Sums,
  scopesOfActor,
  scopesOfMessage,
} from './levels.ts'
import type { RollupsRepository } from './rollups.repository.ts'
import type { TakeOversRepository } from './take-overs.repository.ts'
import type { WorkspaceFiguresRepository } from './workspace-figures.repository.ts'

/** Name under which the log of events knows who counts. */
export const figuresConsumer = 'figures'

/** Events from which figures follow. */
export const figureEvents = [
  'message.changed',
  'history.added',
  'conversation.changed',
  'campaign.changed',
  'contact.merged',
  'contact.erased',
] as const satisfies readonly EventType[]

interface Dependencies {
  readonly rollups: Pick<RollupsRepository, 'add'>
  readonly answers: Pick<AnswersRepository, 'openIn' | 'openOf' | 'store' | 'forget'>
  readonly takeOvers: Pick<TakeOversRepository, 'latestIn' | 'store' | 'forget'>
  readonly closures: Pick<ClosuresRepository, 'add' | 'forget'>
  readonly figures: Pick<WorkspaceFiguresRepository, 'activities' | 'store'>
  readonly contactRecords: {
    readonly read: (
      scope: WorkspaceScope,
      id: string,
    ) => PromiseLike<{ readonly merged?: { readonly id: string } | undefined } | null>
  }
  readonly openingHours: Pick<OpeningHoursService, 'read'>
  readonly responseTarget: {
    readonly read: (scope: WorkspaceScope, options: SessionOption) => Promise<ResponseTarget>
  }
  readonly conversationRecords: Pick<ConversationsRepository, 'readMany'>
  readonly conversations: Pick<ConversationsService, 'idsOf'>
  readonly now?: Clock
}

/** Counts events, in the transaction that marks them as read. @returns whether any figure has changed. */
export function createCountFigures({
  rollups,
  answers,
  takeOvers,
  closures,
  figures,
  contactRecords,
  openingHours,
  responseTarget,
  conversationRecords,
  conversations,
  now = () => new Date(),
}: Dependencies) {
  return async function countFigures(
    scope: WorkspaceScope,
    events: readonly RecordedEvent[],
    tx: Tx,
  ): Promise<boolean> {
    const sums = createSums()
    const times = await timesOf(scope, events, tx)
    const following = createFollowWaiting(await openOnes(scope, events, tx), { sums, newId, times })
    const owned = [...new Set(events.flatMap((event) => ownedConversationOf(event) ?? []))]
    const latest = owned.length > 0 ? await takeOvers.latestIn(scope, owned, tx) : []
    const bots = createFollowBots(latest.map(plainOf), { sums, newId })
    const erased: string[] = []
    const closed: NewClosure[] = []
    for (const event of events) {
      addMessages(event, sums)
      following.apply(event)
      bots.apply(event)
      const closure = closureOf(event, times)
      if (closure) {
        closed.push(closure)
        sums.add(scopesOfActor(closure.by), closure.closedAt, levelsOfClosure(closure))
      }
      if (event.type === 'contact.merged') await follow(scope, event.data, following)
      if (event.type !== 'contact.erased') continue
      following.end(event.data.contactId, new Date(event.recordedAt))
      erased.push(event.data.contactId)
    }
    const { stored, removed } = following.changes()
    await answers.store(scope, { stored, removed }, tx)
    await takeOvers.store(scope, bots.changes(), tx)
    await closures.add(scope, closed, tx)
    for (const contactId of erased) {
      await answers.forget(scope, contactId, tx)
      await takeOvers.forget(scope, contactId, tx)
      await closures.forget(scope, contactId, tx)
    }
    const changes = sums.all()
    await rollups.add(scope, { part: 'counted', changes }, tx)
    const added = events.flatMap((event) => activityOf(event) ?? [])
    const hasChanged = changes.length > 0 || stored.length > 0 || added.length > 0
    if (hasChanged) {
      const activities = withActivities(await figures.activities(scope, tx), added)
      await figures.store(scope, { activities, dueAt: nextLook(now()) }, tx)
    }
    return hasChanged
  }

  async function openOnes(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<NewAnswer[]> {
    const conversationIds = [...new Set(events.flatMap((event) => conversationOf(event) ?? []))]
    const found = new Map<string, NewAnswer>()
    const keep = (all: readonly NewAnswer[]) => {
      for (const answer of all) found.set(answer.id, plainOf(answer))
    }
    if (conversationIds.length > 0) keep(await answers.openIn(scope, conversationIds, tx))
    const people = new Set(events.flatMap(contactsOf))
    for (const contactId of people) keep(await answers.openOf(scope, contactId, tx))
    return [...found.values()]
  }

  /** Hours, target and openings of the conversations: as they are now, for the moment at which a wait is read. */
  async function timesOf(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<AnswerTimes> {
    const { session } = tx
    const ids = [...new Set(events.flatMap((event) => conversationOf(event) ?? []))]
    if (ids.length === 0) return noTimes
    const [hours, { firstMinutes, nextMinutes }] = [
      await openingHours.read(scope, { session }),
      await responseTarget.read(scope, { session }),
    ]
    const opened = new Map(
      (await conversationRecords.readMany(scope, ids, { session })).map(({ id, openedAt }) => [id, openedAt]),
    )
    return {
      dueAt: (since, isFirst) => {
        const minutes = isFirst ? firstMinutes : nextMinutes
        return minutes === null ? undefined : afterOpenSeconds(hours, since, minutes * 60)
      },
      openSeconds: (since, at) => openSecondsBetween(hours, since, at),
      // It was opened by the message with which the wait began, or by one after that.
      isFirst: (conversationId, since) => (opened.get(conversationId)?.getTime() ?? 0) >= since.getTime(),
    }
  }

  async function follow(
    scope: WorkspaceScope,
    { contactId, otherId }: { contactId: string; otherId: string },
    following: ReturnType<typeof createFollowWaiting>,
  ): Promise<void> {
    const waiting = following.waitingOf(otherId)
    // They may be two again.
    if (waiting.length === 0 || (await contactRecords.read(scope, otherId))?.merged?.id !== contactId) return
    for (const own of waiting) {
      const conversationId = (await conversations.idsOf(scope, own.numberId, [contactId]))(contactId)
      if (conversationId !== undefined) following.move(own, { contactId, conversationId })
    }
  }
}

/** Contacts whose waiting an event ends or moves. */
function contactsOf(event: RecordedEvent): string[] {
  if (event.type === 'contact.erased') return [event.data.contactId]
  return event.type === 'contact.merged' ? [event.data.contactId, event.data.otherId] : []
}

const noTimes: AnswerTimes = { dueAt: () => undefined, openSeconds: () => 0, isFirst: () => false }

const plainOf = <T extends object>({ workspaceId: _workspaceId, ...record }: T & { workspaceId?: string }) => record

/** Returns that a member or bot has closed a conversation; keys of the API, rules and merges are nobody's work. */
function closureOf(event: RecordedEvent, times: Pick<AnswerTimes, 'openSeconds'>): NewClosure | undefined {
  if (event.type !== 'conversation.changed') return undefined
  const { by, data } = event
  const { owned } = data.became ?? {}
  if (owned?.reason !== 'closed' || (by.kind !== 'user' && by.kind !== 'bot') || by.id === undefined) return undefined
  const { openedAt } = owned
  const { id: conversationId, numberId, contact } = data.conversation
  const closedAt = new Date(event.recordedAt)
  return {
    numberId,
    conversationId,
    contactId: contact.id,
    closedAt,
    by: { kind: by.kind === 'user' ? 'member' : 'bot', id: by.id },
    ...(openedAt !== undefined && { openSeconds: times.openSeconds(new Date(openedAt), closedAt) }),
  }
}

/** Adds what an event changes of the counters of messages. */
export function addMessages(event: RecordedEvent, sums: Sums): void {
  if (event.type === 'history.added')
    for (const { at, numberId, direction, from, to, created, notice } of event.data.steps ?? [])
      addStep({ at, numberId, direction, from, to, isReceived: created === true && !notice }, sums)
  if (event.type !== 'message.changed' || event.data.numberId === undefined) return
  const { numberId, direction, moved, created, notice, cause, causeId } = event.data
  const step = { at: event.at, numberId, direction, from: moved?.from ?? null, to: moved?.to ?? null }
  const by = cause !== undefined && causeId !== undefined ? { kind: cause, id: causeId } : undefined
  addStep({ ...step, isReceived: created === true && !notice, by }, sums)
}

type Status = Parameters<typeof levelsOf>[0]

function addStep(
  {
    at,
    numberId,
    direction,
    from,
    to,
    isReceived,
    by,
  }: {
    at: string
    numberId: string
    direction: 'inbound' | 'outbound' | 'note'
    from: Status
    to: Status
    isReceived: boolean
    by?: { kind: string; id: string } | undefined
  },
  sums: Sums,
): void {
  const sentAt = new Date(at)
  if (direction === 'inbound' && isReceived) sums.add(scopesOfMessage({ numberId }), sentAt, { received: 1 })
  if (direction === 'outbound')
    sums.add(scopesOfMessage({ numberId, cause: by }), sentAt, differenceOf(levelsOf(from), levelsOf(to)))
}

const dayMs = 86_400_000
/** Late enough for the statuses of a day to have come, for the most part. */
const lookAfterMs = 30 * 60_000

/** Returns the time of the next look, soon after the next day in UTC has begun. */
export const nextLook = (at: Date): Date =>
  new Date(Math.floor((at.getTime() - lookAfterMs) / dayMs + 1) * dayMs + lookAfterMs)
