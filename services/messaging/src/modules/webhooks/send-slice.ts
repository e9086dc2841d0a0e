import type { Envelope } from '@parley/contracts/platform/public-events'
import type { Logger } from '@parley/service-kit/core/logger'
import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import fastq from 'fastq'
import type { Closings } from '../../platform/closings.model.ts'
import type { MessagingMetrics } from '../../platform/metrics.ts'
import { type AttemptResult, attempt } from './attempt.ts'
import { type DeliveryRecord, threadsIn } from './deliveries.model.ts'
import type { DeliveriesRepository } from './deliveries.repository.ts'
import type { DeliveryBodies } from './delivery-bodies.ts'
import { failedAgain, hasFailed, probeEveryMs } from './retry-schedule.ts'
import { settlementOf } from './settlement.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'
import type { WebhookTurns } from './webhook-turns.ts'
import type { WebhookRecord } from './webhooks.model.ts'
import type { WebhooksRepository } from './webhooks.repository.ts'

/** A webhook has its turn for so long; then another one has. */
const sliceMs = 5000
/** Longer than a slice with the last attempt that it begins. */
const leaseMs = 45_000
const batchSize = 100
const maxAtOnce = 10

export interface SendSliceDependencies {
  readonly webhooks: Pick<WebhooksRepository, 'begin' | 'end' | 'read'>
  readonly deliveries: Pick<DeliveriesRepository, 'claim' | 'release' | 'releaseLost' | 'settle' | 'nextAt' | 'hurry'>
  readonly turns: WebhookTurns
  readonly closings: Pick<Closings, 'ids'>
  readonly secrets: Pick<WebhookSecrets, 'signer'>
  readonly bodiesOf: DeliveryBodies
  readonly http: Pick<OutboundHttp, 'send'>
  readonly figures: Pick<MessagingMetrics, 'countWebhookAttempt'>
  /** Milliseconds between an event being there to be sent and its first attempt. */
  readonly observeDelay?: (ms: number) => void
  readonly logger: Logger
  readonly now?: () => Date
  readonly random?: () => number
}

type Sign = ReturnType<WebhookSecrets['signer']>

/** A webhook's deliveries during a slice. */
interface Slice {
  readonly scope: WorkspaceScope
  /** As it was when the rows at hand were claimed. */
  webhook: WebhookRecord
  sign: Sign
  /** Requests at once: halved when the receiver is overloaded. */
  atOnce: number
  calls: number
  ok: number
  lastAt: Date | undefined
  givenUp: number
}

/**
 * Sends the deliveries of one webhook, for a few seconds. While the receiver answers, the events of one conversation leave one after the
 * other. A receiver that fails is asked now and then with one of them, and the others wait for it.
 */
export function createSendSlice(deps: SendSliceDependencies) {
  const {
    webhooks,
    deliveries,
    turns,
    secrets,
    http,
    figures: { countWebhookAttempt: countAttempt },
    now = () => new Date(),
    random = Math.random,
  } = deps
  /** Requests at once that each receiver has taken last. */
  const paces = new Map<string, number>()

  async function perform({ id, workspaceId }: { id: string; workspaceId: string }, again: () => void): Promise<void> {
    if ((await deps.closings.ids()).has(workspaceId)) return
    const scope = { workspaceId }
    const webhook = await webhooks.begin(scope, id, new Date(now().getTime() + leaseMs))
    if (!webhook) return
    const slice: Slice = {
      scope,
      sign: secrets.signer(webhook),
      webhook,
      atOnce: paces.get(id) ?? maxAtOnce,
      calls: 0,
      ok: 0,
      lastAt: undefined,
      givenUp: 0,
    }
    await deliveries.releaseLost(scope, id, now())
    const ends = performance.now() + sliceMs
    while (slice.webhook.status !== 'disabled' && performance.now() < ends) {
      const isMore = slice.webhook.status === 'failed' ? await probe(slice) : await sendBatch(slice, ends)
      if (!isMore) break
    }
    if (slice.givenUp > 0) await turns.giveUp(slice.webhook, slice.givenUp)
    paces.set(id, slice.atOnce)
    if (paces.size > 10_000) paces.clear()
    const next = await nextOf(slice)
    // By the wakes that it had at first: what has come during the slice stays due.
    await webhooks.end(scope, webhook, next, { calls: slice.calls, ok: slice.ok, at: slice.lastAt })
    if (next && next <= now()) again()
  }

  async function nextOf({ scope, webhook: { id, status, failing } }: Slice): Promise<Date | undefined> {
    if (status === 'disabled') return undefined
    const next = await deliveries.nextAt(scope, id)
    // All deliveries of a failed webhook wait for the next probe.
    return status === 'failed' && next ? (failing?.probeAt ?? now()) : next
  }

  /** One waiting delivery of a failed webhook; each time another one. @returns whether the receiver is back. */
  async function probe(slice: Slice): Promise<boolean> {
    const at = now()
    const probeAt = slice.webhook.failing?.probeAt
    if (probeAt && probeAt > at) return false
    const [row] = await claim(slice, 1, true)
    if (!row) return false
    const { scope, webhook } = slice
    const result = await attemptOne(slice, row, (await deps.bodiesOf(scope, [row])).get(row))
    if (!result) return true
    if (result.kind === 'delivered') {
      await settle(slice, [[row, result]])
      await deliveries.hurry(scope, webhook.id, now())
      slice.webhook = (await turns.recover(webhook)) ?? webhook
      return true
    }
    if (result.kind === 'gone') {
      await settle(slice, [[row, result]])
      slice.webhook = (await turns.disable(webhook, 'gone', result.status)) ?? { ...webhook, status: 'disabled' }
      return false
    }
    // It goes behind the others and has lost no attempt.
    await settle(slice, [[row, result]], { isProbe: true })
    const failing = {
      ...failedAgain(webhook.failing, result),
      probeAt: new Date(at.getTime() + Math.max(probeEveryMs, result.retryAfterMs ?? 0)),
    }
    slice.webhook = (await turns.failOn(webhook, failing)) ?? webhook
    return false
  }

  /** @returns whether there may be more. */
  async function sendBatch(slice: Slice, ends: number): Promise<boolean> {
    const rows = await claim(slice, batchSize)
    if (rows.length === 0) return false
    const settled: [DeliveryRecord, AttemptResult][] = []
    const before = slice.webhook.failing
    let failing = before
    let isGone = false
    const mayGoOn = () => !isGone && performance.now() < ends && !(failing && hasFailed(failing))
    const unsent = new Set(rows)
    const envelopes = await deps.bodiesOf(slice.scope, rows)
    const threads = fastq.promise(async (thread: readonly DeliveryRecord[]): Promise<void> => {
      for (const row of thread) {
        if (!mayGoOn()) return
        unsent.delete(row)
        const result = await attemptOne(slice, row, envelopes.get(row))
        if (!result) continue
        settled.push([row, result])
        adapt(slice, result)
        threads.concurrency = slice.atOnce
        isGone ||= result.kind === 'gone'
        failing = result.kind === 'delivered' ? undefined : failedAgain(failing, result)
      }
    }, slice.atOnce)
    await Promise.all(threadsIn(rows).map((thread) => threads.push(thread))).catch((error: unknown) => {
      threads.kill()
      throw error
    })
    await settle(slice, settled)
    await deliveries.release(slice.scope, [...unsent])
    await conclude(slice, { before, failing, gone: settled.find(([, { kind }]) => kind === 'gone')?.[1] })
    return slice.webhook.status === 'active' && performance.now() < ends
  }

  async function conclude(
    slice: Slice,
    {
      before,
      failing,
      gone,
    }: { before: WebhookRecord['failing']; failing: WebhookRecord['failing']; gone: AttemptResult | undefined },
  ): Promise<void> {
    const { webhook } = slice
    if (gone) slice.webhook = (await turns.disable(webhook, 'gone', gone.status)) ?? { ...webhook, status: 'disabled' }
    else if (failing && hasFailed(failing)) {
      const probeAt = new Date(now().getTime() + probeEveryMs)
      slice.webhook = (await turns.fail(webhook, { ...failing, probeAt })) ?? webhook
    } else if (failing !== before) slice.webhook = (await turns.note(webhook, failing)) ?? webhook
  }

  /**
   * Claims rows and then reads the webhook: each is sent to the address, and signed by the keys, that it has after the row was there.
   * Nothing is claimed of one that has been deleted or disabled.
   */
  async function claim(slice: Slice, limit: number, early = false): Promise<DeliveryRecord[]> {
    const { scope, webhook } = slice
    const at = now()
    const leaseUntil = new Date(at.getTime() + leaseMs)
    const rows = await deliveries.claim(scope, webhook.id, { now: at, leaseUntil, limit, early })
    if (rows.length === 0) return []
    slice.webhook = (await webhooks.read(scope, webhook.id)) ?? { ...webhook, status: 'disabled' }
    if (slice.webhook.status !== 'disabled') {
      slice.sign = secrets.signer(slice.webhook)
      return rows
    }
    await deliveries.release(scope, rows)
    return []
  }

  async function attemptOne(
    slice: Slice,
    row: DeliveryRecord,
    envelope: Envelope | undefined,
  ): Promise<AttemptResult | undefined> {
    if (!envelope) {
      await deliveries.settle(slice.scope, [settlementOf(row, undefined, { random: random(), at: now() })])
      countAttempt('skipped')
      return undefined
    }
    if (row.attempts === 0) deps.observeDelay?.(now().getTime() - row.at.getTime())
    const result = await attempt(http, { row, url: slice.webhook.url, envelope, sign: slice.sign, now })
    slice.calls += 1
    slice.lastAt = result.at
    if (result.kind === 'delivered') slice.ok += 1
    countAttempt(result.kind === 'delivered' ? 'delivered' : 'failed')
    return result
  }

  async function settle(
    slice: Slice,
    results: readonly (readonly [DeliveryRecord, AttemptResult])[],
    { isProbe = false }: { isProbe?: boolean } = {},
  ): Promise<void> {
    const settlements = results.map(([row, result]) =>
      settlementOf(row, result, { random: random(), at: now(), isProbe }),
    )
    slice.givenUp += settlements.filter(({ isGivenUp }) => isGivenUp).length
    await deliveries.settle(slice.scope, settlements)
  }

  return perform
}

function adapt(slice: Slice, { isOverloaded }: AttemptResult): void {
  slice.atOnce = isOverloaded ? Math.max(1, Math.floor(slice.atOnce / 2)) : Math.min(maxAtOnce, slice.atOnce + 1)
}
