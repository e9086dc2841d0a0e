import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { type Conversation, conversationsApi } from '@parley/contracts/inbox/conversations'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { campaignKeys, choiceKeys, contactKeys, conversationKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { useChange } from '../../lib/use-change.ts'
import { useRecordChange } from '../../lib/use-record-change.ts'
import { countAsRead, receiveConversation } from './cache.ts'
import { conversationRecords } from './records.ts'

/** Marks the conversation as read up to a message; `true`: all of it. */
export const useMarkRead = (id: string) =>
  useRecordChange<Conversation, string | true>({
    records: conversationRecords,
    id,
    patch: () => (conversation) => ({ ...conversation, unreadCount: 0 }),
    run: (upTo, intent) => {
      const read = upTo === true ? upTo : { upTo }
      return call(conversationsApi.update, { params: { id }, body: { read }, ...intent })
    },
    answered: (conversation) => conversation,
    also: (client) => countAsRead(client, id),
    failed: 'The conversation could not be marked as read.',
    invalidates: [conversationKeys.summary],
  })

/** Marks the conversation as unread, for later. */
export const useMarkUnread = (id: string) =>
  useRecordChange<Conversation, undefined>({
    records: conversationRecords,
    id,
    patch: () => (conversation) => ({ ...conversation, unreadCount: Math.max(1, conversation.unreadCount) }),
    run: (_, intent) => call(conversationsApi.update, { params: { id }, body: { read: false }, ...intent }),
    answered: (conversation) => conversation,
    failed: 'The conversation could not be marked as unread.',
    invalidates: [conversationKeys.summary],
  })

export type Change = Partial<Pick<Conversation, 'status' | 'owner' | 'snoozedUntil'>>

/** A member, or nobody: a bot begins a session where it is given one, and does not get back what it had. */
const ownerOf = ({ kind, ...owner }: Conversation['owner']) =>
  kind === 'member' ? { kind, ...owner } : { kind: 'nobody' as const }

/** Opens, snoozes, closes or assigns the conversation. */
export const useChangeConversation = (id: string) =>
  useRecordChange<Conversation, Change>({
    records: conversationRecords,
    id,
    patch:
      ({ owner, ...change }) =>
      (conversation) => ({
        ...conversation,
        ...change,
        ...(owner && { owner: ownerOf(owner) }),
        // Closing frees it.
        ...(change.status === 'closed' && { owner: { kind: 'nobody' } }),
      }),
    run: ({ owner, ...change }, intent, client) => {
      const version = conversationRecords.newest(client, id)?.version
      const body = { ...change, ...(owner && { owner: ownerOf({ kind: owner.kind, id: owner.id }), version }) }
      return call(conversationsApi.update, { params: { id }, body, ...intent })
    },
    answered: (conversation) => conversation,
    // Lists that have it not yet take it in, as after an event: one that was closed and is open again.
    onSuccess: (conversation, _change, client) => receiveConversation(client, conversation),
    failed: 'The conversation could not be changed. Try again.',
    invalidates: [conversationKeys.summary],
  })

/** Queries that show the contact outside the inbox. */
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

/** A contact of which somebody else has changed what the person set out to change. */
export class ChangedElsewhere extends Error {
  readonly current: Contact

  constructor(current: Contact) {
    super('The contact was changed elsewhere.')
    this.current = current
  }
}

type ContactFields = Omit<EndpointRequest<typeof contactsApi.update>['body'], 'version'>
interface ContactChange {
  /** Tells whether the contact still has what the person saw. */
  readonly isAsSeen: (contact: Contact) => boolean
  readonly fieldsOf: (contact: Contact) => ContactFields
}

/** Changes a contact as it is now: whatever else was changed of it meanwhile stays. @throws ChangedElsewhere. */
async function changeContact(contact: Contact, change: ContactChange): Promise<Contact> {
  if (!change.isAsSeen(contact)) throw new ChangedElsewhere(contact)
  try {
    const body = { ...change.fieldsOf(contact), version: contact.version }
    return await call(contactsApi.update, { params: { id: contact.id }, body })
  } catch (error) {
    const current = staleRecord(error, contactsApi.update)
    if (!current || current.version === contact.version) throw error
    return changeContact(current, change)
  }
}

/** Renames the contact. @throws ChangedElsewhere unless its name is still `from`. */
export function useRenameContact(conversationId: string, contactId: string) {
  const client = useQueryClient()
  const params = { id: contactId }
  return useChange({
    run: async ({ name, from }: { name: string; from: string }) =>
      changeContact(await call(contactsApi.read, { params }), {
        isAsSeen: (contact) => contact.name === from,
        fieldsOf: () => ({ name }),
      }),
    onSuccess: ({ name }) => {
      conversationRecords.amend(client, conversationId, (conversation) => ({
        ...conversation,
        contact: { ...conversation.contact, name },
      }))
      return Promise.all(contactReaders.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}

/** Changes one field of the contact; an empty value clears it. @throws ChangedElsewhere unless its value is still `from`. */
export function useChangeField(contactId: string) {
  const client = useQueryClient()
  const params = { id: contactId }
  return useChange({
    run: async ({ name, value, from }: { name: string; value: string; from: string }) =>
      changeContact(await call(contactsApi.read, { params }), {
        isAsSeen: ({ attributes }) => (attributes[name] ?? '') === from,
        fieldsOf: ({ attributes: { [name]: _before, ...others } }) => ({
          attributes: { ...others, ...(value !== '' && { [name]: value }) },
        }),
      }),
    onSuccess: (contact) => {
      client.setQueryData(contactKeys.one(contactId), contact)
      return Promise.all(contactReaders.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}

/** Begins the conversation with a contact, or finds it. */
export function useOpenConversation() {
  const client = useQueryClient()
  return useChange({
    again: 'queued',
    run: (body: { contactId: string; numberId?: string }, intent) => call(conversationsApi.open, { body, ...intent }),
    onSuccess: (conversation) => client.setQueryData(conversationKeys.one(conversation.id), conversation),
  })
}
