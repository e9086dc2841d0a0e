import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { AskService } from '../../platform/platform.ts'
import type { ConversationContext, InboundMessage, OwnerChange } from '../runs/inputs.ts'
import { partOf, wholeEvent } from '../runs/part-of.ts'
import { personOf } from '../runs/person-of.ts'

/** One number of the log: its event, or what is known of one that is not in the shape of its type. */
export interface FeedItem {
  readonly seq: number
  readonly event?: RecordedEvent | undefined
  readonly conversationId?: string | undefined
  readonly traceparent?: string | undefined
}

/** A colleague who writes from the phone has the conversation for so long. */
const phoneHoldMs = 24 * 3_600_000

type Conversation = NonNullable<NonNullable<RecordedEvent['snapshot']>['conversation']>

/** Returns whether a person has a conversation at a moment; events of older versions do not say so. */
const isWithPerson = ({ owner, personAt, held }: Conversation, at: number): boolean =>
  held ?? (owner.kind === 'member' || (personAt !== null && Date.parse(personAt) + phoneHoldMs > at))

/** Reads the events of items, with the whole texts of messages that are cut in them. */
export const createWholeEvents =
  (askMessaging: AskService) =>
  async (scope: WorkspaceScope, items: readonly FeedItem[]): Promise<RecordedEvent[]> => {
    const events = items.flatMap(({ event }) => event ?? [])
    const texts = new Map<string, string>()
    for (const { type, data } of events) {
      if (type !== 'message.changed' || !data.said?.cut) continue
      const text = await askMessaging(scope, messagingInternalApi.text, { params: { id: data.messageId } }).then(
        (answer) => answer.text,
        // One that was erased is taken as far as it is known.
        (error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error)),
      )
      if (text !== undefined) texts.set(data.messageId, text)
    }
    return events.map((event) => wholeEvent(event, texts))
  }

const isNotFound = (error: unknown): boolean => error instanceof AppError && error.code === 'not_found'

/** The message of a customer in an event; `undefined` for other events, and for words of consent, which start and move nothing. */
export function toMessage(event: RecordedEvent): InboundMessage | undefined {
  if (event.type !== 'message.changed') return undefined
  const { said, messageId } = event.data
  const { snapshot } = event
  if (!said || said.command || !snapshot?.conversation) return undefined
  const { contact, conversation } = snapshot
  const at = Date.parse(event.at)
  const context: ConversationContext = {
    contactId: contact.id,
    contactName: contact.name,
    conversationId: conversation.id,
    numberId: conversation.numberId,
    chain: [...event.chain, event.id].slice(-5),
    ...(isWithPerson(conversation, at) && { isHeld: true }),
  }
  return {
    kind: 'message',
    eventId: event.id,
    messageId,
    at,
    part: partOf(said),
    person: personOf(contact),
    context,
    ...(said.choice !== undefined && { choice: said.choice }),
    ...(said.opens && { isFirst: true }),
  }
}

/** Another owner of a conversation in an event, or a person's message in it. */
export function toOwnerChange(event: RecordedEvent): OwnerChange | undefined {
  if (event.type !== 'conversation.changed') return undefined
  const { owned, closed } = event.data.became ?? {}
  const epoch = owned?.epoch ?? event.snapshot?.conversation?.epoch
  const reason = owned?.reason ?? (closed ? ('closed' as const) : undefined)
  if (reason === undefined || epoch === undefined) return undefined
  const { runId } = event.by
  return { kind: 'owned', epoch, reason, ...(runId !== undefined && { runId }) }
}

const isOfSample = ({ event }: FeedItem): boolean => event?.type === 'sample_data.changed'

/** Events up to the next change of the sample data, or that change by itself: it is prepared outside its transaction. */
export function firstPart(items: readonly FeedItem[], upTo: number) {
  const index = items.findIndex(isOfSample)
  const part = index === -1 ? items : items.slice(0, Math.max(index, 1))
  return { items: part, upTo: part.length < items.length ? (part.at(-1)?.seq ?? upTo) : upTo }
}
