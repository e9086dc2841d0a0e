import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { MessagingMetrics } from '../../../platform/metrics.ts'
import type { RawEventRecord } from './raw-events.model.ts'
import type { RawEventsRepository } from './raw-events.repository.ts'

export type IngestedEvent = RawEventRecord

/** Gives access to the events that wait to be applied. */
export const createIngestedEvents = (rawEvents: RawEventsRepository, countDead: MessagingMetrics['countDead']) => ({
  pending: async (lane: number, limit: number): Promise<IngestedEvent[]> => rawEvents.pending(lane, limit),
  take: (scope: WorkspaceScope, batch: readonly IngestedEvent[], { session }: Tx) =>
    rawEvents.take(scope, idsOf(batch), { session }),
  leaveLane: (scope: WorkspaceScope, batch: readonly IngestedEvent[]) => rawEvents.leaveLane(scope, idsOf(batch)),
  /** Takes those out of their lane that a process had applied when it died. @returns the others. */
  withoutApplied: async (scope: WorkspaceScope, batch: readonly IngestedEvent[]): Promise<IngestedEvent[]> => {
    const applied = batch.filter(({ taken }) => taken)
    if (applied.length > 0) await rawEvents.leaveLane(scope, idsOf(applied))
    return batch.filter(({ taken }) => !taken)
  },
  noteFailure: async (event: IngestedEvent, reason: string): Promise<void> => {
    if (await rawEvents.noteFailure(event, reason, new Date())) countDead(event.kind)
  },
})
export type IngestedEvents = ReturnType<typeof createIngestedEvents>

const idsOf = (batch: readonly IngestedEvent[]): string[] => batch.map(({ id }) => id)
