import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'

/** Sessions that wait at a node of a version. */
export interface WaitingRuns {
  readonly number: number
  readonly nodeId: string
  readonly count: number
}

/** Some nodes of a version. */
export interface NodesOfVersion {
  readonly from: number
  readonly nodeIds: readonly string[]
}

/** Operations of bots on their sessions, in the transaction of their own change. */
export interface RunsOfFlows {
  /** Counts running sessions by version. */
  readonly countRunning: (scope: WorkspaceScope, botId: string) => Promise<ReadonlyMap<number, number>>
  /** Counts waiting sessions by version and node. */
  readonly countWaiting: (scope: WorkspaceScope, botId: string) => Promise<WaitingRuns[]>
  /** Returns whether any session of the workspace runs. */
  readonly isRunning: (scope: WorkspaceScope) => Promise<boolean>
  /** Moves sessions of a version that wait at some nodes to another version. @returns their number. */
  readonly move: (
    scope: WorkspaceScope,
    botId: string,
    to: NodesOfVersion & { readonly to: number },
    tx: Session,
  ) => Promise<number>
  /** Ends sessions of all versions but one; their conversations go to people. @returns their number. */
  readonly end: (
    scope: WorkspaceScope,
    botId: string,
    how: { readonly reason: string; readonly except?: number },
    tx: Session,
  ) => Promise<number>
}
