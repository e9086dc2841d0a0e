import type { Webhook, WebhookDelivery } from '@parley/contracts/platform/webhooks'
import type { Attempt, DeliveryRecord } from './deliveries.model.ts'
import type { WebhookRecord } from './webhooks.model.ts'

/**
 * A webhook as its endpoints answer with it.
 * @param shows.path whether the caller may see the whole address: its path carries secrets.
 * @param shows.waiting deliveries that wait.
 */
export function toWebhook(record: WebhookRecord, shows: { readonly path: boolean; readonly waiting: number }): Webhook {
  const { id, name, url, events, status, failing, totalCalls, okCalls, lastTriggeredAt, secrets } = record
  const [newest, before] = secrets
  const isFailing = status === 'failed' && failing
  return {
    id,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    version: record.revision,
    name,
    url: shows.path ? url : new URL(url).origin,
    events: [...events],
    status,
    secret: {
      last4: newest?.last4 ?? '',
      updatedAt: (newest?.at ?? record.createdAt).toISOString(),
      previousUntil: before?.until && before.until > new Date() ? before.until.toISOString() : null,
    },
    failing: isFailing
      ? {
          since: failing.since.toISOString(),
          responseStatus: failing.status ?? null,
          nextAttemptAt: (failing.probeAt ?? failing.lastAt).toISOString(),
          waiting: shows.waiting,
        }
      : null,
    disabledFor: status === 'disabled' ? (record.disabledFor ?? 'failing') : null,
    lastTriggeredAt: lastTriggeredAt?.toISOString() ?? null,
    totalCalls,
    successRate: totalCalls === 0 ? null : Math.round((okCalls / totalCalls) * 1000) / 10,
    ...(record.sample && { sample: true }),
  }
}

/** A delivery as the log shows it. */
export const toDelivery = (record: DeliveryRecord): WebhookDelivery => ({
  id: record.id,
  eventId: record.eventId,
  type: record.type,
  state: record.state,
  at: record.at.toISOString(),
  nextAttemptAt: record.nextAttemptAt?.toISOString() ?? null,
  attempts: record.attempts,
  last: toAttempt(record.log.at(-1)),
  ...(record.test && { test: true }),
})

/** @returns null where there was none. */
export function toAttempt(attempt: Attempt | undefined): WebhookDelivery['last'] {
  if (!attempt) return null
  const { at, ms, status, error, answer } = attempt
  return {
    at: at.toISOString(),
    ms,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(answer !== undefined && { answer }),
  }
}
