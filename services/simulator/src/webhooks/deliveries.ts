import { randomUUID } from 'node:crypto'
import type { Delivery, Waiting } from '../records.ts'
import type { World } from '../world.ts'
import { createCallbacks } from './callbacks.ts'
import { headersOf } from './delivery-log.ts'
import { signatureOf } from './serialize.ts'
import { bodyOf, type Change, usualFaults, type WebhookFaults } from './webhook-body.ts'

const timeoutMs = 10_000
const minute = 60_000
/** Pauses after the first attempts, then daily until a week has passed. */
const retryPausesMs = [0, 5_000, 30_000, 2 * minute, 10 * minute, 30 * minute, 60 * minute, 180 * minute, 360 * minute]
const dayMs = 24 * 60 * minute
const keptMs = 7 * dayMs
/** Maximum changes in one delivery. */
const changesPerDelivery = 1000
/** Maximum deliveries under way for one account; later changes are sent together. */
const atOnce = 8
/** Maximum delivered ones that are kept for the log. */
const rememberedDeliveries = 2000
/** Milliseconds for which a send is held up for the webhooks about it. */
const heldUpMs = 5000

/** Sends webhooks: signed, retried for a week of the platform's time, logged. */
export function createDeliveries(world: World, onChange: (delivery: Delivery) => void) {
  const { clock } = world
  const { callbackOf, ownAddressOf, verify } = createCallbacks(world)
  const faults: WebhookFaults = { ...usualFaults }
  /** Waiting changes by account, and by number where that has an address of its own. */
  const queues = new Map<string, Waiting[]>()
  const underWay = new Map<string, number>()
  const idle = new Set<() => void>()
  let flushTimer: NodeJS.Timeout | undefined
  let stopped = false

  /** Queues a change of an account for its app. It is dropped while the account has no subscription. */
  function emit(accountId: string, { field, value, numberId }: Change): void {
    const ownNumberId = ownAddressOf(numberId)
    if (!world.accounts.get(accountId)?.subscribed || !callbackOf(accountId, ownNumberId)) return
    const item: Waiting = { id: randomUUID(), accountId, numberId: ownNumberId, field, value }
    const delayMs = faults.batchMs || faults.shuffleMs
    // A change that waits would be lost with the process.
    if (faults.paused || delayMs > 0 || (underWay.get(keyOf(item)) ?? 0) >= atOnce) world.waiting.put(item.id, item)
    enqueue(item)
    schedule(delayMs)
  }

  const keyOf = ({ accountId, numberId }: Pick<Waiting, 'accountId' | 'numberId'>) => `${accountId}/${numberId ?? ''}`

  function enqueue(item: Waiting): void {
    const queue = queues.get(keyOf(item))
    if (queue) queue.push(item)
    else queues.set(keyOf(item), [item])
  }

  function schedule(delayMs: number): void {
    flushTimer ??= setTimeout(() => {
      flushTimer = undefined
      for (const [key, queue] of queues) flush(key, queue)
      notifyIdle()
    }, delayMs)
  }

  function flush(key: string, queue: Waiting[]): void {
    if (faults.paused || stopped) return
    while (queue.length > 0 && (underWay.get(key) ?? 0) < atOnce) {
      const together = faults.batchMs > 0 || queue.length > atOnce ? changesPerDelivery : 1
      const items = queue.splice(0, together)
      const [first] = items
      if (!first) return
      if (faults.shuffleMs > 0) items.reverse()
      dispatch(first, bodyOf(first.accountId, items, faults, Math.floor(clock.now() / 1000)))
      for (const { id } of items) world.waiting.remove(id)
    }
    if (queue.length === 0) queues.delete(key)
  }

  /** Sends a body, whatever it is, to the callback of an account, or of a number that has its own. */
  function dispatch({ accountId, numberId }: Pick<Waiting, 'accountId' | 'numberId'>, body: string): void {
    const account = world.accounts.get(accountId)
    const app = account && world.apps.get(account.appId)
    const callback = callbackOf(accountId, numberId)
    if (!app || !callback) return
    const delivery: Delivery = {
      id: randomUUID(),
      accountId,
      numberId,
      url: callback.url,
      body,
      signature: faults.signature === 'missing' ? null : signatureOf(body, signingSecret(app.secret)),
      createdAt: clock.now(),
      attempts: [],
      state: 'pending',
      nextAt: clock.now(),
    }
    world.deliveries.put(delivery.id, delivery)
    for (let copy = 1; copy < faults.copies; copy++) void post(delivery)
    void attempt(delivery)
  }

  const signingSecret = (secret: string) => (faults.signature === 'wrong' ? `${secret}-wrong` : secret)

  async function attempt(delivery: Delivery): Promise<void> {
    const key = keyOf(delivery)
    underWay.set(key, (underWay.get(key) ?? 0) + 1)
    const outcome = await post(delivery)
    underWay.set(key, (underWay.get(key) ?? 1) - 1)
    if (stopped) return
    settle(delivery, outcome)
    if (queues.has(key)) schedule(0)
    notifyIdle()
  }

  function settle(delivery: Delivery, outcome: { status: number | null; error: string | null }): void {
    const attempts = [...delivery.attempts, { at: clock.now(), ...outcome }]
    const delivered = outcome.status === 200
    const pauseMs = retryPausesMs[attempts.length - 1] ?? dayMs
    const nextAt = clock.now() + pauseMs
    const dropped = !delivered && nextAt - delivery.createdAt > keptMs
    const next: Delivery = {
      ...delivery,
      attempts,
      nextAt,
      state: delivered ? 'delivered' : dropped ? 'dropped' : 'pending',
    }
    world.deliveries.put(next.id, next)
    onChange(next)
    if (next.state === 'pending') clock.at(nextAt, () => retry(next.id))
    forgetOld()
  }

  /** Attempts a stored delivery once more; the callback may have been moved meanwhile. */
  function retry(id: string): void {
    const delivery = world.deliveries.get(id)
    if (!delivery || stopped) return
    if (faults.paused) return void clock.at(clock.now() + 1000, () => retry(id))
    const url = callbackOf(delivery.accountId, delivery.numberId)?.url ?? delivery.url
    void attempt({ ...delivery, url })
  }

  async function post(delivery: Delivery): Promise<{ status: number | null; error: string | null }> {
    try {
      const response = await fetch(delivery.url, {
        method: 'POST',
        redirect: 'manual',
        headers: headersOf(delivery),
        body: delivery.body,
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.body?.cancel()
      return { status: response.status, error: null }
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      return { status: null, error: cause instanceof Error ? cause.message.slice(0, 200) : 'no answer' }
    }
  }

  function forgetOld(): void {
    if (world.deliveries.size <= rememberedDeliveries) return
    for (const { id, state } of world.deliveries.values()) {
      if (world.deliveries.size <= rememberedDeliveries) return
      if (state !== 'pending') world.deliveries.remove(id)
    }
  }

  /** Resolves when nothing waits and nothing is under way, or after a few seconds. */
  const whenIdle = (): Promise<void> =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        idle.delete(done)
        resolve()
      }
      const timer = setTimeout(done, heldUpMs)
      idle.add(done)
      schedule(0)
    })

  function notifyIdle(): void {
    const busy = queues.size > 0 || [...underWay.values()].some((count) => count > 0)
    if (!busy) for (const done of idle) done()
  }

  /** Continues the deliveries that an earlier process had not finished. */
  function resume(): void {
    for (const { id, state, nextAt } of world.deliveries.values())
      if (state === 'pending') clock.at(nextAt, () => retry(id))
    for (const item of world.waiting.values()) enqueue(item)
    if (world.waiting.size > 0) schedule(0)
  }

  function change(faultsChanged: Partial<WebhookFaults>): WebhookFaults {
    Object.assign(faults, faultsChanged)
    if (!faults.paused) schedule(0)
    return { ...faults }
  }

  const stop = () => {
    stopped = true
    clearTimeout(flushTimer)
  }
  return { emit, dispatch, retry, callbackOf, verify, whenIdle, resume, change, faults: () => ({ ...faults }), stop }
}
export type Deliveries = ReturnType<typeof createDeliveries>
