import type { Template } from '@parley/contracts/templates/templates'
import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { NumberRecord } from '../../channel/numbers/numbers.service.ts'
import type { IsSuppressed, ListConsent } from '../../contacts/consent/list-consent.ts'
import type { ContactRecord, ContactsService } from '../../contacts/contacts.service.ts'
import type { ConversationRecord } from '../../inbox/conversations/conversations.service.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import { contentKey, type KeyedContent } from '../../templates/content-key.ts'
import type { ConsentValue, SendFacts } from './admit-send.ts'

interface Dependencies {
  readonly readNumber: (scope: WorkspaceScope, id: string) => Promise<NumberRecord | null>
  readonly contacts: Pick<ContactsService, 'shown'>
  readonly readConversations: (scope: WorkspaceScope, ids: readonly string[]) => PromiseLike<ConversationRecord[]>
  /** Templates by their ids, without removed ones. */
  readonly readTemplates: (
    scope: WorkspaceScope,
    ids: readonly string[],
  ) => Promise<Map<string, Pick<Template, 'status' | 'category'> & KeyedContent>>
  readonly needsOptIn: (scope: WorkspaceScope) => Promise<boolean>
  /** Opt-outs of addresses, whatever contact they belonged to. */
  readonly suppressions: ListConsent['suppressions']
  readonly now?: Clock
}

export type ReadSendFacts = ReturnType<typeof createSendFacts>

/** Reads what decides about messages of one number as it is now: once for all of them. */
export function createSendFacts(deps: Dependencies) {
  const {
    readNumber,
    contacts,
    readConversations,
    readTemplates,
    needsOptIn,
    suppressions,
    now = () => new Date(),
  } = deps

  return async (scope: WorkspaceScope, numberId: string, messages: readonly MessageRecord[]) => {
    const [number, people, conversations, templates] = await Promise.all([
      readNumber(scope, numberId),
      contacts.shown(scope, unique(messages.map(({ contactId }) => contactId))),
      readConversations(scope, unique(messages.map(({ conversationId }) => conversationId))),
      readTemplates(scope, unique(messages.flatMap((message) => templateOf(message) ?? []))),
    ])
    const subject = messages.filter(({ content }) => content.type === 'template')
    const [isSuppressed, onlyOptedIn] = await Promise.all([
      suppressions(
        scope,
        subject.flatMap(({ contactId }) => people.get(contactId) ?? []),
      ),
      subject.length === 0 || needsOptIn(scope),
    ])
    const facts = new Map(
      [...templates].map(([id, template]) => [
        id,
        { status: template.status, category: template.category, textKey: contentKey(template) },
      ]),
    )
    const byId = new Map(conversations.map((conversation) => [conversation.id, conversation]))
    const at = now()
    return (message: MessageRecord): SendFacts => ({
      now: at,
      contact: contactFacts(people.get(message.contactId), isSuppressed),
      windowExpiresAt: byId.get(message.conversationId)?.windowExpiresAt,
      personEpoch: byId.get(message.conversationId)?.personEpoch,
      template: facts.get(templateOf(message) ?? ''),
      stopped: number?.stopped,
      needsOptIn: onlyOptedIn,
    })
  }
}

const contactFacts = (contact: ContactRecord | undefined, isSuppressed: IsSuppressed): SendFacts['contact'] =>
  contact && {
    isBlocked: contact.blocked,
    isDeleted: !contact.live,
    lastMarketingAt: contact.lastMarketingAt,
    ...consentOf(contact, isSuppressed),
  }

/** Returns a contact's consent, whatever contact one of their addresses belonged to at the time. */
export const consentOf = (
  contact: ContactRecord,
  isSuppressed: IsSuppressed,
): Record<'marketing' | 'utility', ConsentValue> => ({
  marketing: isSuppressed(contact, 'marketing') ? 'out' : contact.optIn.marketing,
  utility: isSuppressed(contact, 'utility') ? 'out' : (contact.utilityConsent?.value ?? 'unknown'),
})

const templateOf = ({ content: { type, templateId } }: MessageRecord): string | undefined =>
  type === 'template' && typeof templateId === 'string' && /^[0-9a-f]{24}$/.test(templateId) ? templateId : undefined

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]
