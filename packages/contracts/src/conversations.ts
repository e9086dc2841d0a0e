import { z } from 'zod'
import { contactSchema } from './contacts.ts'
import { defineEndpoint } from './endpoint.ts'
import { byId, countSchema, idSchema, pageOf, pageQueryFields, storedFields, timeSchema } from './records.ts'

/** What an outbound message has come to; it only ever moves right, and `failed` only where nothing was delivered. */
export const messageStatuses = ['queued', 'sent', 'delivered', 'read', 'failed'] as const
export type MessageStatus = (typeof messageStatuses)[number]

export const messageDirections = ['inbound', 'outbound', 'note'] as const

/** Limit of the platform for a text message. */
export const maxMessageLength = 4096

const mediaFields = {
  url: z.string().max(2048),
  mimeType: z.string().max(100),
  sizeBytes: countSchema,
  caption: z.string().max(1024).optional(),
}

const messageContentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().min(1).max(maxMessageLength) }),
  z.object({ type: z.literal('image'), ...mediaFields }),
  z.object({ type: z.literal('video'), ...mediaFields }),
  z.object({ type: z.literal('audio'), ...mediaFields, voice: z.boolean().optional() }),
  z.object({ type: z.literal('document'), ...mediaFields, fileName: z.string().max(240) }),
  z.object({ type: z.literal('sticker'), ...mediaFields }),
  z.object({
    type: z.literal('location'),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    name: z.string().max(200).optional(),
    address: z.string().max(300).optional(),
  }),
  z.object({
    type: z.literal('contacts'),
    contacts: z.array(z.object({ name: z.string().max(200), phones: z.array(z.string().max(40)).max(10) })).max(10),
  }),
  z.object({
    type: z.literal('interactive'),
    text: z.string().max(1024),
    options: z.array(z.object({ id: z.string().max(256), title: z.string().max(24) })).max(10),
    /** What the customer chose; absent on the question itself. */
    chosen: z.string().max(256).optional(),
  }),
  z.object({
    type: z.literal('template'),
    templateId: idSchema,
    name: z.string().max(512),
    text: z.string().max(2048),
  }),
  z.object({ type: z.literal('reaction'), emoji: z.string().max(16), to: idSchema }),
  z.object({ type: z.literal('system'), text: z.string().max(300) }),
  z.object({ type: z.literal('unsupported') }),
])
export type MessageContent = z.infer<typeof messageContentSchema>

export const messageSchema = z.object({
  id: idSchema,
  conversationId: idSchema,
  direction: z.enum(messageDirections),
  content: messageContentSchema,
  /** Outbound only. */
  status: z.enum(messageStatuses).optional(),
  error: z.object({ code: z.number().int(), title: z.string().max(200), nextStep: z.string().max(300) }).optional(),
  replyTo: idSchema.optional(),
  cause: z.object({
    kind: z.enum(['member', 'campaign', 'bot', 'workflow', 'api', 'customer']),
    id: idSchema,
  }),
  /** The platform's time. */
  sentAt: timeSchema,
})
export type Message = z.infer<typeof messageSchema>

const conversationStatuses = ['open', 'snoozed', 'closed'] as const

export const conversationSchema = z.object({
  ...storedFields,
  /** The customer as the inbox shows them; the whole record is `contactsApi.read`. */
  contact: z.object({
    id: contactSchema.shape.id,
    name: contactSchema.shape.name,
    phone: contactSchema.shape.phone,
    tags: contactSchema.shape.tags,
  }),
  numberId: idSchema,
  status: z.enum(conversationStatuses),
  owner: z.object({
    kind: z.enum(['member', 'bot', 'nobody']),
    id: idSchema.optional(),
    name: z.string().max(120).optional(),
  }),
  unreadCount: countSchema,
  lastMessage: z.object({
    text: z.string().max(300),
    direction: z.enum(messageDirections),
    status: z.enum(messageStatuses).optional(),
    at: timeSchema,
  }),
  /** Until when free text may be sent; absent or past: templates only. */
  windowExpiresAt: timeSchema.optional(),
  /** Right panel of the inbox (specification section 2, Conversations). */
  history: z.object({ messages: countSchema, firstContactAt: timeSchema, lastActiveAt: timeSchema }),
})
export type Conversation = z.infer<typeof conversationSchema>

const conversationQuerySchema = z.object({
  ...pageQueryFields,
  show: z.enum(['all', 'unread', 'open', 'closed']).optional(),
  /** Those with this contact only. */
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
    summary: 'Conversations, the latest message first. `q` searches name, phone number and text.',
    query: conversationQuerySchema,
    status: 200,
    response: pageOf(conversationSchema),
    errors: [],
  }),
  summary: defineEndpoint({
    operation: 'conversations.summary',
    method: 'GET',
    path: '/api/conversations/summary',
    access: 'session',
    permission: 'conversations:read',
    summary: 'Counters of the inbox.',
    status: 200,
    response: z.object({ total: countSchema, unread: countSchema, open: countSchema }),
    errors: [],
  }),
  read: defineEndpoint({
    operation: 'conversations.read',
    method: 'GET',
    path: '/api/conversations/:id',
    access: 'session',
    permission: 'conversations:read',
    summary: 'One conversation.',
    params: byId,
    status: 200,
    response: conversationSchema,
    errors: ['not_found'],
  }),
  messages: defineEndpoint({
    operation: 'conversations.messages',
    method: 'GET',
    path: '/api/conversations/:id/messages',
    access: 'session',
    permission: 'conversations:read',
    summary:
      'Messages of a conversation, the newest page first; within a page oldest first. `nextCursor` leads to older ones.',
    params: byId,
    query: z.object({ limit: pageQueryFields.limit, cursor: pageQueryFields.cursor }),
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
    summary: 'Sends a text in the conversation.',
    params: byId,
    body: z.object({ text: z.string().trim().min(1).max(maxMessageLength) }),
    status: 201,
    response: messageSchema,
    errors: ['not_found', 'window_closed'],
  }),
  sendTemplate: defineEndpoint({
    operation: 'conversations.sendTemplate',
    method: 'POST',
    path: '/api/conversations/:id/templates',
    access: 'session',
    permission: 'conversations:write',
    summary: 'Sends an approved template in the conversation, also when its window is closed.',
    params: byId,
    body: z.object({
      templateId: idSchema,
      /** Placeholder → what stands in its place. */
      values: z.record(z.string().max(64), z.string().trim().min(1).max(200)),
    }),
    status: 201,
    response: messageSchema,
    errors: ['not_found', 'template_not_approved'],
  }),
  open: defineEndpoint({
    operation: 'conversations.open',
    method: 'POST',
    path: '/api/conversations',
    access: 'session',
    permission: 'conversations:write',
    summary: 'The conversation with a contact, begun if there is none yet.',
    body: z.object({ contactId: idSchema }),
    status: 200,
    response: conversationSchema,
    errors: ['not_found'],
  }),
  update: defineEndpoint({
    operation: 'conversations.update',
    method: 'PATCH',
    path: '/api/conversations/:id',
    access: 'session',
    permission: 'conversations:write',
    summary: 'Marks a conversation read or unread, opens or closes it, or hands it to somebody.',
    params: byId,
    body: z.object({
      read: z.boolean().optional(),
      status: z.enum(conversationStatuses).optional(),
      owner: conversationSchema.shape.owner.optional(),
    }),
    status: 200,
    response: conversationSchema,
    errors: ['not_found'],
  }),
}
