import { z } from 'zod'
import { memberChangeSchema } from '../account/members.ts'
import { campaignStatuses } from '../campaigns/campaigns.ts'
import { nameStatuses, numberQualities, numberStatuses } from '../channel/numbers.ts'
import { maxAttributes } from '../contacts/contact-attributes.ts'
import { contactSchema } from '../contacts/contacts.ts'
import { maxTags, tagNameSchema } from '../contacts/tags.ts'
import { countSchema, idSchema, timeSchema } from '../core/records.ts'
import { conversationSchema } from '../inbox/conversations.ts'
import { messageDirections, messageStatuses } from '../inbox/messages.ts'
import { templateCategories, templateStatuses } from '../templates/templates.ts'
import { planIds } from '../usage/plans.ts'
import { saidSchema } from './event-snapshots.ts'
import { sampleDataStateSchema } from './sample-data.ts'

/** States of an outbound webhook that its workspace is notified of. */
const webhookTurns = ['failing', 'recovered', 'disabled', 'given_up'] as const

const fieldValueSchema = z.string().max(1000).nullable()

const memberEvents = {
  /** Membership as it is after a change. */
  'member.changed': memberChangeSchema,
  /** A member is available or away: who is away is read again. */
  'availability.changed': z.object({ userId: idSchema }),
}

/** Effects of a change of a contact. */
const contactBecameSchema = z.object({
  created: z.literal(true).optional(),
  tagsAdded: z.array(tagNameSchema).max(maxTags).optional(),
  tagsRemoved: z.array(tagNameSchema).max(maxTags).optional(),
  /** `null`: no value. */
  fields: z
    .array(z.object({ name: z.string().max(64), before: fieldValueSchema, after: fieldValueSchema }))
    .max(2 * maxAttributes)
    .optional(),
  consent: contactSchema.shape.optIn.shape.marketing.optional(),
})

/** Conversations of two contacts at one number, as a merge or its undoing has left them. */
const mergedThreadSchema = z.object({
  keptId: idSchema,
  otherId: idSchema,
  /** Epoch of both from now on. */
  epoch: countSchema,
  /** The one that automations have; absent where none has either. */
  session: z.enum(['kept', 'other']).optional(),
})
export type MergedThread = z.infer<typeof mergedThreadSchema>

/** A contact as lists show it, or that it is gone; of a change of many at once only that lists are to be read again. */
const contactEvents = {
  'contact.changed': z.object({
    contact: contactSchema,
    /** Effects of this change; only where automations are active. */
    became: contactBecameSchema.optional(),
  }),
  /** A contact was changed together with many others: for automations alone, where they are active. Lists follow `contacts.changed`. */
  'contact.bulk_changed': z.object({
    /** Absent for browsers, and once the person is erased. */
    did: contactBecameSchema.optional(),
  }),
  /** A person was erased: whatever was kept of these conversations goes. */
  'contact.erased': z.object({ contactId: idSchema, conversationIds: z.array(idSchema).max(1000) }),
  'contact.removed': z.object({ contactId: idSchema, version: z.number().int().positive() }),
  'contacts.changed': z.object({ count: countSchema }),
  /** Two contacts have become one, or two again; or their messages are all in one thread now: threads are read again. */
  'contact.merged': z.object({
    contactId: idSchema,
    otherId: idSchema,
    /** Set where they are two again; absent in events of older versions. */
    back: z.literal(true).optional(),
    /** Conversations that this change has joined or separated; absent where it has moved their messages, and in events of older versions. */
    threads: z.array(mergedThreadSchema).max(500).optional(),
  }),
  /** A field of contacts was defined, changed or removed: fields are read again. */
  'attribute.changed': z.object({ attributeId: idSchema }),
  /** A tag has another colour: tags are read again. */
  'tag.changed': z.object({ tag: z.string().max(40) }),
  /** A segment was saved, changed or deleted: segments are read again. */
  'segment.changed': z.object({ segmentId: idSchema }),
  /** A view of a list was saved, changed or deleted: views are read again. */
  'view.changed': z.object({ viewId: idSchema }),
  /** An import has progressed, or is in another state: it is read again. */
  'import.changed': z.object({ importId: idSchema }),
  /** A job over contacts has begun or ended: jobs are read again. */
  'contact_job.changed': z.object({ jobId: idSchema }),
  /** Sample data was loaded or cleared: everything is to be read again. */
  'sample_data.changed': sampleDataStateSchema,
}

/** Conversations and messages: what lists show of them, and what has changed in a thread. */
const inboxEvents = {
  'conversation.changed': z.object({
    conversation: conversationSchema,
    /** Effects of this change; `opened` and `closed` only where automations are active. */
    became: z
      .object({
        opened: z.literal(true).optional(),
        closed: z.literal(true).optional(),
        /** It was snoozed: its customer has written, or its time has come. */
        woken: z.literal(true).optional(),
        /** Another owner, or a person's message: what acted under an older epoch acts no more. */
        owned: z
          .object({
            epoch: countSchema,
            reason: z.enum(['assigned', 'replied', 'phone', 'closed', 'bot', 'returned']),
            /** The automation has taken it by this change, also where it has given it back or away by the same one. */
            claimed: z.literal(true).optional(),
            /** The automation has come to its drawn end, and left nobody waiting for a person. */
            completed: z.literal(true).optional(),
            /** Time at which what was closed by this change had begun, or was last opened again. */
            openedAt: timeSchema.optional(),
          })
          .optional(),
      })
      .optional(),
  }),
  'message.changed': z.object({
    messageId: idSchema,
    conversationId: idSchema,
    direction: z.enum(messageDirections),
    status: z.enum(messageStatuses).nullable(),
    /** A new message: an open thread reads what comes after its newest one. */
    created: z.boolean().optional(),
    /** Purpose of an outbound one: `campaign`, `member`; absent in events of older versions. */
    cause: z.string().max(20).optional(),
    /** Id of that campaign or member. */
    causeId: z.string().max(64).optional(),
    /** Absent in events of older versions. */
    numberId: idSchema.optional(),
    /** A step of an outbound message, and when WhatsApp took it; `from` is `null` for one that left elsewhere. Nothing else is one. */
    moved: z
      .object({ from: z.enum(messageStatuses).nullable(), to: z.enum(messageStatuses), at: timeSchema })
      .optional(),
    /** True where it was taken back before it left. */
    takenBack: z.literal(true).optional(),
    /** A new message of the customer, as automations read it; only where they are active. */
    said: saidSchema.optional(),
    /** Set for the answer to a question for a rating: the customer waits for nothing. */
    rated: z.literal(true).optional(),
    /** Set for what WhatsApp reports in a customer's name: nobody has written. */
    notice: z.literal(true).optional(),
  }),
  /** Messages from before a number was connected were added: lists and threads are read again, and nothing else follows. */
  'history.added': z.object({
    messageIds: z.array(idSchema).min(1).max(300),
    /** Additions of these messages to figures; absent in events of older versions. */
    steps: z
      .array(
        z.object({
          numberId: idSchema,
          /** Time at which it was sent. */
          at: timeSchema,
          direction: z.enum(messageDirections),
          from: z.enum(messageStatuses).nullable(),
          to: z.enum(messageStatuses).nullable(),
          created: z.literal(true).optional(),
          notice: z.literal(true).optional(),
        }),
      )
      .max(300)
      .optional(),
  }),
  /** Messages went because they are kept no longer: lists and threads are read again. */
  'messages.removed': z.object({ count: countSchema }),
}

/** A number was connected or removed, or has changed: its quality, its limits, whether it may send. They are read again. */
const numberEvents = {
  'number.changed': z.object({
    numberId: idSchema,
    removed: z.boolean(),
    /** Values that differ from those before. */
    became: z
      .object({
        status: z.object({ before: z.enum(numberStatuses), after: z.enum(numberStatuses) }).optional(),
        quality: z.object({ before: z.enum(numberQualities), after: z.enum(numberQualities) }).optional(),
        nameStatus: z.object({ before: z.enum(nameStatuses), after: z.enum(nameStatuses) }).optional(),
        /** `null` is unlimited. */
        messagingLimit: z.object({ before: countSchema.nullable(), after: countSchema.nullable() }).optional(),
      })
      .optional(),
  }),
}

/** A template has changed, here or at WhatsApp, and is read again; all of them were compared with those at WhatsApp. */
const templateEvents = {
  'template.changed': z.object({
    templateId: idSchema,
    /** The status that WhatsApp has given it with this change. */
    became: z.enum(templateStatuses).optional(),
    /** The category that WhatsApp has announced with this change. */
    announced: z.enum(templateCategories).optional(),
  }),
  'templates.synced': z.object({ changed: countSchema }),
}

/** A campaign was made, or is in another state: it is read again. */
const campaignEvents = {
  'campaign.changed': z.object({
    campaignId: idSchema,
    /** Its status before and after; absent where that is the same. */
    became: z.object({ before: z.enum(campaignStatuses), after: z.enum(campaignStatuses) }).optional(),
  }),
}

/** WhatsApp has reported something of the account; its words are kept with it. */
const accountEvents = {
  'account.changed': z.object({ accountEventId: idSchema, numberId: idSchema.optional() }),
}

/** An outbound webhook was saved, deleted, or is in another state: webhooks are read again. */
const webhookEvents = {
  'webhook.changed': z.object({
    webhookId: idSchema,
    /** `given_up`: a delivery was attempted for the last time. */
    became: z.enum(webhookTurns).optional(),
    /** Time since which it is in this state. */
    since: timeSchema.optional(),
    /** Status of the latest answer; absent where none came. */
    responseStatus: z.number().int().optional(),
    /** Deliveries that wait, or were given up. */
    deliveries: countSchema.optional(),
  }),
}

/** A notification was raised, or a member has read some, on any device: it is read again. */
const notificationEvents = {
  'notification.raised': z.object({ notificationId: idSchema }),
  'notification.read': z.object({ userId: idSchema }),
}

/** The plan was changed, or is nearly used up: what it allows and what is used are read again. */
const usageEvents = {
  'usage.changed': z.object({
    /** The step of the plan that usage has come to. */
    reached: z.union([z.literal(80), z.literal(90), z.literal(100), z.literal('ended')]).optional(),
    /** The plan that counts now, or follows. */
    plan: z.enum(planIds).optional(),
  }),
}

/**
 * Every kind of event and the shape of its `data`, one block for each domain. No message text beyond 300 characters, no secret.
 */
export const eventData = {
  ...memberEvents,
  ...contactEvents,
  ...inboxEvents,
  ...numberEvents,
  ...templateEvents,
  ...campaignEvents,
  ...accountEvents,
  ...webhookEvents,
  ...notificationEvents,
  ...usageEvents,
}
