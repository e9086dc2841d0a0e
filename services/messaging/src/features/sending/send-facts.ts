import type { Template } from '@parley/contracts/templates'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactRecord, ContactsService } from '../contacts/contacts.service.ts'
import type { ConversationRecord } from '../conversations/conversations.service.ts'
import type { MessageRecord } from '../messages/messages.service.ts'
import type { NumberRecord } from '../numbers/numbers.service.ts'
import type { SendFacts } from './admit-send.ts'

interface Dependencies {
  readonly readNumber: (scope: WorkspaceScope, id: string) => Promise<NumberRecord | null>
  readonly contacts: Pick<ContactsService, 'shown'>
  readonly readConversations: (scope: WorkspaceScope, ids: readonly string[]) => PromiseLike<ConversationRecord[]>
  /** Templates by their ids, without removed ones. */
  readonly readTemplates: (
    scope: WorkspaceScope,
    ids: readonly string[],
  ) => Promise<Map<string, Pick<Template, 'status' | 'category'>>>
  readonly now?: () => Date
}

export type ReadSendFacts = ReturnType<typeof createSendFacts>

/** Reads what decides about messages of one number as it is now: once for all of them. */
export function createSendFacts(deps: Dependencies) {
  const { readNumber, contacts, readConversations, readTemplates, now = () => new Date() } = deps

  return async (scope: WorkspaceScope, numberId: string, messages: readonly MessageRecord[]) => {
    const [number, people, conversations, templates] = await Promise.all([
      readNumber(scope, numberId),
      contacts.shown(scope, unique(messages.map(({ contactId }) => contactId))),
      readConversations(scope, unique(messages.map(({ conversationId }) => conversationId))),
      readTemplates(scope, unique(messages.flatMap((message) => templateOf(message) ?? []))),
    ])
    const windows = new Map(conversations.map(({ id, windowExpiresAt }) => [id, windowExpiresAt]))
    const at = now()
    return (message: MessageRecord): SendFacts => ({
      now: at,
      contact: contactFacts(people.get(message.contactId)),
      windowExpiresAt: windows.get(message.conversationId),
      template: templates.get(templateOf(message) ?? ''),
      isNumberStopped: number?.stopped !== undefined,
      needsOptIn: true,
    })
  }
}

const contactFacts = (contact: ContactRecord | undefined): SendFacts['contact'] =>
  contact && {
    isBlocked: contact.blocked,
    isDeleted: !contact.live,
    marketing: contact.optIn.marketing,
    utility: 'unknown',
  }

const templateOf = ({ content: { type, templateId } }: MessageRecord): string | undefined =>
  type === 'template' && typeof templateId === 'string' && /^[0-9a-f]{24}$/.test(templateId) ? templateId : undefined

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]
