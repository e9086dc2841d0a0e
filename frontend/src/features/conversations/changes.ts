import { contactsApi } from '@parley/contracts/contacts'
import { type Conversation, conversationsApi, type Message, type MessageContent } from '@parley/contracts/conversations'
import { fillPlaceholders } from '@parley/contracts/placeholders'
import type { Template } from '@parley/contracts/templates'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/api.ts'
import { campaignKeys, choiceKeys, contactKeys, conversationKeys } from '../../lib/query-keys.ts'
import { toast } from '../../ui/toast.ts'
import {
  patchConversation,
  putMessage,
  raiseConversation,
  readThreadAgain,
  removeMessage,
  restore,
  showAsRead,
  takeSnapshot,
} from './cache.ts'

const messageOf = (error: unknown, fallback: string) =>
  (error instanceof ApiError ? error.body.message : undefined) ?? fallback

/** A change that shows at once, and goes again with a word if the server does not take it. */
function useInstantChange<V>({
  run,
  show,
  failed,
}: {
  run: (change: V, client: QueryClient) => Promise<unknown>
  show: (client: QueryClient, change: V) => void
  failed: string
}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: V) => run(change, client),
    onMutate: (change) => {
      const before = takeSnapshot(client)
      show(client, change)
      return before
    },
    onError: (error, _change, before) => {
      if (before) restore(client, before)
      toast.error(messageOf(error, failed))
    },
  })
}

export const useMarkRead = () =>
  useInstantChange({
    run: (id: string) => call(conversationsApi.update, { params: { id }, body: { read: true } }),
    show: showAsRead,
    failed: 'The conversation could not be marked as read.',
  })

type Change = { id: string } & Partial<Pick<Conversation, 'status' | 'owner'>>

export const useChangeConversation = () =>
  useInstantChange({
    run: ({ id, ...body }: Change) => call(conversationsApi.update, { params: { id }, body }),
    show: (client, { id, ...change }) =>
      patchConversation(
        client,
        (conversation) => conversation.id === id,
        (conversation) => ({ ...conversation, ...change }),
      ),
    failed: 'The conversation could not be changed. Try again.',
  })

type ContactChange = { id: string; name?: string; tags?: string[] }

/** A contact's name or tags; every screen that shows the contact reads it anew. */
export const useChangeContact = () =>
  useInstantChange({
    run: async ({ id, ...body }: ContactChange, client) => {
      const { version } = await call(contactsApi.read, { params: { id } })
      await call(contactsApi.update, { params: { id }, body: { ...body, version } })
      await Promise.all(
        [contactKeys.all, campaignKeys.all, choiceKeys.tags].map((queryKey) => client.invalidateQueries({ queryKey })),
      )
    },
    show: (client, { id, ...change }) =>
      patchConversation(
        client,
        ({ contact }) => contact.id === id,
        (conversation) => ({ ...conversation, contact: { ...conversation.contact, ...change } }),
      ),
    failed: 'The contact could not be changed. Try again.',
  })

/** Begins the conversation with a contact, or finds it. */
export function useOpenConversation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (contactId: string) => call(conversationsApi.open, { body: { contactId } }),
    onSuccess: (conversation) => client.setQueryData(conversationKeys.one(conversation.id), conversation),
  })
}

interface Draft {
  readonly conversationId: string
  readonly content: MessageContent
  readonly post: () => Promise<Message>
}

/** Sends: the message stands in the thread at once and leaves it again if it cannot be sent. */
function useSending() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ post }: Draft) => post(),
    onMutate: ({ conversationId, content }) => {
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
      patchConversation(
        client,
        ({ id }) => id === conversationId,
        (conversation) => ({
          ...conversation,
          lastMessage: { text, direction: 'outbound', status: message.status ?? 'sent', at },
          history: { ...conversation.history, messages: conversation.history.messages + 1, lastActiveAt: at },
        }),
      )
      raiseConversation(client, conversationId)
      return Promise.all([
        readThreadAgain(client, conversationId),
        client.invalidateQueries({ queryKey: contactKeys.all }),
      ])
    },
    onError: (error, _draft, waiting) => {
      if (waiting) removeMessage(client, waiting)
      toast.error(messageOf(error, 'The message could not be sent. Your text is kept.'))
    },
  })
}

/** @returns a function that sends a text and rejects if that failed; the person has been told by then. */
export function useSendText(id: string): (text: string) => Promise<unknown> {
  const { mutateAsync } = useSending()
  return (text) =>
    mutateAsync({
      conversationId: id,
      content: { type: 'text', text },
      post: () => call(conversationsApi.send, { params: { id }, body: { text } }),
    })
}

/** @returns a function that sends a template with its values. */
export function useSendTemplate(id: string): (template: Template, values: Record<string, string>) => Promise<unknown> {
  const { mutateAsync } = useSending()
  return (template, values) =>
    mutateAsync({
      conversationId: id,
      content: {
        type: 'template',
        templateId: template.id,
        name: template.name,
        text: fillPlaceholders(template.body, values),
      },
      post: () => call(conversationsApi.sendTemplate, { params: { id }, body: { templateId: template.id, values } }),
    })
}
