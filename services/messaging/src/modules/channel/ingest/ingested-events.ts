import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { MessagingMetrics } from '../../../platform/metrics.ts'
import type { RawEventRecord } from './raw-events.model.ts'
import type { RawEventsRepository } from './raw-events.repository.ts'

export { rawDays } from './raw-events.model.ts'
export type IngestedEvent = RawEventRecord

/** Gives access to the events that wait to be applied. */
export const createIngestedEvents = (rawEvents: RawEventsRepository, countDead: MessagingMetrics['countDead']) => ({
  pending: async (lane: number, limit: number): Promise<IngestedEvent[]> => rawEvents.pending(lane, limit),
  markApplied: (scope: WorkspaceScope, ids: readonly string[], { session }: Tx) =>
    rawEvents.markApplied(scope, ids, { session }),
  noteFailure: async (event: IngestedEvent, reason: string): Promise<void> => {
    if (await rawEvents.noteFailure(event, reason, new Date())) countDead(event.kind)
  },
})
export type IngestedEvents = ReturnType<typeof createIngestedEvents>
