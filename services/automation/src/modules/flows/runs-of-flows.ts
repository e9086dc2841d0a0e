import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'

/** Operations of bots on their sessions, in the transaction of their own change. */
export interface RunsOfFlows {
  /** Counts running sessions by version. */
  readonly countRunning: (scope: WorkspaceScope, botId: string) => Promise<ReadonlyMap<number, number>>
  /** Counts waiting sessions by node. */
  readonly countWaiting: (scope: WorkspaceScope, botId: string) => Promise<ReadonlyMap<string, number>>
  /** Returns whether any session of the workspace runs. */
  readonly isRunning: (scope: WorkspaceScope) => Promise<boolean>
  /** Moves sessions that wait at some nodes to another version. @returns their number. */
  readonly move: (
    scope: WorkspaceScope,
    botId: string,
    to: { readonly from: number; readonly to: number; readonly nodeIds: readonly string[] },
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
