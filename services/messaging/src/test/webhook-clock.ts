import { createOutboundHttp, type OutboundHttp } from '@parley/service-kit/core/outbound-http'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { Types } from 'mongoose'
import { expect } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import type { joinMessaging } from './start-messaging.ts'

type Parley = Awaited<ReturnType<typeof joinMessaging>>

/** Sends webhooks in this process by a clock that only the test moves; no other process sends those of its workspace. */
export function withWebhookClock(
  parley: Parley,
  http: OutboundHttp = createOutboundHttp({ allowLoopback: true, timeoutMs: 2000, maxAnswerBytes: 16 * 1024 }),
) {
  const { workspaceId } = parley.scope
  let now = Date.now()
  const perform = parley.services.sendDeliveries(http, { now: () => new Date(now), random: () => 0.5 })
  const rows = fullConnection(parley.database.connection).collection('webhookDeliveries')
  const deliveriesOf = ({ id }: { id: string }) =>
    rows
      .find({ ...parley.inWorkspace, webhookId: new Types.ObjectId(id) })
      .sort({ seq: 1 })
      .toArray()

  /** Records changes of a number, and waits until each is written down for these webhooks. */
  async function happen(count: number, webhooks: readonly { id: string }[], conversationId?: string): Promise<void> {
    const before = await Promise.all(webhooks.map(async (webhook) => (await deliveriesOf(webhook)).length))
    await inTransaction(parley.database.connection, async (tx) => {
      for (let index = 0; index < count; index += 1)
        tx.emit({
          workspaceId,
          type: 'number.changed',
          by: { kind: 'system' },
          ...(conversationId !== undefined && { conversationId }),
          data: {
            numberId: parley.number.id,
            removed: false,
            became: { quality: { before: 'high', after: 'medium' } },
          },
        })
    })
    await eventually(async () => {
      const after = await Promise.all(webhooks.map(async (webhook) => (await deliveriesOf(webhook)).length))
      expect(after).toEqual(before.map((known) => known + count))
    })
    now = Math.max(now, Date.now())
  }

  /** Gives a webhook its turns until nothing is due. */
  async function run({ id }: { id: string }): Promise<void> {
    // Deliveries that other processes have made due are due here too.
    now = Math.max(now, Date.now())
    for (let isMore = true; isMore; ) {
      isMore = false
      await perform({ id, workspaceId }, () => {
        isMore = true
      })
    }
  }

  let made = 0
  return {
    deliveriesOf,
    happen,
    run,
    now: () => now,
    pass: (ms: number) => {
      now += ms
    },
    create: (url: string, events: readonly string[] = ['status.update']) => {
      made += 1
      return parley.signIn().ask('POST', '/api/webhooks', { name: `Receiver ${made}`, url: `${url}/${made}`, events })
    },
    read: ({ id }: { id: string }) => parley.signIn().ask('GET', `/api/webhooks/${id}`),
    close: http.close,
  }
}
