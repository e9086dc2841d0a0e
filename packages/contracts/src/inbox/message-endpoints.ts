import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, pageOf, pageQueryFields, recordKey, timeSchema } from '../core/records.ts'
import { templateLimits } from '../templates/template-limits.ts'
import { currencySchema, microsSchema } from '../usage/money.ts'
import { conversationSchema } from './conversations.ts'
import { maxMentions, maxMessageLength, messageSchema } from './messages.ts'
import { outgoingContentSchema, outgoingFileSchema } from './outgoing-content.ts'

/** Actions of a person for a message that did not arrive. */
export const messageActions = ['retry', 'send_template', 'fix_number', 'fix_template'] as const

const byMessage = z.object({ id: idSchema, messageId: idSchema })
const clientIdSchema = z.string().min(8).max(64)

/** The message, and the conversation as it is with it. */
const sentSchema = z.object({ message: messageSchema, conversation: conversationSchema })

/** Everything that is known of one message. */
const passportSchema = z.object({
  message: messageSchema,
  waMessageId: z.string().max(200).optional(),
  /** Ids of earlier tries, the oldest first. */
  formerWaMessageIds: z.array(z.string().max(200)).max(10).optional(),
  /** The campaign whose message it is. */
  campaign: z.object({ id: idSchema, name: z.string().max(200) }).optional(),
  /** History of the message, oldest first: statuses, tries, edits. */
  timeline: z.array(z.object({ at: timeSchema, kind: z.string().max(40), text: z.string().max(500) })).max(100),
  pricing: z
    .object({
      billable: z.boolean(),
      category: z.string().max(60),
      type: z.string().max(60).optional(),
      /** Time at which it was delivered, and so charged. */
      chargedAt: timeSchema.optional(),
      /** Price by the workspace's prices of that day; absent where they have none. */
      price: z.object({ micros: microsSchema, currency: currencySchema }).optional(),
    })
    .optional(),
  error: z
    .object({
      /** WhatsApp's code; 0 where it has given none. */
      code: z.number().int(),
      class: z.string().max(40),
      title: z.string().max(200),
      details: z.string().max(1000),
      nextStep: z.string().max(300),
      action: z.enum(messageActions).optional(),
    })
    .optional(),
  /** Data exchanged with WhatsApp, as JSON text; only for people who may see secrets of numbers. */
  exchange: z
    .array(z.object({ at: timeSchema, direction: z.enum(['in', 'out']), body: z.string().max(20_000) }))
    .max(20)
    .optional(),
})
export type Passport = z.infer<typeof passportSchema>

const searchHitSchema = z.object({
  message: messageSchema,
  conversation: conversationSchema.pick({ id: true, contact: true, status: true }),
})

/** Messages of a conversation. */
export const messagesApi = {
  list: defineEndpoint({
    operation: 'conversations.messages',
    method: 'GET',
    path: '/api/conversations/:id/messages',
    access: 'session',
    permission: 'conversations:read',
    v1: true,
    tool: 'Read the thread of a conversation, the newest messages first.',
    summary:
      'Messages of a conversation: newest page first, oldest first within a page. `nextCursor` leads to older ones.',
    params: byId,
    query: z.object({
      limit: pageQueryFields.limit,
      cursor: pageQueryFields.cursor,
      /** Reads the messages after this one, the oldest first, as many as `limit`. */
      after: idSchema.optional(),
      /** Reads the page around this message. */
      around: idSchema.optional(),
    }),
    status: 200,
    response: pageOf(messageSchema),
    errors: ['not_found'],
  }),
  send: defineEndpoint({
    operation: 'conversations.send',
    method: 'POST',
    path: '/api/conversations/:id/messages',
    access: 'session',
    permission: 'conversations:write',
    audit: 'none',
    v1: true,
    tool: 'Reply in a conversation whose 24-hour window is open.',
    summary: 'Sends a message in the conversation, now or at a time within 30 days.',
    params: byId,
    body: z.object({
      content: outgoingContentSchema,
      /** Chosen by the page: the same id twice is the same message. */
      clientId: clientIdSchema.optional(),
      replyTo: idSchema.optional(),
      sendAt: timeSchema.optional(),
    }),
    status: 201,
    response: sentSchema,
    errors: ['not_found', 'window_closed', 'wrong_state'],
  }),
  sendTemplate: defineEndpoint({
    operation: 'conversations.sendTemplate',
    method: 'POST',
    path: '/api/conversations/:id/templates',
    access: 'session',
    permission: 'conversations:write',
    audit: 'none',
    v1: true,
    tool: 'Write in a conversation whose 24-hour window is closed: send an approved template.',
    summary: 'Sends an approved template in the conversation, even when its window is closed.',
    params: byId,
    body: z.object({
      templateId: idSchema,
      /** Placeholder → its value. */
      values: z.record(recordKey, z.string().trim().min(1).max(templateLimits.value)),
      clientId: clientIdSchema.optional(),
    }),
    status: 201,
    response: sentSchema,
    errors: ['not_found', 'template_not_approved', 'wrong_state', 'quota_reached'],
  }),
  note: defineEndpoint({
    operation: 'conversations.note',
    method: 'POST',
    path: '/api/conversations/:id/notes',
    access: 'session',
    permission: 'conversations:write',
    audit: 'none',
    summary:
      'Writes a note for colleagues; the customer never sees it. Members whom it mentions are notified, unless they may not see the conversation.',
    params: byId,
    body: z
      .object({
        text: z.string().trim().min(1).max(maxMessageLength).optional(),
        /** File in place of a text: its words are its caption. */
        file: outgoingFileSchema.optional(),
        clientId: clientIdSchema.optional(),
        /** User ids of members. */
        mentions: z.array(idSchema).max(maxMentions).optional(),
      })
      .refine(({ text, file }) => (text === undefined) !== (file === undefined), {
        path: ['text'],
        message: 'Write a text, or choose one file',
      }),
    status: 201,
    response: sentSchema,
    errors: ['not_found'],
  }),
  retry: defineEndpoint({
    operation: 'conversations.retry',
    method: 'POST',
    path: '/api/conversations/:id/messages/:messageId/retry',
    access: 'session',
    permission: 'conversations:write',
    audit: 'none',
    summary: 'Resends a message that failed or is not confirmed.',
    params: byMessage,
    status: 200,
    response: sentSchema,
    errors: ['not_found', 'wrong_state', 'window_closed', 'quota_reached'],
  }),
  cancel: defineEndpoint({
    operation: 'conversations.cancel',
    method: 'POST',
    path: '/api/conversations/:id/messages/:messageId/cancel',
    access: 'session',
    permission: 'conversations:write',
    audit: 'none',
    summary: 'Cancels a message that has not been sent yet.',
    params: byMessage,
    status: 200,
    response: sentSchema,
    errors: ['not_found', 'wrong_state'],
  }),
  react: defineEndpoint({
    operation: 'conversations.react',
    method: 'PUT',
    path: '/api/conversations/:id/messages/:messageId/reaction',
    access: 'session',
    permission: 'conversations:write',
    audit: 'none',
    summary: 'Reacts to a message of the customer; an empty emoji removes the reaction.',
    params: byMessage,
    body: z.object({ emoji: z.string().max(16) }),
    status: 200,
    response: messageSchema,
    errors: ['not_found', 'window_closed', 'wrong_state'],
  }),
  passport: defineEndpoint({
    operation: 'conversations.passport',
    method: 'GET',
    path: '/api/conversations/:id/messages/:messageId/passport',
    access: 'session',
    permission: 'conversations:read',
    summary: 'Details of one message: its cause, ids, states, price and error.',
    params: byMessage,
    status: 200,
    response: passportSchema,
    errors: ['not_found'],
  }),
  search: defineEndpoint({
    operation: 'conversations.search',
    method: 'GET',
    path: '/api/messages/search',
    access: 'session',
    permission: 'conversations:read',
    summary:
      'Messages with these whole words, newest first. A search that runs out of time returns how far back it got.',
    query: z.object({
      q: z.string().trim().min(2).max(100),
      cursor: pageQueryFields.cursor,
      conversation: idSchema.optional(),
    }),
    status: 200,
    response: z.object({
      items: z.array(searchHitSchema).max(50),
      /** Continues the search further back; null where everything was searched. */
      nextCursor: z.string().max(512).nullable(),
      /** Time since which everything was searched. */
      searchedTo: timeSchema.nullable(),
    }),
    errors: ['not_found'],
  }),
}
