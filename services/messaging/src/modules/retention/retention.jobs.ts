import { maxEventDays } from '@parley/service-kit/data/event-retention'
import { createEventPruner, deleteOlder } from '@parley/service-kit/data/prune-events'
import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../load-work.ts'
import { rawDays } from '../channel/ingest/ingested-events.ts'

const dayMs = 86_400_000
const sweepMs = 60_000
/** Name of the one job for raw webhooks, which are of all workspaces. */
const rawJob = { id: 'raw-webhooks', workspaceId: 'all' }

/** Deletes what is kept for a while only, all in one queue: nothing of it is urgent. */
export default ({ services, config, connection }: JobOptions): JobQueue[] => {
  const events = createEventPruner({
    connection,
    days: config.EVENT_LOG_DAYS,
    maxDays: maxEventDays,
    goesBack: async (workspaceId) =>
      (await services.webhookRecords.hasOwn({ workspaceId })) ||
      (await services.automationStates.read({ workspaceId })) !== null,
  })

  async function pruneRaw(requeue: () => void): Promise<void> {
    const before = new Date(Date.now() - config.RAW_WEBHOOK_DAYS * dayMs)
    if (await deleteOlder(connection, { collection: 'rawEvents', field: 'appliedAt', index: 'kept', before })) requeue()
  }

  const messages = services.createOldMessageRemoval()
  const messageJob = (workspaceId: string) => ({ id: `messages.${workspaceId}`, workspaceId })
  const kinds: readonly { readonly of: RegExp; readonly perform: JobQueue['perform'] }[] = [
    { of: /^raw-/, perform: (_job, requeue) => pruneRaw(requeue) },
    { of: /^messages\./, perform: messages.perform },
    { of: /^/, perform: events.perform },
  ]

  return [
    {
      name: 'retention',
      perform: async (job, requeue) => kinds.find(({ of }) => of.test(job.id))?.perform(job, requeue),
      due: async () => [
        ...(await messages.due()).map(messageJob),
        ...(config.RAW_WEBHOOK_DAYS < rawDays ? [rawJob] : []),
        ...(await events.due()),
      ],
      sweepMs,
      concurrency: 1,
    },
  ]
}
