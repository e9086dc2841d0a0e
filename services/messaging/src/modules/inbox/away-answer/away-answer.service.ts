import { isFlowKind } from '@parley/contracts/automation/flow-summary'
import { isOpen, nextOpening } from '@parley/contracts/inbox/open-time'
import type { OpeningHours } from '@parley/contracts/inbox/opening-hours'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { type AutomationStates, hasActiveBot } from '../../../platform/automation-states.model.ts'
import type { ConversationRecord, ConversationsRepository } from '../conversations/conversations.service.ts'
import { isHeldByPerson } from '../conversations/ownership.ts'
import type { MessagesRepository } from '../messages/messages.service.ts'
import type { OutgoingService } from '../messages/outgoing.service.ts'
import type { OpeningHoursService } from '../opening-hours/opening-hours.service.ts'

/** Milliseconds after which a message comes too late to be answered so: it was held up on its way. */
const lateMs = 3_600_000

export type AwayAnswer = ReturnType<typeof createAwayAnswer>

interface Dependencies {
  readonly openingHours: Pick<OpeningHoursService, 'read'>
  readonly automationStates: Pick<AutomationStates, 'read'>
  readonly conversationRecords: Pick<ConversationsRepository, 'readMany'>
  readonly messageRecords: Pick<MessagesRepository, 'byClientId'>
  readonly outgoing: Pick<OutgoingService, 'prepare' | 'store'>
  readonly transaction: RunInTransaction
  /** Tells the sender that a lane has work. */
  readonly wakeSender: (lane: number) => void
  readonly now?: () => Date
}

/**
 * Answers customers who write outside the opening hours with the workspace's text: once for each conversation until the next opening,
 * and never where a bot answers: those that may want the message come first. The customer waits for a person as before.
 */
export function createAwayAnswer(deps: Dependencies) {
  const { openingHours, automationStates, outgoing, wakeSender, now = () => new Date() } = deps
  const lanes = new Map<string, Set<number>>()

  /** Returns whether nobody is to be answered now, whatever has been written. */
  const skip = async (scope: WorkspaceScope, { session }: Pick<Tx, 'session'>): Promise<boolean> =>
    !isAnswered(await openingHours.read(scope, { session }), now())

  async function handle(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> {
    const { session } = tx
    const hours = await openingHours.read(scope, { session })
    const written = new Set(events.flatMap((event) => writtenIn(event, hours, now())))
    if (written.size === 0) return
    const state = await automationStates.read(scope, { session })
    for (const conversation of await deps.conversationRecords.readMany(scope, [...written], { session }))
      if (!isForBots(conversation) && !conversation.merged) await answer(scope, conversation, hours, tx)

    function isForBots(conversation: ConversationRecord): boolean {
      if (isFlowKind(conversation.owner.kind)) return true
      return hasActiveBot(state, conversation.numberId) && !isHeldByPerson(conversation, now(), state?.returnHours)
    }
  }

  /** Answers those of some conversations whose last message no bot has wanted in its time. The caller calls {@link after}. */
  async function answerLeft(scope: WorkspaceScope, left: readonly ConversationRecord[], tx: Tx): Promise<void> {
    const hours = await openingHours.read(scope, { session: tx.session })
    for (const conversation of left) {
      const { status, owner, lastMessage, merged } = conversation
      const isWaiting = status === 'open' && isOfPeople(owner) && !merged && lastMessage?.direction === 'inbound'
      if (isWaiting && isAway(lastMessage.at, hours, now())) await answer(scope, conversation, hours, tx)
    }
  }

  /** Answers in conversations that bots have passed on. */
  async function answerPassed(scope: WorkspaceScope, conversationIds: readonly string[]): Promise<void> {
    if (!isAnswered(await openingHours.read(scope), now())) return
    await deps.transaction(async (tx) => {
      const passed = await deps.conversationRecords.readMany(scope, conversationIds, { session: tx.session })
      await answerLeft(scope, passed, tx)
    })
    await after(scope)
  }

  async function answer(scope: WorkspaceScope, { id, numberId }: ConversationRecord, hours: OpeningHours, tx: Tx) {
    // One that never opens again counts by its setting.
    const until = nextOpening(hours, now())?.getTime() ?? `v${hours.version}`
    const clientId = `away:${until}`
    if (await deps.messageRecords.byClientId(scope, id, clientId, tx)) return
    const content = { type: 'text' as const, text: hours.awayAnswer }
    const cause = { kind: 'system' as const, id: 'away' }
    const prepared = await outgoing.prepare(scope, id, { content, cause, clientId, priority: 1 })
    try {
      await outgoing.store(scope, id, prepared, tx)
    } catch (error) {
      // Blocked, or its window is closed: nothing was written yet.
      if (error instanceof AppError && (error.code === 'wrong_state' || error.code === 'window_closed')) return
      throw error
    }
    const known = lanes.get(scope.workspaceId) ?? new Set()
    lanes.set(scope.workspaceId, known.add(laneOf(numberId)))
  }

  /** Wakes the sender after the commit. */
  async function after({ workspaceId }: WorkspaceScope): Promise<void> {
    for (const lane of lanes.get(workspaceId) ?? []) wakeSender(lane)
    lanes.delete(workspaceId)
  }

  return { skip, handle, after, answerLeft, answerPassed }
}

const isOfPeople = ({ kind }: ConversationRecord['owner']): boolean => kind === 'nobody' || kind === 'member'

const isAnswered = (hours: OpeningHours, at: Date): boolean =>
  hours.version > 0 && hours.awayAnswer !== '' && !isOpen(hours, at)

/** Returns the conversation that a customer has just written into outside the hours. */
function writtenIn(event: RecordedEvent, hours: OpeningHours, now: Date): string[] {
  if (event.type !== 'message.changed') return []
  const { direction, created, notice, rated, conversationId } = event.data
  if (direction !== 'inbound' || !created || notice || rated) return []
  return isAway(new Date(event.at), hours, now) ? [conversationId] : []
}

/** Returns whether what was written at a time is answered now: it was outside the hours, as this is, and has not been held up. */
const isAway = (at: Date, hours: OpeningHours, now: Date): boolean =>
  now.getTime() - at.getTime() < lateMs && isAnswered(hours, at) && isAnswered(hours, now)
