import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { PageOf } from '@parley/contracts/core/records'
import type { webhooksApi } from '@parley/contracts/platform/webhook-endpoints'
import { maxWebhooks, type NewWebhook, type Webhook } from '@parley/contracts/platform/webhooks'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { OutboundError } from '@parley/service-kit/core/outbound-error'
import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { type ActorContext, causeOf } from '@parley/service-kit/http/context'
import type { DeliveriesRepository } from './deliveries.repository.ts'
import { toWebhook } from './to-webhook.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'
import { emitWebhookChanged } from './webhook-turns.ts'
import type { WebhookRecord } from './webhooks.model.ts'
import type { WebhooksRepository } from './webhooks.repository.ts'

type Input<K extends 'list' | 'update' | 'rotateSecret'> = EndpointInput<(typeof webhooksApi)[K]>
type WithKey = Webhook & { signingKey: string }

const hourMs = 3_600_000

interface Dependencies {
  readonly webhooks: WebhooksRepository
  readonly deliveries: Pick<DeliveriesRepository, 'countWaiting' | 'removeOf' | 'hurry'>
  readonly secrets: WebhookSecrets
  readonly outboundHttp: Pick<OutboundHttp, 'check'>
  readonly queue: (records: readonly { readonly id: string; readonly workspaceId: string }[]) => Promise<void>
  readonly cursors: PageCursors
  readonly transaction: RunInTransaction
  readonly now?: () => Date
}

export type WebhooksService = ReturnType<typeof createWebhooksService>

/** Outbound webhooks as people manage them. */
export function createWebhooksService(deps: Dependencies) {
  const { webhooks, deliveries, secrets, outboundHttp, cursors, transaction, now = () => new Date() } = deps

  async function show(ctx: ActorContext, record: WebhookRecord): Promise<Webhook> {
    const waiting = record.status === 'failed' ? await deliveries.countWaiting(ctx, record.id) : 0
    return toWebhook(record, { path: ctx.may('webhooks:write'), waiting })
  }

  const showWithKey = async (ctx: ActorContext, record: WebhookRecord): Promise<WithKey> => ({
    ...(await show(ctx, record)),
    signingKey: secrets.show(record),
  })

  /** @throws `not_found`. */
  async function find(scope: WorkspaceScope, id: string): Promise<WebhookRecord> {
    const record = isId(id) ? await webhooks.read(scope, id) : null
    if (!record) throw errors.notFound('This webhook has been deleted.')
    return record
  }

  async function list(
    ctx: ActorContext,
    { q, status, limit, cursor }: Input<'list'>['query'],
  ): Promise<PageOf<Webhook>> {
    const found = q ? new RegExp(q.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'i') : undefined
    const page = await webhooks.page(ctx, { found, inUrl: ctx.may('webhooks:write'), status, cursors, limit, cursor })
    return { ...page, items: await Promise.all(page.items.map((record) => show(ctx, record))) }
  }

  /** @throws `webhook_exists`, `webhook_target_refused`, `limit_reached`, `validation_failed`. */
  async function create(ctx: ActorContext, { secret, ...fields }: NewWebhook): Promise<WithKey> {
    const _id = newId(ctx)
    // A repetition of the call meets what the first one has stored.
    const before = ctx.intent ? await webhooks.read(ctx, _id) : null
    if (before) return showWithKey(ctx, before)
    await checkTarget(outboundHttp, fields.url)
    const at = now()
    const record = {
      ...fields,
      _id,
      status: 'active' as const,
      secrets: [secrets.make(ctx, secret, at)],
      totalCalls: 0,
      okCalls: 0,
      wakes: 0,
      revision: 1,
    }
    const created = await transaction(async (tx) => {
      if ((await webhooks.countForNew(ctx, tx)) >= maxWebhooks)
        throw new AppError('limit_reached', `A workspace has at most ${maxWebhooks} webhooks. Delete one first.`)
      const stored = await webhooks.create(ctx, record, tx)
      emitWebhookChanged(stored, causeOf(ctx), tx)
      return stored
    }).catch(refuseTaken(ctx, fields.url))
    return showWithKey(ctx, created)
  }

  /** @throws `not_found`, `webhook_exists`, `webhook_target_refused`, `stale_version`. */
  async function update(
    ctx: ActorContext,
    id: string,
    { version, ...fields }: Input<'update'>['body'],
  ): Promise<Webhook> {
    const before = await find(ctx, id)
    if (fields.url !== undefined && fields.url !== before.url) await checkTarget(outboundHttp, fields.url)
    const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    const changed = await transaction(async (tx) => {
      const edited = await webhooks.edit(ctx, { id, revision: version }, { $set: set }, tx)
      if (edited) emitWebhookChanged(edited, causeOf(ctx), tx)
      return edited
    }).catch(refuseTaken(ctx, fields.url ?? before.url))
    if (changed) return show(ctx, changed)
    throw errors.staleVersion(await show(ctx, await find(ctx, id)))
  }

  /** @throws `not_found`. */
  async function remove(ctx: ActorContext, id: string): Promise<void> {
    const record = await find(ctx, id)
    await transaction(async (tx) => {
      if (await webhooks.remove(ctx, id, tx)) emitWebhookChanged(record, causeOf(ctx), tx)
    })
    await deliveries.removeOf(ctx, id)
  }

  /** Makes a failed or disabled webhook active; what waits is sent at once. @throws `not_found`, `wrong_state`. */
  async function enable(ctx: ActorContext, id: string): Promise<Webhook> {
    const record = await find(ctx, id)
    if (record.sample) throw sampleIsNotCalled()
    const enabled = await transaction(async (tx) => {
      const update = {
        $set: { status: 'active' as const, dueAt: now() },
        $unset: { failing: 1 as const, disabledFor: 1 as const, disabledAt: 1 as const },
        $inc: { wakes: 1 },
      }
      const changed = await webhooks.move(ctx, id, ['failed', 'disabled'], update, tx)
      if (changed) emitWebhookChanged(changed, causeOf(ctx), tx)
      return changed
    })
    if (!enabled) throw errors.wrongState('This webhook is active already.')
    await deliveries.hurry(ctx, id, now())
    await deps.queue([{ id, workspaceId: ctx.workspaceId }])
    return show(ctx, enabled)
  }

  /** Replaces the key; the one before signs too for some hours. @throws `not_found`, `wrong_state`, `validation_failed`. */
  async function rotateSecret(
    ctx: ActorContext,
    id: string,
    { overlapHours, secret }: Input<'rotateSecret'>['body'],
  ): Promise<WithKey> {
    for (let tries = 0; tries < 5; tries += 1) {
      const record = await find(ctx, id)
      const { sample, revision, secrets: before } = record
      if (sample) throw sampleIsNotCalled()
      if (ctx.intent && before[0]?.intent === ctx.intent.id) return showWithKey(ctx, record)
      const at = now()
      const [newest] = before
      const kept =
        newest && overlapHours > 0 ? [{ ...newest, until: new Date(at.getTime() + overlapHours * hourMs) }] : []
      const changed = await transaction(async (tx) => {
        const made = { ...secrets.make(ctx, secret, at), ...(ctx.intent && { intent: ctx.intent.id }) }
        const set = { secrets: [made, ...kept] }
        const edited = await webhooks.edit(ctx, { id, revision }, { $set: set }, tx)
        if (edited) emitWebhookChanged(edited, causeOf(ctx), tx)
        return edited
      })
      if (changed) return showWithKey(ctx, changed)
    }
    throw errors.serviceUnavailable(new Error('a webhook changed again and again'))
  }

  const refuseTaken =
    (scope: WorkspaceScope, url: string) =>
    async (error: unknown): Promise<never> => {
      const other = isDuplicateKey(error) ? await webhooks.byUrl(scope, url) : null
      if (!other) throw error
      const message = `${other.name} goes to this address already.`
      throw new AppError('webhook_exists', message, { fields: { url: message } })
    }

  return {
    list,
    read: async (ctx: ActorContext, id: string): Promise<Webhook> => show(ctx, await find(ctx, id)),
    find,
    create,
    update,
    remove,
    enable,
    rotateSecret,
  }
}

/** Sample webhooks show how it looks: their addresses do not exist. */
export const sampleIsNotCalled = () =>
  errors.wrongState('This webhook is part of the sample data and is never called. Create one of your own.')

/**
 * Refuses an address that would not be called. A name that cannot be looked up at this moment is no reason: it is checked again
 * with each connection.
 * @throws `webhook_target_refused` on `url`.
 */
async function checkTarget(http: Pick<OutboundHttp, 'check'>, url: string): Promise<void> {
  try {
    await http.check(url)
  } catch (error) {
    if (!(error instanceof OutboundError) || error.reason !== 'address_refused') return
    const message = `Parley does not call this address: ${error.message}. Use an https address on the public internet.`
    throw new AppError('webhook_target_refused', message, { fields: { url: message } })
  }
}
