import { defaultRatingSetting, type RatingSetting, ratingScores } from '@parley/contracts/inbox/ratings'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { ConversationsRepository } from '../conversations/conversations.service.ts'
import { type MessagesRepository, newMessageId } from '../messages/messages.service.ts'
import type { OutgoingService } from '../messages/outgoing.service.ts'
import { writtenText } from '../messages/said-of.ts'
import { isWindowOpen } from '../messages/service-window.ts'
import { choiceOf, ratingIn } from './rating-choice.ts'
import type { RatingsRepository } from './ratings.repository.ts'

export type { RatingRecord } from './ratings.model.ts'
export type { RatingsRepository } from './ratings.repository.ts'

const dayMs = 86_400_000
/** Days for which a contact is not asked again. */
const askedAgainMs = 30 * dayMs
/** Milliseconds before closing within which a member's message is what is rated. */
const answeredMs = 7 * dayMs
/** Milliseconds after a rating within which a text is about it. */
const commentMs = 10 * 60_000
const maxComment = 1000

interface Dependencies {
  readonly ratingRecords: RatingsRepository
  readonly contactRecords: {
    /** Finds the contacts that were merged into one. */
    readonly mergedIds: (
      scope: WorkspaceScope,
      contactId: string,
      options: Pick<Tx, 'session'>,
    ) => PromiseLike<readonly string[]>
  }
  readonly conversationRecords: Pick<ConversationsRepository, 'read'>
  readonly messageRecords: Pick<MessagesRepository, 'readMany' | 'latestOutbound'>
  readonly outgoing: Pick<OutgoingService, 'prepare' | 'store'>
  /** Tells the sender that a lane has work. */
  readonly wakeSender: (lane: number) => void
  readonly now?: () => Date
}

/** Asks customers to rate what members have answered, once their conversation is closed, and records what they say. */
export function createRatings(deps: Dependencies) {
  const { ratingRecords: ratings, contactRecords, conversationRecords: conversations, messageRecords: messages } = deps
  const { outgoing, wakeSender, now = () => new Date() } = deps
  const lanes = new Map<string, Set<number>>()

  async function read(scope: WorkspaceScope): Promise<RatingSetting> {
    return shown(await ratings.readSetting(scope))
  }

  /** @throws `stale_version`. */
  async function update(scope: WorkspaceScope, setting: RatingSetting): Promise<RatingSetting> {
    const changed = await ratings.storeSetting(scope, setting)
    if (!changed) throw errors.staleVersion(await read(scope))
    return shown(changed)
  }

  /** Returns whether the workspace has never asked anybody. */
  const skip = async (scope: WorkspaceScope, { session }: Pick<Tx, 'session'>): Promise<boolean> =>
    (await ratings.readSetting(scope, { session })) === null

  async function handle(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> {
    const { session } = tx
    const setting = shown(await ratings.readSetting(scope, { session }))
    for (const event of events) {
      if (event.type === 'contact.erased') await ratings.forget(scope, event.data, { session })
      if (setting.enabled && isClosedByMember(event)) await ask(scope, event.conversationId ?? '', setting, tx)
    }
    await record(scope, events, tx)
  }

  /** Asks within the service window, once in 30 days, and only where a member was the last to write. */
  async function ask(scope: WorkspaceScope, conversationId: string, { question }: RatingSetting, tx: Tx) {
    const { session } = tx
    const at = now()
    const conversation = await conversations.read(scope, conversationId, { session })
    if (conversation?.status !== 'closed' || conversation.merged) return
    const { contactId, numberId, windowExpiresAt } = conversation
    if (!isWindowOpen(windowExpiresAt, at)) return
    const between = { since: new Date(at.getTime() - answeredMs), until: at }
    const cause = (await messages.latestOutbound(scope, conversationId, between))?.cause
    if (cause?.kind !== 'member') return
    const since = new Date(at.getTime() - askedAgainMs)
    const contactIds = [contactId, ...(await contactRecords.mergedIds(scope, contactId, { session }))]
    if (await ratings.wasAskedSince(scope, contactIds, since, { session })) return
    const id = newMessageId()
    const options = ratingScores.map(({ score, label }) => ({ id: choiceOf(id, score), title: `${score} – ${label}` }))
    const prepared = await outgoing.prepare(scope, conversationId, {
      content: { type: 'interactive', text: question, button: 'Rate', options },
      cause: { kind: 'system', id: 'rating' },
      clientId: `rating:${id}`,
      priority: 1,
    })
    try {
      await outgoing.store(scope, conversationId, prepared, tx)
    } catch (error) {
      // Blocked, or its window is closed: nothing was written yet.
      if (error instanceof AppError && (error.code === 'wrong_state' || error.code === 'window_closed')) return
      throw error
    }
    await ratings.ask(scope, { id, conversationId, contactId, by: cause.id, askedAt: at }, { session })
    const known = lanes.get(scope.workspaceId) ?? new Set()
    lanes.set(scope.workspaceId, known.add(laneOf(numberId)))
  }

  /** Records scores, and the texts that follow them. */
  async function record(scope: WorkspaceScope, events: readonly RecordedEvent[], { session }: Tx): Promise<void> {
    const ids = events.flatMap(writtenIn)
    if (ids.length === 0) return
    const written = await messages.readMany(scope, ids, { session })
    for (const { conversationId, content, sentAt: at } of written.toSorted(byTime)) {
      const rating = ratingIn(content)
      if (rating) await rate(scope, { ...rating, conversationId, at }, { session })
      else if (content.type === 'text') {
        const comment = writtenText(content).slice(0, maxComment)
        const since = new Date(at.getTime() - commentMs)
        await ratings.comment(scope, { conversationId, comment, since, at }, { session })
      }
    }
  }

  /** Records the score of a question that was asked in this conversation, or in one whose messages have moved to it. */
  async function rate(
    scope: WorkspaceScope,
    { id, conversationId, score, at }: { id: string; conversationId: string; score: number; at: Date },
    { session }: Pick<Tx, 'session'>,
  ): Promise<void> {
    let askedIn = (await ratings.read(scope, id, { session }))?.conversationId
    while (askedIn !== undefined && askedIn !== conversationId)
      askedIn = (await conversations.read(scope, askedIn, { session }))?.merged?.id
    if (askedIn !== undefined) await ratings.rate(scope, { id, conversationId, score, at }, { session })
  }

  /** Wakes the sender after the commit. */
  async function after({ workspaceId }: WorkspaceScope): Promise<void> {
    for (const lane of lanes.get(workspaceId) ?? []) wakeSender(lane)
    lanes.delete(workspaceId)
  }

  return { read, update, consumer: { skip, handle, after } }
}

const byTime = (left: { sentAt: Date }, right: { sentAt: Date }): number =>
  left.sentAt.getTime() - right.sentAt.getTime()

function isClosedByMember(event: RecordedEvent): boolean {
  if (event.type !== 'conversation.changed' || event.by.kind !== 'user') return false
  const { conversation, became } = event.data
  return conversation.status === 'closed' && became?.owned?.reason === 'closed'
}

/** Returns the id of a customer's new message. */
function writtenIn(event: RecordedEvent): string[] {
  if (event.type !== 'message.changed') return []
  const { direction, created, notice, messageId } = event.data
  return direction === 'inbound' && created && !notice ? [messageId] : []
}

function shown(record: RatingSetting | null): RatingSetting {
  if (!record) return defaultRatingSetting
  const { enabled, question, version } = record
  return { enabled, question, version }
}
