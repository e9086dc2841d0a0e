import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { PageOf } from '@parley/contracts/core/records'
import type { WebhookEvent } from '@parley/contracts/platform/public-events'
import type { webhooksApi } from '@parley/contracts/platform/webhook-endpoints'
import type { DeliveryDetail, WebhookDelivery } from '@parley/contracts/platform/webhooks'
import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ActorContext } from '@parley/service-kit/http/context'
import { hashOf } from './attempt.ts'
import type { DeliveryRecord } from './deliveries.model.ts'
import { type DeliveriesRepository, deliveredKeptMs } from './deliveries.repository.ts'
import type { DeliveryBodies } from './delivery-bodies.ts'
import { toAttempt, toDelivery } from './to-webhook.ts'
import type { WebhookRecord } from './webhooks.model.ts'
import type { WebhooksRepository } from './webhooks.repository.ts'
import { sampleIsNotCalled, type WebhooksService } from './webhooks.service.ts'

type Place = EndpointInput<typeof webhooksApi.delivery>['params']

interface Dependencies {
  readonly deliveries: DeliveriesRepository
  readonly webhooks: Pick<WebhooksRepository, 'wake'>
  readonly webhooksService: Pick<WebhooksService, 'find'>
  readonly bodiesOf: DeliveryBodies
  readonly queue: (records: readonly { readonly id: string; readonly workspaceId: string }[]) => Promise<void>
  readonly cursors: PageCursors
}

/** The delivery log of a webhook, and what is sent by hand. */
export function createDeliveriesService(deps: Dependencies) {
  const { deliveries, bodiesOf, cursors } = deps
  const { find: findWebhook } = deps.webhooksService

  async function list(
    ctx: WorkspaceScope,
    webhookId: string,
    { since, until, ...query }: EndpointInput<typeof webhooksApi.deliveries>['query'],
  ): Promise<PageOf<WebhookDelivery>> {
    await findWebhook(ctx, webhookId)
    const page = await deliveries.page(ctx, webhookId, {
      ...query,
      cursors,
      ...(since !== undefined && { since: new Date(since) }),
      ...(until !== undefined && { until: new Date(until) }),
    })
    return { ...page, items: page.items.map(toDelivery) }
  }

  /** @throws `not_found`. */
  async function find(scope: WorkspaceScope, { id, deliveryId }: Place): Promise<DeliveryRecord> {
    const record = isId(id) && isId(deliveryId) ? await deliveries.find(scope, id, deliveryId) : null
    if (!record) throw errors.notFound('This delivery is no longer in the log.')
    return record
  }

  /**
   * The body is rendered now, for those who may read conversations: what was sent is known by its hash alone.
   * @throws `not_found`.
   */
  async function read(ctx: ActorContext, place: Place): Promise<DeliveryDetail> {
    await findWebhook(ctx, place.id)
    const record = await find(ctx, place)
    const envelope = ctx.may('conversations:read') ? (await bodiesOf(ctx, [record])).get(record) : undefined
    const body = envelope ? JSON.stringify(envelope) : null
    return {
      ...toDelivery(record),
      log: record.log.flatMap((attempt) => toAttempt(attempt) ?? []),
      body,
      differs: record.sha256 !== undefined && body !== null && hashOf(body) !== record.sha256,
    }
  }

  /** Sends a sample event. @throws `not_found`, `wrong_state`. */
  async function test(ctx: ActorContext, id: string, type: WebhookEvent): Promise<WebhookDelivery> {
    const webhook = await callable(ctx, id)
    const at = new Date()
    const _id = newId(ctx)
    const created = await deliveries
      .create(ctx, {
        _id,
        webhookId: id,
        eventId: `evt_${_id}`,
        type,
        state: 'due',
        rank: 0,
        at,
        nextAttemptAt: at,
        tries: 0,
        attempts: 0,
        log: [],
        test: true,
        expiresAt: new Date(at.getTime() + deliveredKeptMs),
      })
      .catch(async (error: unknown) => {
        const known = isDuplicateKey(error) ? await deliveries.find(ctx, id, _id) : null
        if (!known) throw error
        return known
      })
    await send(ctx, webhook, at)
    return toDelivery(created)
  }

  /** Sends one event again, under its own id. @throws `not_found`, `wrong_state`. */
  async function replay(ctx: WorkspaceScope, place: Place): Promise<WebhookDelivery> {
    const webhook = await callable(ctx, place.id)
    const record = await find(ctx, place)
    const at = new Date()
    const again = await deliveries.again(ctx, record.id, { at, rank: 0 })
    if (!again) throw errors.wrongState('This event is about to be sent.')
    await send(ctx, webhook, at)
    return toDelivery(again)
  }

  /** @throws `wrong_state` for a webhook that is not called. */
  async function callable(scope: WorkspaceScope, id: string): Promise<WebhookRecord> {
    const webhook = await findWebhook(scope, id)
    if (webhook.sample) throw sampleIsNotCalled()
    if (webhook.status === 'disabled') throw errors.wrongState('This webhook is disabled. Enable it first.')
    return webhook
  }

  async function send(scope: WorkspaceScope, { id, workspaceId }: WebhookRecord, at: Date): Promise<void> {
    await deps.webhooks.wake(scope, [id], at)
    await deps.queue([{ id, workspaceId }])
  }

  return { list, read, test, replay, callable }
}
