import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import type { ConsentSettingsService } from '../../contacts/consent/consent-settings.service.ts'
import type { IsSuppressed, ListConsent } from '../../contacts/consent/list-consent.ts'
import type { ContactRecord, ContactsService } from '../../contacts/contacts.service.ts'
import type { ConversationsRepository } from '../../inbox/conversations/conversations.service.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import { contentKey } from '../../templates/content-key.ts'
import type { TemplatesService } from '../../templates/templates.service.ts'
import type { ConsentValue, SendFacts } from './admit-send.ts'

interface Dependencies {
  readonly numbers: Pick<NumbersService, 'readToSend'>
  readonly contacts: Pick<ContactsService, 'shown'>
  readonly conversationRecords: Pick<ConversationsRepository, 'readMany'>
  readonly templates: Pick<TemplatesService, 'readMany'>
  readonly consentSettings: Pick<ConsentSettingsService, 'needsOptIn'>
  /** Knows opt-outs of addresses, whatever contact they belonged to. */
  readonly listConsent: Pick<ListConsent, 'suppressions'>
  readonly now?: Clock
}

/** Reads what decides about messages of one number as it is now: once for all of them. */
export function createSendFacts(deps: Dependencies) {
  const { numbers, contacts, conversationRecords, templates: stored, consentSettings, listConsent } = deps
  const { now = () => new Date() } = deps

  return async (scope: WorkspaceScope, numberId: string, messages: readonly MessageRecord[]) => {
    const [number, people, conversations, templates] = await Promise.all([
      numbers.readToSend(scope, numberId),
      contacts.shown(scope, unique(messages.map(({ contactId }) => contactId))),
      conversationRecords.readMany(scope, unique(messages.map(({ conversationId }) => conversationId))),
      stored.readMany(scope, unique(messages.flatMap((message) => templateOf(message) ?? []))),
    ])
    const subject = messages.filter(({ content }) => content.type === 'template')
    const [isSuppressed, onlyOptedIn] = await Promise.all([
      listConsent.suppressions(
        scope,
        subject.flatMap(({ contactId }) => people.get(contactId) ?? []),
      ),
      subject.length === 0 || consentSettings.needsOptIn(scope),
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
