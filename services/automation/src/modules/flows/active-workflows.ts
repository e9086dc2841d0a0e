import type { Enrolment } from '@parley/contracts/automation/workflows'
import type { FlowRecord } from './flow-records.model.ts'
import { freshEnrolment } from './show-flows.ts'

/** A workflow that starts runs on events. */
export interface ActiveWorkflow {
  readonly flowId: string
  /** Numbers to whose conversations it is limited; empty: everything in the workspace. */
  readonly numberIds: readonly string[]
  readonly events: ReadonlySet<string>
  readonly enrolment: Enrolment
}

/** Returns the workflows that start runs, the oldest first. */
export const activeWorkflows = (records: readonly FlowRecord[]): ActiveWorkflow[] =>
  records
    .filter(({ status, publishedVersion }) => status === 'active' && publishedVersion !== undefined)
    .toSorted((left, right) => left.createdAt.getTime() - right.createdAt.getTime())
    .map(({ id, numberIds, events = [], enrolment = freshEnrolment }) => ({
      flowId: id,
      numberIds,
      events: new Set(events),
      enrolment,
    }))
