import { z } from 'zod'
import { contactSchema } from './contacts.ts'
import { defineEndpoint } from './endpoint.ts'
import { byId, countSchema, idSchema, pageOf, pageQueryFields, storedFields, timeSchema } from './records.ts'
import { templateSchema } from './templates.ts'

/** What an outbound message has come to; it only ever moves right, and `failed` only where nothing was delivered. */
export const messageStatuses = ['queued', 'sent', 'delivered', 'read', 'failed'] as const
export type MessageStatus = (typeof messageStatuses)[number]

export const messageDirections = ['inbound', 'outbound', 'note'] as const

/** Limit of the platform for a text message. */
export const maxMessageLength = 4096

/** Limit of the platform for the text under a picture, film or document. */
export const maxCaptionLength = 1024

const mediaFields = {
  /** Where the page reads it: `/api/media/<id>`; empty while it is fetched from WhatsApp, or where that failed. */
  url: z.string().max(2048),
  mediaId: idSchema.optional(),
  /** Absent once it can be read. */
  state: z.enum(['loading', 'expired', 'failed']).optional(),
  mimeType: z.string().max(100),
  sizeBytes: countSchema,
  /** Pixels, of pictures and films. */
  width: countSchema.optional(),
  height: countSchema.optional(),
  caption: z.string().max(maxCaptionLength).optional(),
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
  z.object({
    type: z.literal('system'),
    text: z.string().max(300),
    /** Of an activity line: what its `cause` has done, for a page that knows the names of members. */
    activity: z
      .object({
        kind: z.enum(['assigned', 'unassigned', 'closed', 'reopened', 'snoozed', 'woken']),
        /** To whom it was given: the user's id. */
        member: idSchema.optional(),
        until: timeSchema.optional(),
      })
      .optional(),
  }),
  z.object({ type: z.literal('unsupported') }),
])
export type MessageContent = z.infer<typeof messageContentSchema>

/**
 * What a person sends. Media was uploaded before (`mediaApi.upload`). `text` with a `*bold*` word stays as typed: WhatsApp shows it.
 */
export const outgoingContentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().trim().min(1).max(maxMessageLength) }),
  ...(['image', 'video', 'document'] as const).map((type) =>
    z.object({
      type: z.literal(type),
      mediaId: idSchema,
      caption: z.string().trim().max(maxCaptionLength).optional(),
      /** Documents: the name that the customer sees. */
      fileName: z.string().trim().min(1).max(240).optional(),
    }),
  ),
  ...(['audio', 'sticker'] as const).map((type) => z.object({ type: z.literal(type), mediaId: idSchema })),
  z.object({
    type: z.literal('location'),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    name: z.string().trim().max(200).optional(),
    address: z.string().trim().max(300).optional(),
  }),
])
export type OutgoingContent = z.infer<typeof outgoingContentSchema>

/** How far the sending of an outbound message has come, where its status does not tell. */
export const dispatchStates = ['queued', 'held', 'sending', 'accepted', 'failed', 'uncertain', 'cancelled'] as const

export const messageSchema = z.object({
  id: idSchema,
  conversationId: idSchema,
  /** Rises with every change of the message; absent on what the page shows before the server has answered. */
  version: z.number().int().positive().optional(),
  /** The id that the sender's page gave it. */
  clientId: z.string().max(64).optional(),
  direction: z.enum(messageDirections),
  /** `system` in a note is an activity line: who did what. */
  content: messageContentSchema,
  /** Outbound only. */
  status: z.enum(messageStatuses).optional(),
  /** When it reached each status. */
  statusAt: z.partialRecord(z.enum(messageStatuses), timeSchema).optional(),
  /** Outbound only. `uncertain`: nobody can tell whether it left; it is never sent again by itself. */
  dispatch: z.enum(dispatchStates).optional(),
  /** A scheduled message leaves then. */
  sendAt: timeSchema.optional(),
  reactions: z
    .array(z.object({ by: z.enum(['customer', 'member']), emoji: z.string().max(16), at: timeSchema }))
    .max(10)
    .optional(),
  /** The customer has changed or deleted it. A deleted one keeps its place, without its content. */
  editedAt: timeSchema.optional(),
  deletedAt: timeSchema.optional(),
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
    username: contactSchema.shape.username,
    blocked: contactSchema.shape.blocked.optional(),
  }),
  numberId: idSchema,
  status: z.enum(conversationStatuses),
  owner: z.object({
    kind: z.enum(['member', 'bot', 'nobody']),
    /** Of a member: the user's id. */
    id: idSchema.optional(),
    /** Where the server knows it; else `membersApi.list` tells it. */
    name: z.string().max(120).optional(),
  }),
  unreadCount: countSchema,
  lastMessage: z.object({
    text: z.string().max(300),
    direction: z.enum(messageDirections),
    status: z.enum(messageStatuses).optional(),
    at: timeSchema,
  }),
  /** Snoozed: until then, or until the customer writes. */
  snoozedUntil: timeSchema.optional(),
  /** Until when free text may be sent; absent or past: templates only. */
  windowExpiresAt: timeSchema.optional(),
  /** Right panel of the inbox (specification section 2, Conversations). */
  history: z.object({ messages: countSchema, firstContactAt: timeSchema, lastActiveAt: timeSchema }),
})
export type Conversation = z.infer<typeof conversationSchema>

export const inboxViews = ['all', 'mine', 'unassigned', 'unread', 'open', 'snoozed', 'closed'] as const
export const inboxSorts = ['newest', 'waiting', 'window'] as const

const conversationQuerySchema = z.object({
  ...pageQueryFields,
  show: z.enum(inboxViews).optional(),
  /**
   * `waiting`: those that wait for an answer, the longest wait first. `window`: those whose window is open, the one that closes
   * soonest first.
   */
  sort: z.enum(inboxSorts).optional(),
  number: idSchema.optional(),
  tag: contactSchema.shape.tags.element.optional(),
  /** A member's user id. */
  owner: idSchema.optional(),
  /** Those with this contact only. */
  contact: idSchema.optional(),
})
export type ConversationQuery = z.input<typeof conversationQuerySchema>

const byMessage = z.object({ id: idSchema, messageId: idSchema })
const clientIdSchema = z.string().min(8).max(64)

/** The message, and the conversation as it is with it. */
const sentSchema = z.object({ message: messageSchema, conversation: conversationSchema })

/** Everything that is known of one message. */
const passportSchema = z.object({
  message: messageSchema,
  waMessageId: z.string().max(200).optional(),
  /** What happened to it, oldest first: statuses, tries, edits. */
  timeline: z.array(z.object({ at: timeSchema, kind: z.string().max(40), text: z.string().max(500) })).max(100),
  pricing: z
    .object({ billable: z.boolean(), category: z.string().max(60), type: z.string().max(60).optional() })
    .optional(),
  error: z
    .object({
      code: z.number().int(),
      class: z.string().max(40),
      title: z.string().max(200),
      details: z.string().max(1000),
      nextStep: z.string().max(300),
    })
    .optional(),
  /** What WhatsApp sent and was sent, as JSON text; for people who may see secrets of numbers only. */
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

export const conversationsApi = {
  list: defineEndpoint({
    operation: 'conversations.list',
    method: 'GET',
    path: '/api/conversations',
    access: 'session',
    permission: 'conversations:read',
    summary:
      'Conversations, the latest message first. `q` finds names by the beginnings of their words, and phone numbers by any part.',
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
    /** `unread` counts messages; the others conversations, as the views of the list show them. */
    response: z.object({
      total: countSchema,
      unread: countSchema,
      open: countSchema,
      views: z.record(z.enum(inboxViews), countSchema).optional(),
    }),
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
    query: z.object({
      limit: pageQueryFields.limit,
      cursor: pageQueryFields.cursor,
      /** Those that come after this message; the oldest of them first, as many as `limit`. */
      after: idSchema.optional(),
      /** The page around this message. */
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
    summary: 'Sends an approved template in the conversation, also when its window is closed.',
    params: byId,
    body: z.object({
      templateId: idSchema,
      /** Placeholder → what stands in its place. */
      values: z.record(z.string().max(64), z.string().trim().min(1).max(200)),
      clientId: clientIdSchema.optional(),
    }),
    status: 201,
    response: sentSchema,
    errors: ['not_found', 'template_not_approved', 'wrong_state'],
  }),
  templates: defineEndpoint({
    operation: 'conversations.templates',
    method: 'GET',
    path: '/api/conversations/templates',
    access: 'session',
    permission: 'conversations:write',
    summary: 'The approved templates that `sendTemplate` takes, the latest changed first, a hundred at most.',
    status: 200,
    response: z.object({ items: z.array(templateSchema).max(100) }),
    errors: [],
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
    errors: ['not_found', 'wrong_state'],
  }),
  update: defineEndpoint({
    operation: 'conversations.update',
    method: 'PATCH',
    path: '/api/conversations/:id',
    access: 'session',
    permission: 'conversations:write',
    summary: 'Marks a conversation read or unread, opens, snoozes or closes it, or hands it to somebody.',
    params: byId,
    body: z.object({
      /** `{ upTo }`: read as far as this message; what came after it stays unread. */
      read: z.union([z.boolean(), z.object({ upTo: idSchema })]).optional(),
      status: z.enum(conversationStatuses).optional(),
      /** With `status: snoozed`. */
      snoozedUntil: timeSchema.optional(),
      owner: conversationSchema.shape.owner.pick({ kind: true, id: true }).optional(),
      /** With an owner: the version that the person saw, so that two do not take it from each other unseen. */
      version: z.number().int().positive().optional(),
    }),
    status: 200,
    response: conversationSchema,
    errors: ['not_found', 'stale_version'],
  }),
  note: defineEndpoint({
    operation: 'conversations.note',
    method: 'POST',
    path: '/api/conversations/:id/notes',
    access: 'session',
    permission: 'conversations:write',
    summary: 'Writes a note for colleagues; the customer never sees it.',
    params: byId,
    body: z.object({ text: z.string().trim().min(1).max(maxMessageLength), clientId: clientIdSchema.optional() }),
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
    summary: 'Sends a message again that failed, or of which nobody can tell whether it left.',
    params: byMessage,
    status: 200,
    response: sentSchema,
    errors: ['not_found', 'wrong_state', 'window_closed'],
  }),
  cancel: defineEndpoint({
    operation: 'conversations.cancel',
    method: 'POST',
    path: '/api/conversations/:id/messages/:messageId/cancel',
    access: 'session',
    permission: 'conversations:write',
    summary: 'Takes back a message that has not left yet.',
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
    summary: 'Reacts to a message of the customer; an empty emoji takes the reaction back.',
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
    summary: 'Everything that is known of one message: its cause, ids, states, price and error.',
    params: byMessage,
    status: 200,
    response: passportSchema,
    errors: ['not_found'],
  }),
  presence: defineEndpoint({
    operation: 'conversations.presence',
    method: 'POST',
    path: '/api/conversations/:id/presence',
    access: 'session',
    permission: 'conversations:read',
    summary:
      'Tells colleagues that one looks at a conversation or types in it. Said again every few seconds; forgotten after 10.',
    params: byId,
    body: z.object({ state: z.enum(['looking', 'typing', 'gone']) }),
    repeatable: true,
    status: 204,
    errors: ['not_found'],
  }),
  search: defineEndpoint({
    operation: 'conversations.search',
    method: 'GET',
    path: '/api/messages/search',
    access: 'session',
    permission: 'conversations:read',
    summary: 'Messages with these whole words, the newest first. A search that takes long says how far back it came.',
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
      /** Everything since then was searched. */
      searchedTo: timeSchema.nullable(),
    }),
    errors: [],
  }),
}
