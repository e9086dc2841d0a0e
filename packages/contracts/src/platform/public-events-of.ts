import type { RecordedEvent } from './events.ts'
import type { WebhookEvent } from './public-events.ts'

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
  /** True where WhatsApp has reported a later step only. */
  readonly implied?: true
}

type Draft = Pick<PublicEvent, 'type' | 'subject'> & { readonly at?: string }

const sourcesOfType = {
  'message.received': ['message.changed'],
  'message.sent': ['message.changed'],
  'message.delivered': ['message.changed'],
  'message.read': ['message.changed'],
  'message.failed': ['message.changed'],
  'status.update': ['number.changed', 'template.changed', 'campaign.changed'],
  'account.update': ['account.changed', 'usage.changed'],
  'webhook.error': ['webhook.changed'],
} as const satisfies Readonly<Record<WebhookEvent, readonly RecordedEvent['type'][]>>
type Source = (typeof sourcesOfType)[WebhookEvent][number]

/** Types of recorded events from which public events are made. */
export const publicEventSources: readonly Source[] = [...new Set(Object.values(sourcesOfType).flat())]

/** Returns the types of recorded events from which public events of some types are made. */
export const sourcesOf = (types: readonly WebhookEvent[]): Source[] => [
  ...new Set(types.flatMap((type) => sourcesOfType[type])),
]

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

/** WhatsApp may report a later step without those before it: these are added first, marked as implied. */
function ofMessage({ at, contactId, data }: Extract<RecordedEvent, { type: 'message.changed' }>): Draft[] {
  const { messageId: id, direction, created, moved } = data
  const subject = { kind: 'message', id, contactId } as const
  if (direction === 'inbound') return created ? [{ type: 'message.received', subject, at }] : []
  if (direction !== 'outbound' || !moved || moved.to === 'queued') return []
  const { from, to, at: since } = moved
  if (to === 'failed') return [{ type: 'message.failed', subject: { ...subject, step: { to, at: since } }, at: since }]
  // A message that had failed was accepted by WhatsApp before.
  const before = from === 'failed' ? 0 : steps.indexOf(from)
  return ladder.slice(before + 1, ladder.indexOf(to) + 1).map((step) => ({
    type: `message.${step}` as const,
    subject: { ...subject, step: { to: step, at: since, ...(step !== to && { implied: true as const }) } },
    at: since,
  }))
}
