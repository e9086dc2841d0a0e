import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { StreamEvent } from '@parley/service-kit/http/send-events'
import type { SeeingMember, VisibilityService } from './visibility.service.ts'

interface Dependencies {
  readonly viewerOf: VisibilityService['viewerOf']
  readonly visibleOf: (scope: SeeingScope, ids: readonly string[]) => Promise<string[]>
  readonly seesContact: (scope: SeeingScope, contactId: string) => Promise<boolean>
}
interface SeeingScope {
  readonly workspaceId: string
  readonly viewer: string
}

/** Filters the stream of events for members: of conversations and contacts that they do not see they are told nothing. */
export function createVisibleEvents({ viewerOf, visibleOf, seesContact }: Dependencies) {
  return async function* visibleEvents(
    { workspaceId, userId, role }: SeeingMember,
    stream: AsyncIterable<StreamEvent>,
  ): AsyncGenerator<StreamEvent> {
    for await (const item of stream) {
      if (item.event === 'hidden' && role !== 'agent') continue
      const viewer = await viewerOf({ workspaceId, userId, role })
      const shown = viewer === undefined ? item : await shownOf(item, { workspaceId, viewer })
      if (shown) yield shown
    }
  }

  async function shownOf(item: StreamEvent, scope: SeeingScope): Promise<StreamEvent | undefined> {
    const { conversationId, contactId } = subjectOf(item.data)
    if (conversationId !== undefined) {
      if ((await visibleOf(scope, [conversationId])).length > 0) return item
      return isAnotherOwner(item) ? { id: item.id, event: 'hidden', data: { conversationId } } : undefined
    }
    // An event that names a contact by its id alone tells nothing of it.
    const isOfContact = item.event === 'contact.changed' || Object(item.data).snapshot !== undefined
    if (!isOfContact || (contactId !== undefined && (await seesContact(scope, contactId)))) return item
    return undefined
  }
}

/** Conversation or contact that an event is about. */
function subjectOf(data: unknown): { conversationId?: string; contactId?: string } {
  const { conversationId, contactId } = Object(data)
  return {
    ...(typeof conversationId === 'string' && { conversationId }),
    ...(typeof contactId === 'string' && { contactId }),
  }
}

/** The one event after which a page may show a conversation that is no longer to be seen. */
const isAnotherOwner = ({ event, data }: StreamEvent): boolean =>
  event === 'conversation.changed' &&
  (data as Extract<RecordedEvent, { type: 'conversation.changed' }>).data.became?.owned !== undefined
