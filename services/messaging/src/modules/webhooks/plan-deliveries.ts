import type { RecordedEvent } from '@parley/contracts/platform/events'
import { type PublicEvent, publicEventSources, publicEventsOf } from '@parley/contracts/platform/public-events-of'
import { storedTrace } from '@parley/service-kit/core/tracing'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type DeliveriesRepository, keptMs, type LoggedDelivery } from './deliveries.repository.ts'
import type { WebhookRecord } from './webhooks.model.ts'
import type { WebhooksRepository } from './webhooks.repository.ts'

/** Types of events that concern deliveries. */
export const deliveredTypes = [...publicEventSources, 'contact.erased'] as const

interface Dependencies {
  readonly webhooks: Pick<WebhooksRepository, 'receiving' | 'wake'>
  readonly deliveries: Pick<DeliveriesRepository, 'insertMissing' | 'forgetAnswers'>
  readonly queue: (records: readonly { readonly id: string; readonly workspaceId: string }[]) => Promise<void>
}

/** Writes down which webhook gets which event, in the transaction that marks the events as read. */
export function createPlanDeliveries({ webhooks, deliveries, queue }: Dependencies) {
  const woken = new Map<string, Set<string>>()

  async function handle(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> {
    const { session } = tx
    const erased = events.flatMap((event) => (event.type === 'contact.erased' ? event.data.conversationIds : []))
    if (erased.length > 0) await deliveries.forgetAnswers(scope, erased, { session })
    const receiving = await webhooks.receiving(scope, { session })
    const at = new Date()
    const traceparent = storedTrace()
    const traced = traceparent === undefined ? {} : { traceparent }
    const rows = events.flatMap((event) =>
      publicEventsOf(event).flatMap((told) =>
        receiving
          .filter((webhook) => wants(webhook, told) && new Date(event.recordedAt) >= webhook.createdAt)
          .map((webhook) => ({ ...deliveryOf(webhook, told, { at, rank: 0 }), ...traced })),
      ),
    )
    if (rows.length === 0) return
    await deliveries.insertMissing(scope, rows, tx)
    const ids = [...new Set(rows.map(({ webhookId }) => webhookId))]
    await webhooks.wake(scope, ids, at, { session })
    woken.set(scope.workspaceId, new Set([...(woken.get(scope.workspaceId) ?? []), ...ids]))
  }

  /** Has what was written down sent, after the commit. */
  async function after({ workspaceId }: WorkspaceScope): Promise<void> {
    const ids = [...(woken.get(workspaceId) ?? [])]
    woken.delete(workspaceId)
    if (ids.length > 0) await queue(ids.map((id) => ({ id, workspaceId })))
  }

  /** A workspace without webhooks reads nothing. */
  const skip = async (scope: WorkspaceScope, { session }: Pick<Tx, 'session'>): Promise<boolean> =>
    (await webhooks.receiving(scope, { session })).length === 0

  return { handle, after, skip }
}

/** Returns whether a webhook is subscribed to an event; it is not told of itself. */
export const wants = ({ id, events }: Pick<WebhookRecord, 'id' | 'events'>, { type, subject }: PublicEvent): boolean =>
  events.includes(type) && !(subject.kind === 'webhook' && subject.id === id)

/** A delivery of an event that was not attempted yet. @param rank 1 for a replay of many. */
export const deliveryOf = (
  { id: webhookId }: Pick<WebhookRecord, 'id'>,
  { id: eventId, type, n, sequence: seq, conversationId }: PublicEvent,
  { at, rank }: { readonly at: Date; readonly rank: 0 | 1 },
): LoggedDelivery => ({
  webhookId,
  seq,
  n,
  eventId,
  type,
  ...(conversationId !== undefined && { conversationId }),
  state: 'due',
  rank,
  at,
  nextAttemptAt: at,
  tries: 0,
  attempts: 0,
  log: [],
  expiresAt: new Date(at.getTime() + keptMs),
})
