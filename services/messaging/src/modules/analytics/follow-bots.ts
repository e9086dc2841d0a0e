import type { RecordedEvent } from '@parley/contracts/platform/events'
import { differenceOf, levelsOfTakeOver, ofBot, ofNumber, type Sums, workspaceFigures } from './levels.ts'
import type { NewTakeOver } from './take-overs.repository.ts'

/** A bot has resolved only what no person took within so long. */
const personWithinMs = 24 * 3_600_000

/** Returns the conversation whose owner an event may have changed. */
export const ownedConversationOf = (event: RecordedEvent): string | undefined =>
  event.type === 'conversation.changed' && event.data.became?.owned ? event.data.conversation.id : undefined

/**
 * Follows which conversations bots take over and end, event by event.
 * @param latest the last stored one of each conversation of all events.
 */
export function createFollowBots(latest: readonly NewTakeOver[], { sums, newId }: { sums: Sums; newId: () => string }) {
  const known = new Map(latest.map((takeOver) => [takeOver.conversationId, takeOver]))
  const stored = new Map<string, NewTakeOver>()

  function change(before: NewTakeOver | undefined, after: NewTakeOver): void {
    const { numberId, botId, since } = after
    const levels = differenceOf(before ? levelsOfTakeOver(before) : {}, levelsOfTakeOver(after))
    sums.add([workspaceFigures, ofNumber(numberId), ofBot(botId)], since, levels)
    stored.set(after.id, after)
    if (after.latest) known.set(after.conversationId, after)
  }

  function apply(event: RecordedEvent): void {
    const conversationId = ownedConversationOf(event)
    if (event.type !== 'conversation.changed' || conversationId === undefined) return
    const { conversation, became } = event.data
    const at = new Date(event.recordedAt)
    const botId = event.by.kind === 'bot' ? event.by.id : undefined
    const { reason, claimed, completed } = became?.owned ?? {}
    const own = known.get(conversationId)
    const isOpen = own !== undefined && own.endedAt === undefined
    const isPersons = conversation.owner.kind === 'member' || reason === 'phone'
    // A bot that took it, and gave it back or away at once, is told of by that.
    const begins = botId !== undefined && (reason === 'bot' || claimed === true)
    const isBrief = begins && reason !== 'bot'
    const isResolved = !isPersons && (completed === true || reason === 'closed')
    if (own) {
      const isOwn = own.botId === botId && !begins
      const ended = isOpen ? { ...own, endedAt: at, ...(isOwn && isResolved && { resolved: true as const }) } : own
      const after = isPersons && !isOpen && isSoonAfter(own, at) ? { ...ended, resolved: undefined } : ended
      if (after !== own || begins) change(own, begins ? { ...after, latest: undefined } : after)
    }
    if (!begins) return
    const begun = {
      id: newId(),
      numberId: conversation.numberId,
      botId,
      conversationId,
      since: at,
      latest: true as const,
    }
    const ended = isBrief ? { endedAt: at, ...(isResolved && { resolved: true as const }) } : {}
    change(undefined, { ...begun, contactId: conversation.contact.id, ...ended })
  }

  return {
    apply,
    changes: () => [...stored.values()].sort((one, other) => Number(one.latest ?? 0) - Number(other.latest ?? 0)),
  }
}

const isSoonAfter = ({ endedAt, resolved }: NewTakeOver, at: Date): boolean =>
  resolved === true && endedAt !== undefined && at.getTime() - endedAt.getTime() < personWithinMs
