import { z } from 'zod'
import { contactSchema } from '../contacts/contacts.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema, idSchema, phoneSchema, timeSchema } from '../core/records.ts'
import { automationSettingsSchema } from './bot-settings.ts'
import { flowLookupsSchema } from './flow-lookups.ts'
import { flowKinds } from './flow-summary.ts'
import { actionFactsSchema, actionResultSchema, internalActionSchema } from './internal-actions.ts'

/** Processes that act for bots and workflows. */
const callers = ['automation', 'automation-worker'] as const

export const messagingInternalApi = {
  closed: defineEndpoint({
    operation: 'internal.workspaces.closed',
    method: 'GET',
    path: '/internal/closed-workspaces',
    access: 'service',
    callers,
    summary: 'Workspaces that are being deleted: their automations stand still.',
    status: 200,
    response: z.object({ workspaceIds: z.array(idSchema).max(10_000) }),
    errors: [],
  }),
  due: defineEndpoint({
    operation: 'internal.events.due',
    method: 'GET',
    path: '/internal/events/due',
    access: 'service',
    callers,
    summary: 'Workspaces that have events which automation has not read, of one lane or, for its sweep, of all.',
    query: z.object({ lane: z.coerce.number().int().min(0).max(1023).optional() }),
    status: 200,
    response: z.object({ workspaceIds: z.array(idSchema).max(1000) }),
    errors: [],
  }),
  events: defineEndpoint({
    operation: 'internal.events.list',
    method: 'GET',
    path: '/internal/events',
    access: 'service',
    callers,
    summary:
      'Events of the token’s workspace after a number, in their order; only those with a snapshot, and `contact.erased`, `contact.merged`, `sample_data.changed`.',
    query: z.object({
      /** Event after which to list; absent: nothing is listed, and `head` says where to begin. */
      after: z.coerce.number().int().nonnegative().optional(),
      limit: z.coerce.number().int().min(1).max(100).default(100),
    }),
    status: 200,
    response: z.object({
      /**
       * Events, each to be read by itself with `eventSchema`: one that is not in its shape must not hold up those behind it.
       * `traceparent` is the trace in which it was recorded.
       */
      items: z
        .array(z.looseObject({ seq: z.number().int().positive(), traceparent: z.string().max(200).optional() }))
        .max(100),
      /** Number of the last event that this page has passed: the next `after`. */
      upTo: countSchema,
      head: countSchema,
    }),
    errors: [],
  }),
  history: defineEndpoint({
    operation: 'internal.events.history',
    method: 'GET',
    path: '/internal/events/history',
    access: 'service',
    callers,
    summary:
      'Place in the log of events before the first that was recorded since a moment, from which they are listed.',
    query: z.object({ since: timeSchema }),
    status: 200,
    response: z.object({ after: countSchema, head: countSchema }),
    errors: [],
  }),
  read: defineEndpoint({
    operation: 'internal.events.read',
    method: 'POST',
    path: '/internal/events/read',
    access: 'service',
    callers,
    summary: 'Notes how far automation has read. Conversations that no bot wanted go to assignment.',
    body: z.object({ upTo: countSchema, passed: z.array(idSchema).max(200).default([]) }),
    repeatable: true,
    status: 204,
    errors: [],
  }),
  text: defineEndpoint({
    operation: 'internal.messages.text',
    method: 'GET',
    path: '/internal/messages/:id/text',
    access: 'service',
    callers,
    summary: 'The whole text of an inbound message whose event holds its first 300 characters.',
    params: z.object({ id: idSchema }),
    status: 200,
    response: z.object({ text: z.string().max(10_000) }),
    errors: ['not_found'],
  }),
  eventsOf: defineEndpoint({
    operation: 'internal.events.named',
    method: 'POST',
    path: '/internal/events/named',
    access: 'service',
    callers,
    summary:
      'Events by their ids, as far as they are kept, with the whole texts of messages in them that are still there: for the replay of a run.',
    body: z.object({ ids: z.array(idSchema).max(200) }),
    repeatable: true,
    status: 200,
    response: z.object({
      /** Each to be read by itself with `eventSchema`. */
      items: z.array(z.looseObject({ id: idSchema })).max(200),
      texts: z.array(z.object({ messageId: idSchema, text: z.string().max(10_000) })).max(200),
    }),
    errors: [],
  }),
  actions: defineEndpoint({
    operation: 'internal.actions',
    method: 'POST',
    path: '/internal/actions',
    access: 'service',
    callers,
    summary:
      'Does actions in one transaction, in order, up to the first that is refused; each key once. An empty list asks for the facts.',
    body: z
      .object({
        /** One of both: a run that has no conversation yet names the contact; messages go to the latest one, which is begun where there is none. */
        conversationId: idSchema.optional(),
        contactId: idSchema.optional(),
        /** Epoch under which the run holds the conversation: another one refuses everything but `claim` with `conversation_taken`. */
        epoch: countSchema.optional(),
        by: z.object({ kind: z.enum(['bot', 'workflow']), id: idSchema, runId: idSchema }),
        /** Ids of events that led here. */
        chain: z.array(idSchema).max(16).default([]),
        actions: z.array(internalActionSchema).max(20),
      })
      .refine(
        ({ conversationId, contactId }) => (conversationId === undefined) !== (contactId === undefined),
        'Name a conversation or a contact',
      ),
    bodyLimitBytes: 256 * 1024,
    /** `actionKeys` answer repetitions. */
    repeatable: true,
    status: 200,
    response: z.object({ results: z.array(actionResultSchema).max(20), facts: actionFactsSchema }),
    errors: ['not_found', 'idempotency_key_reused'],
  }),
  contacts: defineEndpoint({
    operation: 'internal.contacts',
    method: 'POST',
    path: '/internal/contacts',
    access: 'service',
    callers,
    summary: 'Contacts by ids, by a phone number, or of a segment in the order of their ids, that flows may act on.',
    body: z.object({
      of: z.union([
        z.object({ ids: z.array(idSchema).max(100) }),
        /** `create`: makes a contact, or brings a deleted one back, where none has the number. */
        z.object({ phone: phoneSchema, create: z.object({ name: z.string().max(120) }).optional() }),
        z.object({
          segmentId: idSchema,
          /** Id behind which to go on; empty: at the first. */
          after: z.string().max(64),
          /** Last id that is looked at: contacts that are made later are left out. */
          upTo: idSchema,
          limit: z.number().int().min(1).max(100),
          /** Asks for the number of all, too. */
          count: z.boolean().optional(),
        }),
      ]),
    }),
    repeatable: true,
    status: 200,
    response: z.object({
      /** Ids that were looked at, in their order; of a segment fewer than `limit` at its end. */
      ids: z.array(idSchema).max(100),
      /** Contacts among them that are in lists and have an address. */
      items: z.array(contactSchema).max(100),
      total: countSchema.optional(),
    }),
    errors: ['not_found'],
  }),
  lookups: defineEndpoint({
    operation: 'internal.lookups',
    method: 'POST',
    path: '/internal/lookups',
    access: 'service',
    callers,
    summary:
      'What publishing checks a flow against: numbers, fields, and the templates that it names. Also opening hours, and whether there is sample data.',
    body: z.object({
      templateIds: z.array(idSchema).max(200).default([]),
      /** Ids at WhatsApp. */
      formIds: z.array(z.string().min(1).max(64)).max(200).default([]),
    }),
    repeatable: true,
    status: 200,
    response: flowLookupsSchema,
    errors: [],
  }),
  automationState: defineEndpoint({
    operation: 'internal.automationState',
    method: 'PUT',
    path: '/internal/automation-state',
    access: 'service',
    callers,
    summary:
      'Says at which numbers bots are active: from its commit on, events carry facts, and assignment waits for the bot there.',
    body: z.object({
      active: z.boolean(),
      /** Numbers with an active bot; absent: all. */
      numberIds: z.array(idSchema).max(500).optional(),
      /** Hours without a person's message after which a conversation is the bots' again; absent: once it is closed. */
      returnHours: automationSettingsSchema.shape.returnHours,
      /** Rises with every change: an older one is ignored. */
      routingVersion: countSchema,
    }),
    repeatable: true,
    status: 204,
    errors: [],
  }),
  botFailures: defineEndpoint({
    operation: 'internal.botFailures',
    method: 'POST',
    path: '/internal/bot-failures',
    access: 'service',
    callers,
    summary: 'Notifies members that a bot could not go on by itself: once a day for each bot, whatever follows.',
    body: z.object({
      /** Absent where no bot came to know of a message. */
      bot: z
        .object({
          id: idSchema,
          kind: z.enum(flowKinds).default('bot'),
          name: z.string().min(1).max(120),
          sample: z.literal(true).optional(),
        })
        .optional(),
      /** Why, as the attention list says it. */
      sentence: z.string().min(1).max(500),
      at: timeSchema,
    }),
    repeatable: true,
    status: 204,
    errors: [],
  }),
}
