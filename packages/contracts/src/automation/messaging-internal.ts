import { z } from 'zod'
import { consentSettingsSchema } from '../contacts/consent.ts'
import { attributeSchema } from '../contacts/contact-attributes.ts'
import { contactSchema } from '../contacts/contacts.ts'
import { tagNameSchema } from '../contacts/tags.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema, idSchema, phoneSchema, recordKey, timeSchema } from '../core/records.ts'
import { businessHoursSchema } from '../inbox/opening-hours.ts'
import { outgoingContentSchema } from '../inbox/outgoing-content.ts'
import { snapshotSchema } from '../platform/event-snapshots.ts'
import { sampleDataStateSchema } from '../platform/sample-data.ts'
import { formSummarySchema } from '../templates/forms.ts'
import { templateCategories } from '../templates/templates.ts'
import { assigneeSchema } from './bot-settings.ts'
import { flowKinds } from './flow-summary.ts'

/** Processes that act for bots and workflows. */
const callers = ['automation', 'automation-worker'] as const

/** One question with options: buttons (1–3), or a list that `button` opens (1–10). */
const promptSchema = z.object({
  type: z.literal('interactive'),
  text: z.string().min(1).max(1024),
  button: z.string().min(1).max(20).optional(),
  options: z
    .array(
      z.object({
        /** `<runId>.<inputNo>.<choiceId>`, so that a tap names the question that it answers. */
        id: z.string().min(1).max(256),
        title: z.string().min(1).max(24),
        description: z.string().max(72).optional(),
      }),
    )
    .min(1)
    .max(10),
})

/** A form of the number's account. `token` comes back with its answers as the id of an option does: `<runId>.<inputNo>.form`. */
const formSchema = z.object({
  type: z.literal('form'),
  text: z.string().min(1).max(1024),
  button: z.string().min(1).max(20),
  /** Id at WhatsApp. */
  formId: z.string().min(1).max(64),
  screen: z.string().min(1).max(80).optional(),
  token: z.string().min(1).max(256),
})

/** `<runId>.<inputNo>.<index>`: an action is done once by it. For a message it is the `clientId`. */
const keySchema = z.string().min(8).max(64)

/** One action that a run asks messaging for. Consent, window, quota and limits are decided there and nowhere else. */
const internalActionSchema = z.discriminatedUnion('type', [
  /** Makes the bot the conversation's owner; refused with `conversation_taken` while a person holds it. */
  z.object({ key: keySchema, type: z.literal('claim'), botId: idSchema }),
  /**
   * Ends the bot's ownership. `resolved`: its messages are read. `attention`: the conversation waits for a person from now, and
   * assignment runs.
   */
  z.object({
    key: keySchema,
    type: z.literal('release'),
    resolved: z.boolean().optional(),
    attention: z.boolean().optional(),
  }),
  z.object({
    key: keySchema,
    type: z.literal('send'),
    content: z.union([outgoingContentSchema, promptSchema, formSchema]),
  }),
  z.object({
    key: keySchema,
    type: z.literal('send_template'),
    templateId: idSchema,
    /** Values of its placeholders, filled in already. */
    variables: z.record(recordKey, z.string().max(1024)),
  }),
  z.object({ key: keySchema, type: z.literal('typing') }),
  z.object({
    key: keySchema,
    type: z.literal('set_attribute'),
    attribute: z.string().min(1).max(64),
    value: z.string().max(1000),
  }),
  z.object({ key: keySchema, type: z.literal('add_tag'), tag: tagNameSchema }),
  z.object({ key: keySchema, type: z.literal('remove_tag'), tag: tagNameSchema }),
  /** Gives the conversation to people. The bot may continue in the background under the new epoch, but holds no more. */
  z.object({ key: keySchema, type: z.literal('assign'), to: assigneeSchema }),
  z.object({ key: keySchema, type: z.literal('close') }),
  /** An internal note that members read in the thread. */
  z.object({ key: keySchema, type: z.literal('note'), text: z.string().min(1).max(2000) }),
])
export type InternalAction = z.infer<typeof internalActionSchema>

/** Codes of refusals of one action, which are no errors of the call: the flow leaves by its `failed` branch. */
const resultSchema = z.object({
  key: keySchema,
  outcome: z.enum(['done', 'refused']),
  /** `window_closed`, `conversation_taken`, `not_found`, `quota_reached`, `opted_out`, `blocked`, `validation_failed` … */
  code: z.string().max(60).optional(),
  /** Sentence for the attention list. */
  message: z.string().max(500).optional(),
  messageId: idSchema.optional(),
})

/** Contact and conversation as they are now. */
const factsSchema = z.object({
  epoch: countSchema,
  /** True while a member owns the conversation, or for 24 hours after a colleague wrote from the phone. */
  heldByPerson: z.boolean(),
  snapshot: snapshotSchema,
  now: timeSchema,
})
export type ActionFacts = z.infer<typeof factsSchema>

export const messagingInternalApi = {
  due: defineEndpoint({
    operation: 'internal.events.due',
    method: 'GET',
    path: '/internal/events/due',
    access: 'service',
    callers,
    summary: 'Workspaces that have events which automation has not read, for its sweep.',
    query: z.object({}),
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
      /** Events, each to be read by itself with `eventSchema`: one that is not in its shape must not hold up those behind it. */
      items: z.array(z.looseObject({ seq: z.number().int().positive() })).max(100),
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
    response: z.object({ results: z.array(resultSchema).max(20), facts: factsSchema }),
    errors: ['not_found', 'idempotency_key_reused'],
  }),
  contacts: defineEndpoint({
    operation: 'internal.contacts',
    method: 'POST',
    path: '/internal/contacts',
    access: 'service',
    callers,
    summary:
      'Contacts by their ids, by a phone number, or those of a segment in the order of their ids, that flows may act on.',
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
    response: z.object({
      numbers: z
        .array(z.object({ id: idSchema, name: z.string().max(120), businessAccountId: z.string().max(64) }))
        .max(500),
      fields: z.array(attributeSchema.omit({ version: true })).max(500),
      templates: z
        .array(
          z.object({
            id: idSchema,
            name: z.string().max(512),
            status: z.string().max(40),
            /** Names or numbers of the placeholders to fill in. */
            placeholders: z.array(z.string().max(64)).max(50),
            businessAccountId: z.string().max(64).optional(),
            category: z.enum(templateCategories).optional(),
          }),
        )
        .max(200),
      /** Forms that were named; those that are missing here exist in no account of the workspace. */
      forms: z.array(formSummarySchema).max(200).optional(),
      openingHours: businessHoursSchema,
      /** Words of consent of the workspace, beside those of all languages. */
      consentWords: consentSettingsSchema.pick({ stop: true, stopAll: true, start: true, ignored: true }),
      /** `toldAt`: reference moment of the sample, from which its ids are computed; absent before the first load. */
      sampleData: sampleDataStateSchema.extend({ toldAt: timeSchema.optional() }),
    }),
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
