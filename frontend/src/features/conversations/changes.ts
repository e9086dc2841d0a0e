import { type Contact, contactsApi } from '@parley/contracts/contacts'
import { type Conversation, conversationsApi, type Message, type MessageContent } from '@parley/contracts/conversations'
import { fillPlaceholders } from '@parley/contracts/placeholders'
import type { Template } from '@parley/contracts/templates'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { campaignKeys, choiceKeys, contactKeys, conversationKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { type Intent, useChange } from '../../lib/use-change.ts'
import { useRecordChange } from '../../lib/use-record-change.ts'
import { toast } from '../../ui/toast.ts'
import { countAsRead, putMessage, raiseConversation, readThreadAgain, removeMessage } from './cache.ts'
import { conversationRecords } from './records.ts'

/** Marks the conversation as read. */
export const useMarkRead = (id: string) =>
  useRecordChange<Conversation, void>({
    records: conversationRecords,
    id,
    patch: () => (conversation) => ({ ...conversation, unreadCount: 0 }),
    run: (_, intent) => call(conversationsApi.update, { params: { id }, body: { read: true }, ...intent }),
    answered: (conversation) => conversation,
    also: (client) => countAsRead(client, id),
    failed: 'The conversation could not be marked as read.',
    invalidates: [conversationKeys.summary],
  })

type Change = Partial<Pick<Conversation, 'status' | 'owner'>>

/** Opens or closes the conversation, or hands it to somebody. */
export const useChangeConversation = (id: string) =>
  useRecordChange<Conversation, Change>({
    records: conversationRecords,
    id,
    patch: (change) => (conversation) => ({ ...conversation, ...change }),
    run: (body, intent) => call(conversationsApi.update, { params: { id }, body, ...intent }),
    answered: (conversation) => conversation,
    failed: 'The conversation could not be changed. Try again.',
    invalidates: [conversationKeys.summary],
  })

/** What shows the contact beside the inbox. */
const contactReaders = [contactKeys.all, campaignKeys.all, choiceKeys.tags]

type TagChange = { add: string } | { remove: string }

/** Adds or removes one tag of the contact: what others add meanwhile stays. */
export const useChangeTag = ({ id, contact }: Pick<Conversation, 'id' | 'contact'>) =>
  useRecordChange<Conversation, TagChange, Contact>({
    records: conversationRecords,
    id,
    patch: (change) => (conversation) => withTags(conversation, change),
    run: (change, intent) =>
      'add' in change
        ? call(contactsApi.addTag, { params: { id: contact.id }, body: { tag: change.add }, ...intent })
        : call(contactsApi.removeTag, { params: { id: contact.id }, query: { tag: change.remove }, ...intent }),
    failed: 'The tag could not be changed. Try again.',
    invalidates: contactReaders,
  })

function withTags(conversation: Conversation, change: TagChange): Conversation {
  const { contact } = conversation
  const named = 'add' in change ? change.add : change.remove
  const others = contact.tags.filter((tag) => tag !== named)
  return { ...conversation, contact: { ...contact, tags: 'add' in change ? [...others, named] : others } }
}

/** A contact whose name is no longer the one that the person set out to change. */
export class RenamedElsewhere extends Error {
  readonly current: Contact

  constructor(current: Contact) {
    super('The contact was renamed elsewhere.')
    this.current = current
  }
}

/**
 * Renames the contact. Whatever else was changed of it meanwhile stays.
 * @throws RenamedElsewhere unless its name is still `from`.
 */
export function useRenameContact(conversationId: string, contactId: string) {
  const client = useQueryClient()
  const params = { id: contactId }
  const rename = async ({ name, from }: { name: string; from: string }, contact: Contact): Promise<Contact> => {
    if (contact.name !== from) throw new RenamedElsewhere(contact)
    try {
      return await call(contactsApi.update, { params, body: { name, version: contact.version } })
    } catch (error) {
      const current = staleRecord(error, contactsApi.update)
      if (!current || current.version === contact.version) throw error
      return rename({ name, from }, current)
    }
  }
  return useChange({
    run: async (names: { name: string; from: string }) => rename(names, await call(contactsApi.read, { params })),
    onSuccess: ({ name }) => {
      conversationRecords.amend(client, conversationId, (conversation) => ({
        ...conversation,
        contact: { ...conversation.contact, name },
      }))
      return Promise.all(contactReaders.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}

/** Begins the conversation with a contact, or finds it. */
export function useOpenConversation() {
  const client = useQueryClient()
  return useChange({
    again: 'queued',
    run: (contactId: string, intent) => call(conversationsApi.open, { body: { contactId }, ...intent }),
    onSuccess: (conversation) => client.setQueryData(conversationKeys.one(conversation.id), conversation),
  })
}

interface Draft {
  readonly conversationId: string
  readonly content: MessageContent
  readonly post: (intent: Intent) => Promise<Message>
}

/** Sends: the message stands in the thread at once and leaves it again if it cannot be sent. One follows the other. */
function useSending(id: string) {
  const client = useQueryClient()
  return useChange({
    scope: `${conversationRecords.scopeOf(id)}/messages`,
    again: 'queued',
    run: ({ post }: Draft, intent) => post(intent),
    onStart: ({ conversationId, content }) => {
      const waiting: Message = {
        id: `local-${crypto.randomUUID()}`,
        conversationId,
        direction: 'outbound',
        content,
        status: 'queued',
        cause: { kind: 'member', id: 'me' },
        sentAt: new Date().toISOString(),
      }
      putMessage(client, waiting)
      return waiting
    },
    onSuccess: (message, { conversationId }, waiting) => {
      putMessage(client, message, waiting.id)
      const at = message.sentAt
      const text = 'text' in message.content ? message.content.text.replaceAll(/\s+/g, ' ').slice(0, 300) : ''
      conversationRecords.amend(client, conversationId, (conversation) => ({
        ...conversation,
        lastMessage: { text, direction: 'outbound', status: message.status ?? 'sent', at },
        history: { ...conversation.history, messages: conversation.history.messages + 1, lastActiveAt: at },
      }))
      raiseConversation(client, conversationId)
      return Promise.all([
        readThreadAgain(client, conversationId),
        client.invalidateQueries({ queryKey: contactKeys.all }),
      ])
    },
    onError: (error, _draft, waiting) => {
      if (waiting) removeMessage(client, waiting)
      toast.error(explain(error, 'The message could not be sent. Your text is kept.'))
    },
  })
}

/** @returns a function that sends a text and rejects if that failed; the person has been told by then. */
export function useSendText(id: string): (text: string) => Promise<unknown> {
  const { mutateAsync } = useSending(id)
  return (text) =>
    mutateAsync({
      conversationId: id,
      content: { type: 'text', text },
      post: (intent) =>
        call(conversationsApi.send, {
          params: { id },
          body: { content: { type: 'text', text } },
          ...intent,
        }).then(({ message }) => message),
    })
}

/** @returns a function that sends a template with its values. */
export function useSendTemplate(id: string): (template: Template, values: Record<string, string>) => Promise<unknown> {
  const { mutateAsync } = useSending(id)
  return (template, values) =>
    mutateAsync({
      conversationId: id,
      content: {
        type: 'template',
        templateId: template.id,
        name: template.name,
        text: fillPlaceholders(template.body, values),
      },
      post: (intent) =>
        call(conversationsApi.sendTemplate, {
          params: { id },
          body: { templateId: template.id, values },
          ...intent,
        }).then(({ message }) => message),
    })
}
