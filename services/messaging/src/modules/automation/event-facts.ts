import type { Snapshot } from '@parley/contracts/platform/event-snapshots'
import type { NewEvent } from '@parley/contracts/platform/events'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { CompleteEvents, Tx } from '@parley/service-kit/data/transaction'
import type { AutomationState, AutomationStates } from '../../platform/automation-states.model.ts'
import { toContact } from '../contacts/contact-fields.ts'
import type { ContactRecord, ContactsRepository } from '../contacts/contacts.service.ts'
import type { ConversationRecord, ConversationsRepository } from '../inbox/conversations/conversations.service.ts'
import { isHeldByPerson } from '../inbox/conversations/ownership.ts'

interface Dependencies {
  readonly automationStates: Pick<AutomationStates, 'read'>
  readonly contactRecords: Pick<ContactsRepository, 'readMany'>
  readonly conversationRecords: Pick<ConversationsRepository, 'readMany'>
}

/**
 * Gives events that start or move flows the contact and conversation as they are in that transaction, where flows are active. Elsewhere
 * what the events say for flows alone is left out of them.
 */
export function createEventFacts({
  automationStates,
  contactRecords,
  conversationRecords,
}: Dependencies): CompleteEvents {
  return async (events, session) => {
    const relevant = Map.groupBy(events.filter(isForFlows), ({ workspaceId }) => workspaceId)
    const snapshotsOf = new Map<string, Awaited<ReturnType<typeof snapshots>>>()
    for (const [workspaceId, workspaceEvents] of relevant) {
      const scope = { workspaceId }
      const state = await automationStates.read(scope, { session })
      if (state?.active) snapshotsOf.set(workspaceId, await snapshots(scope, workspaceEvents, { state, session }))
    }
    const opened = new Set(events.flatMap(openedIn))
    return events.flatMap((event) => {
      if (!isForFlows(event)) return event
      const snapshot = snapshotsOf.get(event.workspaceId)?.(event)
      if (snapshot) return { ...withOpening(event, opened), snapshot }
      return event.type === 'contact.bulk_changed' ? [] : withoutFacts(event)
    })
  }

  async function snapshots(
    scope: WorkspaceScope,
    events: readonly NewEvent[],
    { state, ...options }: Pick<Tx, 'session'> & { readonly state: AutomationState },
  ) {
    const now = new Date()
    const named = (pick: (event: NewEvent) => string | undefined) => [
      ...new Set(events.flatMap((event) => pick(event) ?? [])),
    ]
    const people = await contactRecords.readMany(
      scope,
      named((event) => event.contactId),
      options,
    )
    const conversationIds = named((event) => event.conversationId)
    const threads =
      conversationIds.length > 0 ? await conversationRecords.readMany(scope, conversationIds, options) : []
    const contacts = new Map(people.filter(canBeReached).map((person) => [person.id, toContact(person)]))
    const conversations = new Map(threads.map((thread) => [thread.id, toSnapshot(thread, now, state.returnHours)]))
    return ({ contactId = '', conversationId }: NewEvent): Snapshot | undefined => {
      const contact = contacts.get(contactId)
      const conversation = conversationId === undefined ? undefined : conversations.get(conversationId)
      return contact && { contact, ...(conversation && { conversation }) }
    }
  }
}

/** Returns whether flows may act on a contact: one that is in lists, and has an address. */
export const canBeReached = ({ live, phone, waUserId }: ContactRecord): boolean =>
  live && (phone !== undefined || waUserId !== undefined)

/** A conversation as flows know it at a time. @param returnHours those after which people's are the bots' again. */
export const toSnapshot = (
  record: ConversationRecord,
  now: Date,
  returnHours: number | undefined,
): NonNullable<Snapshot['conversation']> => ({
  id: record.id,
  numberId: record.numberId,
  status: record.status,
  owner: { kind: record.owner.kind, ...(record.owner.id !== undefined && { id: record.owner.id }) },
  epoch: record.ownerEpoch,
  windowExpiresAt: record.windowExpiresAt?.toISOString() ?? null,
  personAt: record.personAt?.toISOString() ?? null,
  held: isHeldByPerson(record, now, returnHours),
  ...(record.forPersonSince && { forPerson: true }),
})

/** Returns whether an event may start or move a flow. */
function isForFlows(event: NewEvent): boolean {
  switch (event.type) {
    case 'message.changed': {
      const { said, status, takenBack, cause = '' } = event.data
      const isUndelivered = status === 'failed' || takenBack === true
      return said !== undefined || (isUndelivered && ['bot', 'workflow'].includes(cause))
    }
    case 'contact.changed':
      return event.data.became !== undefined
    case 'conversation.changed': {
      const { woken: _woken, ...became } = event.data.became ?? {}
      return Object.keys(became).length > 0
    }
    case 'contact.bulk_changed':
      return true
    default:
      return false
  }
}

const openedIn = (event: NewEvent): string[] =>
  event.type === 'conversation.changed' && event.data.became?.opened ? [event.data.conversation.id] : []

/** Says of a message that it has opened its conversation: of several in one transaction the first. @param opened loses what was said. */
function withOpening(event: NewEvent, opened: Set<string>): NewEvent {
  if (event.type !== 'message.changed' || !event.data.said || !opened.delete(event.data.conversationId)) return event
  return { ...event, data: { ...event.data, said: { ...event.data.said, opens: true } } }
}

function withoutFacts(event: NewEvent): NewEvent {
  switch (event.type) {
    case 'message.changed': {
      const { said: _said, ...data } = event.data
      return { ...event, data }
    }
    case 'contact.changed': {
      const { became: _became, ...data } = event.data
      return { ...event, data }
    }
    case 'conversation.changed': {
      const { became: { owned, woken } = {}, ...data } = event.data
      // Figures follow who owns conversations, and assignment what wakes up.
      const became = { ...(owned && { owned }), ...(woken && { woken }) }
      return { ...event, data: { ...data, ...(Object.keys(became).length > 0 && { became }) } }
    }
    default:
      return event
  }
}
