import { z } from 'zod'
import { contactSchema } from '../contacts/contacts.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, pageOf, pageQueryFields, storedFields, timeSchema } from '../core/records.ts'
import { inboxViews } from './inbox-summary.ts'
import { messageDirections, messageStatuses } from './messages.ts'

export const conversationStatuses = ['open', 'snoozed', 'closed'] as const

export const conversationSchema = z.object({
  ...storedFields,
  /** The customer as the inbox shows them; the whole record is `contactsApi.read`. */
  contact: z.object({
    id: contactSchema.shape.id,
    name: contactSchema.shape.name,
    phone: contactSchema.shape.phone,
    tags: contactSchema.shape.tags,
    username: contactSchema.shape.username,
    blocked: contactSchema.shape.blocked.optional(),
    /** Set where the customer wants no marketing. */
    optedOut: z.boolean().optional(),
  }),
  numberId: idSchema,
  status: z.enum(conversationStatuses),
  owner: z.object({
    kind: z.enum(['member', 'bot', 'workflow', 'nobody']),
    /** User id of a member. */
    id: idSchema.optional(),
    /** Set where the server knows it; otherwise `membersApi.list` returns it. */
    name: z.string().max(120).optional(),
  }),
  unreadCount: countSchema,
  lastMessage: z.object({
    text: z.string().max(300),
    direction: z.enum(messageDirections),
    status: z.enum(messageStatuses).optional(),
    at: timeSchema,
  }),
  /** End of a snooze, unless the customer writes earlier. */
  snoozedUntil: timeSchema.optional(),
  /** End of the time in which free text may be sent; absent or past: templates only. */
  windowExpiresAt: timeSchema.optional(),
  /** Time of the customer's first message that a person has not answered; absent where nobody waits. */
  waitingSince: timeSchema.optional(),
  /** Time by which the response target wants that answered. */
  dueAt: timeSchema.optional(),
  /** Right panel of the inbox. */
  history: z.object({ messages: countSchema, firstContactAt: timeSchema, lastActiveAt: timeSchema }),
})
export type Conversation = z.infer<typeof conversationSchema>

/** Notes that the panel of a conversation shows. */
export const panelNotes = 3

const conversationHistorySchema = z.object({
  /** All messages of the thread, those of campaigns included. */
  messages: countSchema,
  /** Those of campaigns that have left. */
  campaigns: countSchema,
  /** Time of the first message ever, in either direction; null where there is none. */
  firstContactAt: timeSchema.nullable(),
  lastActiveAt: timeSchema.nullable(),
  /** The latest notes about the contact, in any conversation that the caller sees, the newest first. */
  notes: z
    .array(
      z.object({
        id: idSchema,
        conversationId: idSchema,
        at: timeSchema,
        text: z.string().max(300),
        /** User id of its author; absent where an automation has written it. */
        memberId: idSchema.optional(),
      }),
    )
    .max(panelNotes),
})
export type ConversationHistory = z.infer<typeof conversationHistorySchema>

export const inboxSorts = ['newest', 'waiting', 'due', 'window'] as const

const conversationQuerySchema = z.object({
  ...pageQueryFields,
  show: z.enum(inboxViews).optional(),
  /**
   * `waiting`: those that wait for an answer, the longest wait first. `due`: those with a response target, the one that is due first
   * in front. `window`: those whose window is open, the one that closes
   * soonest first.
   */
  sort: z.enum(inboxSorts).optional(),
  /** Keeps conversations whose answer should have been there by now. */
  due: z.literal('overdue').optional(),
  number: idSchema.optional(),
  tag: contactSchema.shape.tags.element.optional(),
  /** A member's user id. */
  owner: idSchema.optional(),
  /** Keeps conversations that this bot has. */
  bot: idSchema.optional(),
  /** Keeps conversations with this contact. */
  contact: idSchema.optional(),
})
export type ConversationQuery = z.input<typeof conversationQuerySchema>

export const conversationsApi = {
  list: defineEndpoint({
    operation: 'conversations.list',
    method: 'GET',
    path: '/api/conversations',
    access: 'session',
    permission: 'conversations:read',
    v1: true,
    tool: 'Find conversations: by view, text, tags or number. Start here when asked about a chat.',
    summary:
      'Conversations, latest message first. `q` finds names by the beginnings of their words, and phone numbers by any part.',
    query: conversationQuerySchema,
    status: 200,
    response: pageOf(conversationSchema),
    errors: ['not_found'],
  }),
  read: defineEndpoint({
    operation: 'conversations.read',
    method: 'GET',
    path: '/api/conversations/:id',
    access: 'session',
    permission: 'conversations:read',
    v1: true,
    tool: 'Read one conversation: who it is with, who has it, whether free text may be sent now.',
    summary: 'One conversation.',
    params: byId,
    status: 200,
    response: conversationSchema,
    errors: ['not_found'],
  }),
  history: defineEndpoint({
    operation: 'conversations.history',
    method: 'GET',
    path: '/api/conversations/:id/history',
    access: 'session',
    permission: 'conversations:read',
    summary: 'How many messages a conversation has, its first and last one, and the latest notes about its contact.',
    params: byId,
    status: 200,
    response: conversationHistorySchema,
    errors: ['not_found'],
  }),
  open: defineEndpoint({
    operation: 'conversations.open',
    method: 'POST',
    path: '/api/conversations',
    access: 'session',
    permission: 'conversations:write',
    audit: 'none',
    summary: 'The conversation with a contact, created if there is none.',
    body: z.object({
      contactId: idSchema,
      /** Number of the workspace that it is with; the latest conversation unless told, a new one from the default number. */
      numberId: idSchema.optional(),
    }),
    status: 200,
    response: conversationSchema,
    errors: ['not_found', 'wrong_state'],
  }),
  update: defineEndpoint({
    operation: 'conversations.update',
    method: 'PATCH',
    path: '/api/conversations/:id',
    access: 'session',
    permission: 'conversations:write',
    audit: 'none',
    v1: true,
    tool: 'Assign a conversation, close it, reopen or snooze it, or mark it as read.',
    summary: 'Marks a conversation read or unread, opens, snoozes, closes or assigns it.',
    params: byId,
    body: z.object({
      /** `{ upTo }`: read as far as this message; what came after it stays unread. */
      read: z.union([z.boolean(), z.object({ upTo: idSchema })]).optional(),
      status: z.enum(conversationStatuses).optional(),
      /** With `status: snoozed`. */
      snoozedUntil: timeSchema.optional(),
      /** A member, the caller unless told, or nobody. Closing frees it by itself. */
      owner: z
        .object({
          kind: z.enum(['member', 'nobody'], 'A bot takes a conversation with POST /api/bots/:id/sessions.'),
          id: idSchema.optional(),
        })
        .optional(),
      /** With an owner: the version that the person saw, so that two do not take it from each other unseen. */
      version: z.number().int().positive().optional(),
    }),
    status: 200,
    response: conversationSchema,
    errors: ['not_found', 'stale_version'],
  }),
  presence: defineEndpoint({
    operation: 'conversations.presence',
    method: 'POST',
    path: '/api/conversations/:id/presence',
    access: 'session',
    permission: 'conversations:read',
    audit: 'none',
    summary:
      'Shows colleagues that the caller is viewing or typing in a conversation. Repeat every few seconds; expires after 10 seconds.',
    params: byId,
    body: z.object({ state: z.enum(['looking', 'typing', 'gone']) }),
    repeatable: true,
    status: 204,
    errors: ['not_found'],
  }),
}
