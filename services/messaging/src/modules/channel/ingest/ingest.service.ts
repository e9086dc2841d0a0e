import { storedTrace } from '@parley/service-kit/core/tracing'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Queues } from '@parley/service-kit/queue/queues'
import { batchWakeUps } from '../../../platform/batch-wake-ups.ts'
import type { IngestMetrics } from '../../../platform/ingest-metrics.ts'
import { splitWebhook } from '../../../whatsapp/split-webhook.ts'
import { groupCommit } from './group-commit.ts'
import { createRawEventsRepository, type NewRawEvent } from './raw-events.repository.ts'

export type IngestService = ReturnType<typeof createIngestService>

/** Stores what WhatsApp sends, so that it may be answered. Nothing is understood here beyond the split. */
export function createIngestService({
  mongo,
  queues,
  countStored,
  wakePauseMs = 50,
}: {
  mongo: ServiceConnection
  queues: Pick<Queues, 'lanes'>
  countStored: IngestMetrics['countStored']
  wakePauseMs?: number
}) {
  const rawEvents = createRawEventsRepository(mongo)
  const commit = groupCommit<NewRawEvent>(async (events) => {
    const byWorkspace = Map.groupBy(events, ({ workspaceId }) => workspaceId)
    await Promise.all(
      [...byWorkspace].map(([workspaceId, workspaceEvents]) => rawEvents.insertMany({ workspaceId }, workspaceEvents)),
    )
  })
  const wake = batchWakeUps(queues.lanes('apply'), wakePauseMs)

  /** Resolves once the webhook is stored for good. @throws while the database takes no writes: WhatsApp sends it again. */
  async function store(workspaceId: string, body: Buffer): Promise<void> {
    const items = splitWebhook(body) ?? [whole(body)]
    const received = { workspaceId, receivedAt: new Date(), traceparent: storedTrace() }
    await commit(items.map(({ lane, ...item }) => ({ ...item, ...received, lane: String(lane) })))
    wake(items.map(({ lane }) => lane))
    for (const { kind } of items) countStored(kind)
  }

  return { store }
}

/** The field of a body that is no webhook. */
export const unreadable = 'unreadable'

/** A signed body that cannot be split is kept whole, and shown to operators: as a dead letter. */
const whole = (body: Buffer) => ({
  kind: 'other' as const,
  field: unreadable,
  phoneNumberId: undefined,
  accountId: undefined,
  lane: laneOf(unreadable),
  payload: JSON.stringify({ base64: body.toString('base64') }),
})
