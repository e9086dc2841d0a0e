import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import type { RunRecord } from './runs.model.ts'
import type { RunsRepository } from './runs.repository.ts'
import type { Place } from './starts.repository.ts'

/** Facts about earlier runs of workflows that decide whether another may start. */
export interface EarlierStarts {
  /** Returns whether a contact takes part in a workflow, and when their last run of it began, in milliseconds since 1970. */
  readonly enrolled: (place: Place) => Promise<{ readonly takesPart: boolean; readonly lastAt?: number | undefined }>
  /** Counts starts of a workflow since a time, up to a limit. `contactId`: only those about this contact. */
  readonly countStarts: (of: {
    readonly flowId: string
    readonly contactId?: string
    readonly since: Date
    readonly limit: number
  }) => Promise<number>
  /** Returns whether some events have started a workflow. */
  readonly isStartedBy: (flowId: string, eventIds: readonly string[]) => Promise<boolean>
}

/** Returns whether a run counts as a start: one that a limit holds back does not. */
export const hasStarted = ({ heldBack }: Pick<RunRecord, 'heldBack'>): boolean => heldBack === undefined

/** Reads stored runs, as of a transaction. */
export const storedStarts = (
  runs: Pick<RunsRepository, 'enrolled' | 'countStarts' | 'isStartedBy'>,
  scope: WorkspaceScope,
  tx: Session,
): EarlierStarts => ({
  enrolled: (place) => runs.enrolled(scope, place, tx),
  countStarts: async (of) => runs.countStarts(scope, of, tx),
  isStartedBy: (flowId, eventIds) => runs.isStartedBy(scope, flowId, eventIds, tx),
})
