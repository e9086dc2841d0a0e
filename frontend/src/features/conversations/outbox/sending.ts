import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import type { Message } from '@parley/contracts/inbox/messages'
import type { OutgoingContent, OutgoingFile } from '@parley/contracts/inbox/outgoing-content'
import type { Template } from '@parley/contracts/templates/templates'
import { filledParts, shownHeader } from '@parley/rules/template-parts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../../lib/api.ts'
import { explain } from '../../../lib/explain.ts'
import { useChange } from '../../../lib/use-change.ts'
import { toast } from '../../../ui/toast.ts'
import { receiveConversation } from '../cache.ts'
import type { Waiting } from '../list/waiting.ts'
import { putNews } from '../thread/live-thread.ts'
import { post } from './outbox.ts'

export interface SendOptions {
  readonly replyTo?: string | undefined
  readonly sendAt?: string | undefined
}

/** Sends content in a conversation. Each message shows in the thread at once. */
export function useSending(conversationId: string) {
  const client = useQueryClient()
  return useMemo(
    () => ({
      content: (content: OutgoingContent, shown: Waiting['shown'], options: SendOptions = {}) =>
        post(client, { conversationId, request: { kind: 'message', content, ...options }, shown }),
      /** @param mentions user ids of the members whom it mentions. */
      note: (text: string, mentions: string[]) =>
        post(client, {
          conversationId,
          request: { kind: 'note', text, ...(mentions.length > 0 && { mentions }) },
          shown: { type: 'text', text },
        }),
      /** A note that is a file; its caption may mention members. */
      noteFile: (file: OutgoingFile, shown: Waiting['shown'], mentions: string[]) =>
        post(client, {
          conversationId,
          request: { kind: 'note', file, ...(mentions.length > 0 && { mentions }) },
          shown,
        }),
      template: (template: Template, values: Record<string, string>) => {
        const { id: templateId, name } = template
        const header = shownHeader(template.headerMedia, values)
        const parts = filledParts(template, values)
        const shown = { type: 'template' as const, templateId, name, ...parts, ...(header && { header }) }
        post(client, { conversationId, request: { kind: 'template', templateId, values }, shown })
      },
    }),
    [client, conversationId],
  )
}

/** Retries a message that the server has, or cancels it before it has left. */
export function useMessageChange(what: 'retry' | 'cancel', { id: messageId, conversationId: id }: Message) {
  const client = useQueryClient()
  return useChange({
    run: (_: undefined, intent) => call(messagesApi[what], { params: { id, messageId }, ...intent }),
    onSuccess: ({ message, conversation }) => {
      putNews(client, id, [message])
      receiveConversation(client, conversation)
    },
    onError: (error) =>
      toast.error(
        explain(error, what === 'retry' ? 'The message could not be sent.' : 'The message could not be cancelled.'),
      ),
  })
}

/** Reacts to a message of the customer; an empty emoji takes the reaction back. */
export function useReaction({ id: messageId, conversationId: id }: Message) {
  const client = useQueryClient()
  return useChange({
    run: (emoji: string, intent) => call(messagesApi.react, { params: { id, messageId }, body: { emoji }, ...intent }),
    onSuccess: (message) => putNews(client, id, [message]),
    onError: (error) => toast.error(explain(error, 'The reaction could not be sent.')),
  })
}
