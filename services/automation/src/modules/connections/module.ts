import type { ConnectionUsage } from '@parley/contracts/automation/connections'
import type { HttpRequest } from '@parley/flow/actions'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform, Session } from '../../platform/platform.ts'
import type { CallingRun, CallRecord } from './calls.model.ts'
import { createCallsRepository } from './calls.repository.ts'
import { createConnectionSecrets } from './connection-secrets.ts'
import { createConnectionRecords, createConnections } from './connections.service.ts'
import { createHostStates } from './host-states.ts'
import { callsQueue, createPerformCalls } from './perform-calls.ts'

export type { CallingRun, CallRecord } from './calls.model.ts'
export { callsQueue } from './perform-calls.ts'

type CallStore = ReturnType<typeof createCallStore>

/** Stores connections and calls. It needs nothing of flows and runs, which depend on it. */
export function createCallStore({ mongo, box, queues }: Pick<Platform, 'mongo' | 'box' | 'queues'>) {
  const stored = createConnectionRecords(mongo)
  const calls = createCallsRepository(mongo)
  const queue = queues.jobs(callsQueue.name, callsQueue)

  /** Asks for a call of a run; once only, by its key. @returns the code of the reason for which it cannot be made. */
  async function request(
    scope: WorkspaceScope,
    { key, request: wanted, run }: { key: string; request: HttpRequest; run: CallingRun },
  ): Promise<'connection_gone' | undefined> {
    if (!(await stored.read(scope, wanted.connectionId))) return 'connection_gone'
    await calls.add(scope, { key, connectionId: wanted.connectionId, request: wanted, run })
    return undefined
  }

  return {
    stored,
    calls,
    hosts: createHostStates(mongo),
    secrets: createConnectionSecrets(box),
    wake: ({ workspaceId }: WorkspaceScope, id: string): Promise<void> => queue.add([{ id, workspaceId }]),
    request,
    connectionIds: stored.ids,
    countConnections: stored.count,
    /** Forgets the calls of some runs, whose contact is erased. */
    forget: calls.forget,
  }
}

/** Connections for people, and the work that makes their calls. */
export const createConnectionsModule = (
  platform: Pick<Platform, 'mongo' | 'transaction' | 'outbound' | 'logger' | 'closings'>,
  store: CallStore,
  dependencies: {
    readonly usedBy: (scope: WorkspaceScope, connectionId: string, options?: Session) => Promise<ConnectionUsage[]>
    /** Has creations in a workspace take turns. */
    readonly hold: (scope: WorkspaceScope, tx: Session) => Promise<void>
    /** Takes turns with publications, which may name the connection. */
    readonly raise: (scope: WorkspaceScope, tx: Session) => Promise<void>
    readonly tell: (scope: WorkspaceScope, call: CallRecord) => Promise<boolean>
  },
) => ({
  ...createConnections({ ...platform, ...store, ...dependencies, http: platform.outbound }),
  performCalls: createPerformCalls({
    ...store,
    ...dependencies,
    readConnection: store.stored.read,
    http: platform.outbound,
    logger: platform.logger,
    closings: platform.closings,
  }),
  dueCalls: async () => store.calls.dueConnections(await platform.closings()),
  oldestCallAt: async () => store.calls.oldestDueAt(await platform.closings()),
})
