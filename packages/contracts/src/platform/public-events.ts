import { z } from 'zod'
import { failureClasses } from '../campaigns/failure-classes.ts'
import { countSchema, idSchema, timeSchema } from '../core/records.ts'
import { messageSchema } from '../inbox/messages.ts'
import type { RecordedEvent } from './events.ts'

/** Events that webhooks and the feed tell of. */
export const webhookEvents = [
  'message.received',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'status.update',
  'account.update',
  'webhook.error',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** An event of the log as the outside knows it, before its records are read. At most three come of one. */
export interface PublicEvent {
  /** `evt_<id of the event>`, `.1` and `.2` for those after the first: the same on every attempt and replay. */
  readonly id: string
  readonly type: WebhookEvent
  readonly timestamp: string
  readonly sequence: number
  readonly workspaceId: string
  /** Number among those of its event. */
  readonly n: number
  readonly conversationId?: string | undefined
  readonly subject: PublicSubject
}

/** The record that a public event is about, with what the log says of it. */
export type PublicSubject =
  | { readonly kind: 'message'; readonly id: string; readonly contactId?: string | undefined; readonly step?: Step }
  | {
      readonly kind: 'number' | 'template' | 'campaign'
      readonly id: string
      readonly field: string
      readonly previous: string | number | null
      readonly current: string | number | null
    }
  | { readonly kind: 'account'; readonly id: string; readonly numberId?: string | undefined }
  | { readonly kind: 'plan'; readonly change: 'reached' | 'plan'; readonly current: string | number }
  | {
      readonly kind: 'webhook'
      readonly id: string
      readonly state: 'failing' | 'recovered' | 'disabled' | 'given_up'
      readonly since?: string | undefined
      readonly responseStatus?: number | undefined
      readonly deliveries: number
    }

interface Step {
  readonly to: 'sent' | 'delivered' | 'read' | 'failed'
  readonly at: string
  /** WhatsApp has told of a later step only. */
  readonly implied?: true
}

type Draft = Pick<PublicEvent, 'type' | 'subject'> & { readonly at?: string }

/** Types of events in the log of which public events come. */
export const publicEventSources = [
  'message.changed',
  'number.changed',
  'template.changed',
  'campaign.changed',
  'account.changed',
  'usage.changed',
  'webhook.changed',
] as const satisfies readonly RecordedEvent['type'][]

/** Returns the public events of one in the log, in their order: none, or up to three. */
export function publicEventsOf(event: RecordedEvent): PublicEvent[] {
  const { id, workspaceId, seq: sequence, conversationId } = event
  return draftsOf(event)
    .slice(0, 3)
    .map(({ type, subject, at }, n) => ({
      id: n === 0 ? `evt_${id}` : `evt_${id}.${n}`,
      type,
      timestamp: at ?? event.recordedAt,
      sequence,
      workspaceId,
      n,
      ...(conversationId !== undefined && { conversationId }),
      subject,
    }))
}

function draftsOf(event: RecordedEvent): Draft[] {
  switch (event.type) {
    case 'message.changed':
      return ofMessage(event)
    case 'number.changed': {
      const { became = {}, numberId: id } = event.data
      return Object.entries(became).flatMap(([field, change]) =>
        change
          ? [
              status({
                kind: 'number',
                id,
                field: fieldNames[field] ?? field,
                previous: change.before,
                current: change.after,
              }),
            ]
          : [],
      )
    }
    case 'template.changed': {
      const { became, announced, templateId: id } = event.data
      const about = { kind: 'template', id, previous: null } as const
      return [
        ...(became ? [status({ ...about, field: 'status', current: became })] : []),
        ...(announced ? [status({ ...about, field: 'next_category', current: announced })] : []),
      ]
    }
    case 'campaign.changed': {
      const { became, campaignId: id } = event.data
      if (!became) return []
      return [status({ kind: 'campaign', id, field: 'status', previous: became.before, current: became.after })]
    }
    case 'account.changed': {
      const { accountEventId: id, numberId } = event.data
      return [{ type: 'account.update', subject: { kind: 'account', id, numberId }, at: event.at }]
    }
    case 'usage.changed': {
      const { reached, plan } = event.data
      return [...(plan ? [ofPlan('plan', plan)] : []), ...(reached === undefined ? [] : [ofPlan('reached', reached)])]
    }
    case 'webhook.changed': {
      const { webhookId: id, became: state, since, responseStatus, deliveries = 0 } = event.data
      if (!state) return []
      return [{ type: 'webhook.error', subject: { kind: 'webhook', id, state, since, responseStatus, deliveries } }]
    }
    default:
      return []
  }
}

const fieldNames: Readonly<Record<string, string>> = { nameStatus: 'name_status', messagingLimit: 'messaging_limit' }

const status = (subject: PublicSubject): Draft => ({ type: 'status.update', subject })
const ofPlan = (change: 'reached' | 'plan', current: string | number): Draft => ({
  type: 'account.update',
  subject: { kind: 'plan', change, current },
})

const ladder = ['sent', 'delivered', 'read'] as const
const steps: readonly (string | null)[] = ladder

/** WhatsApp tells of a later step without the ones before it: those come first, and say that they are implied. */
function ofMessage({ at, contactId, data }: Extract<RecordedEvent, { type: 'message.changed' }>): Draft[] {
  const { messageId: id, direction, created, moved } = data
  const subject = { kind: 'message', id, contactId } as const
  if (direction === 'inbound') return created ? [{ type: 'message.received', subject, at }] : []
  if (direction !== 'outbound' || !moved || moved.to === 'queued') return []
  const { from, to, at: since } = moved
  if (to === 'failed') return [{ type: 'message.failed', subject: { ...subject, step: { to, at: since } }, at: since }]
  // One that had failed was taken by WhatsApp before.
  const before = from === 'failed' ? 0 : steps.indexOf(from)
  return ladder.slice(before + 1, ladder.indexOf(to) + 1).map((step) => ({
    type: `message.${step}` as const,
    subject: { ...subject, step: { to: step, at: since, ...(step !== to && { implied: true as const }) } },
    at: since,
  }))
}

/** A contact as public events name them. */
const publicContactSchema = z.object({
  id: idSchema,
  name: z.string().max(200),
  phone: z.string().max(24).optional(),
  username: z.string().max(64).optional(),
})
const publicNumberSchema = z.object({ id: idSchema, name: z.string().max(200), phone: z.string().max(24) })

const publicMessageSchema = z.object({
  ...messageSchema.pick({ id: true, conversationId: true, direction: true, cause: true, sentAt: true }).shape,
  waMessageId: z.string().max(256).optional(),
  /** As `GET /v1/messages/:id` answers with it, media by its id; `truncated` where it would be too long for an event. */
  content: z.looseObject({ type: z.string().max(40), truncated: z.literal(true).optional() }),
  status: messageSchema.shape.status,
  statusAt: timeSchema.optional(),
  /** Counts up when a person has the message sent again. */
  attempt: z.number().int().positive().optional(),
  error: z
    .object({
      code: z.number().int(),
      title: z.string().max(200),
      class: z.enum(failureClasses),
      nextStep: z.string().max(300),
    })
    .optional(),
  pricing: z
    .object({ billable: z.boolean(), category: z.string().max(60), type: z.string().max(60).optional() })
    .optional(),
})

/** In place of the data where the person, or the record, is there no more. */
const erasedSchema = z.strictObject({ erased: z.literal(true) })

const messageDataSchema = z.object({
  message: publicMessageSchema,
  contact: publicContactSchema.optional(),
  number: publicNumberSchema.optional(),
  /** WhatsApp has told of a later step only. */
  implied: z.literal(true).optional(),
})
const valueSchema = z.union([z.string().max(300), z.number()]).nullable()

const dataSchemas = {
  'message.received': messageDataSchema.omit({ implied: true }).extend({
    conversation: z.object({ id: idSchema, status: z.string().max(40), ownerId: idSchema.optional() }).optional(),
  }),
  'message.sent': messageDataSchema,
  'message.delivered': messageDataSchema,
  'message.read': messageDataSchema,
  'message.failed': messageDataSchema,
  'status.update': z.object({
    subject: z.object({ kind: z.enum(['number', 'template', 'campaign']), id: idSchema, name: z.string().max(512) }),
    field: z.string().max(60),
    previous: valueSchema,
    current: valueSchema,
    reason: z.string().max(500).optional(),
  }),
  'account.update': z.object({
    /** WhatsApp's news in words, `plan` or `usage`. */
    change: z.string().max(200),
    previous: valueSchema.optional(),
    current: valueSchema.optional(),
    detail: z.string().max(1000).optional(),
    numberId: idSchema.optional(),
  }),
  'webhook.error': z.object({
    webhook: z.object({ id: idSchema, name: z.string().max(80), host: z.string().max(260) }),
    state: z.enum(['failing', 'recovered', 'disabled', 'given_up']),
    responseStatus: z.number().int().optional(),
    since: timeSchema.optional(),
    /** Deliveries that wait, or were given up. */
    deliveries: countSchema,
  }),
} as const satisfies Readonly<Record<WebhookEvent, z.ZodType>>

const envelopeFields = {
  /** The same on every attempt and replay: what was seen already is known by it. */
  id: z.string().max(64),
  timestamp: timeSchema,
  /** Rises with the workspace's events, with gaps. A test has none. */
  sequence: countSchema,
  workspaceId: idSchema,
  test: z.literal(true).optional(),
}

const envelopeOf = <T extends WebhookEvent>(type: T) =>
  z.object({ ...envelopeFields, type: z.literal(type), data: z.union([erasedSchema, dataSchemas[type]]) })

/** The body of each event, as webhooks and the feed carry it. */
export const publicEventSchemas = {
  'message.received': envelopeOf('message.received'),
  'message.sent': envelopeOf('message.sent'),
  'message.delivered': envelopeOf('message.delivered'),
  'message.read': envelopeOf('message.read'),
  'message.failed': envelopeOf('message.failed'),
  'status.update': envelopeOf('status.update'),
  'account.update': envelopeOf('account.update'),
  'webhook.error': envelopeOf('webhook.error'),
} as const satisfies Readonly<Record<WebhookEvent, z.ZodType>>

/** Any event; no reader has to know all types. */
export const envelopeSchema = z.object({
  ...envelopeFields,
  type: z.enum(webhookEvents),
  data: z.record(z.string(), z.unknown()),
})
export type Envelope = z.infer<typeof envelopeSchema>
