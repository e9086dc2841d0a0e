import { randomUUID } from 'node:crypto'
import type { Callback, Delivery } from '../records.ts'
import type { World } from '../world.ts'
import { serialize, signatureOf } from './serialize.ts'

/** One change of an `entry`. */
export interface Change {
  readonly field: string
  readonly value: unknown
}

/** What a person may break about webhooks. */
export interface WebhookFaults {
  signature: 'right' | 'wrong' | 'missing'
  /** How many times each delivery is sent at once. */
  copies: number
  /** Deliveries wait this long for others, and go out together in reverse order; 0 sends each at once. */
  shuffleMs: number
  /** Changes of this time are collected into one delivery; 0 sends them as they come. */
  batchMs: number
  /** Nothing is sent while true, as if the platform had an outage. */
  paused: boolean
}

const timeoutMs = 10_000
const minute = 60_000
/** Pauses after the first attempts, then daily until a week has passed. */
const retryPausesMs = [0, 5_000, 30_000, 2 * minute, 10 * minute, 30 * minute, 60 * minute, 180 * minute, 360 * minute]
const dayMs = 24 * 60 * minute
const keptMs = 7 * dayMs
/** More than this many changes are never in one delivery. */
const changesPerDelivery = 1000
/** Deliveries under way at once for one account; what comes meanwhile is sent together. */
const atOnce = 8
/** Delivered ones that are remembered for the log. */
const rememberedDeliveries = 2000

/** Sends webhooks: signed, retried for a week of the platform's time, logged. */
export function createDeliveries(world: World, onChange: (delivery: Delivery) => void) {
  const { clock } = world
  const faults: WebhookFaults = { signature: 'right', copies: 1, shuffleMs: 0, batchMs: 0, paused: false }
  const waiting = new Map<string, { accountId: string; change: Change }[]>()
  const underWay = new Map<string, number>()
  let flushTimer: NodeJS.Timeout | undefined
  let stopped = false

  /** Queues a change of an account for its app. Nobody hears of it while the account has no subscription. */
  function emit(accountId: string, change: Change): void {
    if (!world.accounts.get(accountId)?.subscribed || !callbackOf(accountId)) return
    const queue = waiting.get(accountId) ?? []
    queue.push({ accountId, change })
    waiting.set(accountId, queue)
    schedule(faults.batchMs || faults.shuffleMs)
  }

  /** Where an account's webhooks go: its own override before the app's callback. */
  function callbackOf(accountId: string): Callback | undefined {
    const account = world.accounts.get(accountId)
    return account?.override ?? (account && world.apps.get(account.appId)?.callback) ?? undefined
  }

  function schedule(delayMs: number): void {
    flushTimer ??= setTimeout(() => {
      flushTimer = undefined
      for (const accountId of waiting.keys()) flush(accountId)
    }, delayMs)
  }

  function flush(accountId: string): void {
    if (faults.paused || stopped) return
    const queue = waiting.get(accountId) ?? []
    while (queue.length > 0 && (underWay.get(accountId) ?? 0) < atOnce) {
      const together = faults.batchMs > 0 || queue.length > atOnce ? changesPerDelivery : 1
      const items = queue.splice(0, together)
      if (faults.shuffleMs > 0) items.reverse()
      dispatch(accountId, bodyOf(items))
    }
    if (queue.length === 0) waiting.delete(accountId)
  }

  function bodyOf(items: { accountId: string; change: Change }[]): string {
    const entry = [...Map.groupBy(items, ({ accountId }) => accountId)].map(([id, changes]) => ({
      id,
      ...(changes.some(({ change }) => change.field !== 'messages') && { time: Math.floor(clock.now() / 1000) }),
      changes: changes.map(({ change: { field, value } }) => ({ value, field })),
    }))
    return serialize({ object: 'whatsapp_business_account', entry })
  }

  /** Sends a body, whatever it is, to an account's callback. */
  function dispatch(accountId: string, body: string): void {
    const account = world.accounts.get(accountId)
    const app = account && world.apps.get(account.appId)
    const callback = callbackOf(accountId)
    if (!app || !callback) return
    const delivery: Delivery = {
      id: randomUUID(),
      accountId,
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
    const { accountId } = delivery
    underWay.set(accountId, (underWay.get(accountId) ?? 0) + 1)
    const outcome = await post(delivery)
    underWay.set(accountId, (underWay.get(accountId) ?? 1) - 1)
    if (stopped) return
    settle(delivery, outcome)
    if (waiting.has(accountId)) schedule(0)
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

  /** Attempts the stored delivery once more; the callback may have been moved meanwhile. */
  function retry(id: string): void {
    const delivery = world.deliveries.get(id)
    if (!delivery || stopped) return
    if (faults.paused) return void clock.at(clock.now() + 1000, () => retry(id))
    const url = callbackOf(delivery.accountId)?.url ?? delivery.url
    void attempt({ ...delivery, url })
  }

  async function post({ url, body, signature }: Delivery): Promise<{ status: number | null; error: string | null }> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'facebookexternalua',
          ...(signature !== null && { 'x-hub-signature-256': signature }),
        },
        body,
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

  /**
   * The handshake of a callback: it must echo a challenge.
   * @returns what is wrong with it, or `undefined`.
   */
  async function verify({ url, verifyToken }: Callback): Promise<string | undefined> {
    const challenge = world.random.digits(10)
    const address = new URL(url)
    for (const [name, value] of Object.entries({ mode: 'subscribe', verify_token: verifyToken, challenge }))
      address.searchParams.set(`hub.${name}`, value)
    try {
      const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
      const text = (await response.text()).slice(0, 100)
      if (response.status !== 200) return `it answered ${response.status}`
      return text === challenge ? undefined : 'it did not answer with the challenge'
    } catch {
      return 'it could not be reached'
    }
  }

  /** Goes on with what an earlier process had not delivered. */
  function resume(): void {
    for (const { id, state, nextAt } of world.deliveries.values())
      if (state === 'pending') clock.at(nextAt, () => retry(id))
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
  return { emit, dispatch, retry, verify, resume, change, faults: () => ({ ...faults }), stop }
}
export type Deliveries = ReturnType<typeof createDeliveries>
