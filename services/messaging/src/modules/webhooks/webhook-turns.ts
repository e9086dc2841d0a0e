import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { type AddNotifications, type NewNotification, titled } from '../../platform/notification.ts'
import type { DeliveriesRepository } from './deliveries.repository.ts'
import { stageOf } from './retry-schedule.ts'
import type { Failing, WebhookRecord } from './webhooks.model.ts'
import type { WebhooksRepository } from './webhooks.repository.ts'

type Changed = Extract<RecordedEvent, { type: 'webhook.changed' }>['data']

interface Dependencies {
  readonly webhooks: Pick<WebhooksRepository, 'move'>
  readonly deliveries: Pick<DeliveriesRepository, 'countWaiting'>
  readonly addNotifications: AddNotifications
  readonly transaction: RunInTransaction
  readonly now?: () => Date
}

export type WebhookTurns = ReturnType<typeof createWebhookTurns>

/** Records that a webhook has changed, inside the transaction that changes it. */
export const emitWebhookChanged = (
  { workspaceId, id }: Pick<WebhookRecord, 'workspaceId' | 'id'>,
  by: RecordedEvent['by'],
  tx: Pick<Tx, 'emit'>,
  became: Omit<Changed, 'webhookId'> = {},
): void => tx.emit({ workspaceId, type: 'webhook.changed', by, data: { webhookId: id, ...became } })

const system = { kind: 'system' } as const

/**
 * Changes the state of a webhook by what its receiver answers, and tells of it: other webhooks, pages, and the members who may act.
 * Each returns the webhook as it is then; null where people have changed its state meanwhile.
 */
export function createWebhookTurns({
  webhooks,
  deliveries,
  addNotifications,
  transaction,
  now = () => new Date(),
}: Dependencies) {
  /** Notes failed attempts in a row, or that there are none. */
  const note = (webhook: WebhookRecord, failing: Failing | undefined): Promise<WebhookRecord | null> =>
    webhooks.move(webhook, webhook.id, ['active'], failing ? { $set: { failing } } : { $unset: { failing: 1 } })

  /** Active → failed. */
  async function fail(webhook: WebhookRecord, failing: Failing): Promise<WebhookRecord | null> {
    const waiting = await deliveries.countWaiting(webhook, webhook.id)
    return transaction(async (tx) => {
      const changed = await webhooks.move(webhook, webhook.id, ['active'], { $set: { status: 'failed', failing } }, tx)
      if (!changed) return null
      emitWebhookChanged(changed, system, tx, became('failing', failing, waiting))
      await tell(changed, failing, tx, {
        key: 'failing',
        severity: 'warning',
        title: titled(changed.name, 'is failing'),
        body: `${answerOf(failing)} Nothing is lost: events wait, and one is sent every five minutes.`,
      })
      return changed
    })
  }

  /** A failed one was attempted in vain again. After five days it is disabled, a day before members are told. */
  async function failOn(webhook: WebhookRecord, failing: Failing): Promise<WebhookRecord | null> {
    const stage = stageOf(failing, now())
    if (stage === 'ended') return disable({ ...webhook, failing }, 'failing', failing.status)
    return transaction(async (tx) => {
      const changed = await webhooks.move(webhook, webhook.id, ['failed'], { $set: { failing } }, tx)
      if (changed && stage === 'ending')
        await tell(changed, failing, tx, {
          key: 'ending',
          severity: 'error',
          title: titled(changed.name, 'will be disabled tomorrow'),
          body: `${answerOf(failing)} It has failed for four days.`,
        })
      return changed
    })
  }

  /** Failed → active. */
  const recover = (webhook: WebhookRecord): Promise<WebhookRecord | null> =>
    transaction(async (tx) => {
      const update = { $set: { status: 'active' as const }, $unset: { failing: 1 as const } }
      const changed = await webhooks.move(webhook, webhook.id, ['failed'], update, tx)
      if (!changed) return null
      emitWebhookChanged(changed, system, tx, became('recovered', webhook.failing, 0))
      return changed
    })

  /** Nothing is sent any more, until a person enables it. */
  async function disable(
    webhook: WebhookRecord,
    disabledFor: 'failing' | 'gone',
    status: number | undefined,
  ): Promise<WebhookRecord | null> {
    const waiting = await deliveries.countWaiting(webhook, webhook.id)
    const failing = webhook.failing ?? { since: now(), lastAt: now(), count: 1, status }
    return transaction(async (tx) => {
      const update = { $set: { status: 'disabled' as const, disabledFor, disabledAt: now(), failing } }
      const changed = await webhooks.move(webhook, webhook.id, ['active', 'failed'], update, tx)
      if (!changed) return null
      emitWebhookChanged(changed, system, tx, became('disabled', { ...failing, status }, waiting))
      await tell(changed, failing, tx, {
        key: 'disabled',
        severity: 'error',
        title: titled(changed.name, 'was disabled'),
        body:
          disabledFor === 'gone'
            ? 'Its server has answered that the address is gone (410). Nothing is sent to it any more.'
            : 'It has failed for five days. Nothing is sent to it any more; what was missed can be replayed.',
      })
      return changed
    })
  }

  /** Deliveries were attempted for the last time. */
  const giveUp = (webhook: WebhookRecord, count: number): Promise<void> =>
    transaction(async (tx) => emitWebhookChanged(webhook, system, tx, became('given_up', webhook.failing, count)))

  const tell = (
    webhook: WebhookRecord,
    { since }: Failing,
    tx: Tx,
    { key, ...texts }: Pick<NewNotification, 'severity' | 'title' | 'body' | 'key'>,
  ): Promise<void> =>
    addNotifications(
      webhook,
      [
        {
          ...texts,
          category: 'webhook',
          object: { kind: 'webhook', id: webhook.id },
          key: `webhook/${webhook.id}/${key}/${since.getTime()}`,
          action: 'See its deliveries',
          at: now(),
        },
      ],
      tx,
    )

  return { note, fail, failOn, recover, disable, giveUp }
}

const became = (
  state: NonNullable<Changed['became']>,
  failing: Failing | undefined,
  deliveries: number,
): Omit<Changed, 'webhookId'> => ({
  became: state,
  ...(failing && { since: failing.since.toISOString() }),
  ...(failing?.status !== undefined && { responseStatus: failing.status }),
  deliveries,
})

const answerOf = ({ status }: Failing): string =>
  status === undefined ? 'Its server does not answer.' : `Its server answers with ${status}.`
