import { setTimeout as wait } from 'node:timers/promises'
import { defaultCallSeconds } from '@parley/contracts/automation/http-request'
import type { Logger } from '@parley/service-kit/core/logger'
import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { Closings } from '../../platform/closings.ts'
import type { CallRecord, CallResult } from './calls.model.ts'
import type { CallsRepository } from './calls.repository.ts'
import type { ConnectionSecrets } from './connection-secrets.ts'
import type { ConnectionRecord } from './connections.model.ts'
import type { HostStates } from './host-states.ts'
import { makeCall, maxTries, type Tried } from './make-call.ts'

/** Queue of the calls, with one job for each connection: a slow host keeps none but its own waiting. */
export const callsQueue = { name: 'calls', keepsWakes: true } as const

/** Calls at once to one connection, and of one workspace in a process. */
const connectionAtOnce = 4
const workspaceAtOnce = 16
/** Milliseconds for which a job begins calls; the next job has the rest. */
const sliceMs = 5000
const lookMs = 200
/** Milliseconds beyond its time-out after which a begun call is lost. */
const leaseMarginMs = 15_000
const maxPauseMs = 60_000

interface Dependencies {
  readonly calls: CallsRepository
  readonly hosts: HostStates
  readonly readConnection: (scope: WorkspaceScope, id: string) => Promise<ConnectionRecord | null>
  readonly secrets: Pick<ConnectionSecrets, 'headersOf'>
  readonly http: Pick<OutboundHttp, 'send'>
  /** Gives the result to the run that waits for it. @returns false where it cannot have it yet. */
  readonly tell: (scope: WorkspaceScope, call: CallRecord) => Promise<boolean>
  readonly logger: Logger
  readonly closings: Closings
  readonly sliceMs?: number
}

/** Makes the calls of a connection, and gives the results to the runs that wait for them. */
export function createPerformCalls({
  calls,
  hosts,
  readConnection,
  secrets,
  http,
  tell,
  logger,
  closings,
  ...options
}: Dependencies) {
  const running = new Map<string, number>()

  async function perform({ id: connectionId, workspaceId }: JobRecord, again: () => void): Promise<void> {
    const scope = { workspaceId }
    const ends = performance.now() + (options.sliceMs ?? sliceMs)
    const inHand = new Map<string, Promise<void>>()
    for (;;) {
      const due = await calls.due(scope, connectionId, connectionAtOnce * 2)
      const waiting = due.filter(({ id }) => !inHand.has(id))
      const isOver = performance.now() >= ends
      const isClosed = (await closings()).has(workspaceId)
      for (const call of isOver || isClosed ? [] : waiting) {
        if (inHand.size >= connectionAtOnce || (running.get(workspaceId) ?? 0) >= workspaceAtOnce) break
        inHand.set(
          call.id,
          work(scope, call).finally(() => inHand.delete(call.id)),
        )
      }
      if (inHand.size === 0) {
        // If others of the workspace have all places, the next sweep comes back.
        if (isOver && !isClosed && waiting.length > 0) again()
        return
      }
      await Promise.race([...inHand.values(), wait(lookMs, undefined, { ref: false })])
    }
  }

  async function work(scope: WorkspaceScope, call: CallRecord): Promise<void> {
    const { workspaceId } = scope
    running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1)
    try {
      await workOn(scope, call)
    } catch (error) {
      // It stays due: a begun one until the end of its lease.
      logger.warn({ err: error, callId: call.id }, 'a call to another system could not be worked on')
    } finally {
      const left = (running.get(workspaceId) ?? 1) - 1
      if (left > 0) running.set(workspaceId, left)
      else running.delete(workspaceId)
    }
  }

  async function workOn(scope: WorkspaceScope, call: CallRecord): Promise<void> {
    const connection = await readConnection(scope, call.connectionId)
    if (call.state === 'waiting') {
      const leaseMs = (call.request?.timeoutSeconds ?? defaultCallSeconds) * 1000 + leaseMarginMs
      const begun = await calls.begin(scope, call, leaseMs)
      if (begun) await conclude(scope, begun, await tried(scope, begun, connection))
      return
    }
    if (call.state === 'started') return conclude(scope, call, lost(call, connection))
    return giveResult(scope, call)
  }

  async function tried(scope: WorkspaceScope, call: CallRecord, connection: ConnectionRecord | null): Promise<Tried> {
    const notMade = (code: string): Tried => ({ result: { state: 'failed', code }, hostFailed: false })
    if (!connection) return notMade('connection_gone')
    if (await hosts.isClosed(scope, connection.id)) return notMade('host_failing')
    const headers = headersOf(connection)
    if (!headers) return notMade('secret_unreadable')
    const result = await makeCall(http, connection, call, headers)
    await hosts.note(scope, connection.id, result.hostFailed)
    return result
  }

  /** Returns nothing where the key that has sealed the secret is gone. */
  function headersOf(connection: ConnectionRecord): Record<string, string> | undefined {
    try {
      return secrets.headersOf(connection)
    } catch (error) {
      logger.error({ err: error, connectionId: connection.id }, 'the secret of a connection cannot be opened')
      return undefined
    }
  }

  async function conclude(scope: WorkspaceScope, call: CallRecord, { result, againAfterMs }: Tried): Promise<void> {
    if (againAfterMs !== undefined) {
      await calls.putOff(scope, call, againAfterMs)
      return
    }
    if (await calls.end(scope, call, result)) await giveResult(scope, { ...call, ...result })
  }

  async function giveResult(scope: WorkspaceScope, call: CallRecord): Promise<void> {
    if (!call.run) return
    try {
      if (await tell(scope, call)) await calls.close(scope, call.id)
      else await calls.tellLater(scope, call.id, maxPauseMs)
    } catch (error) {
      logger.warn({ err: error, callId: call.id }, 'a run could not be given the result of its call')
      const waitedMs = Date.now() - call.at.getTime()
      await calls.tellLater(scope, call.id, Math.min(maxPauseMs, Math.max(1000, waitedMs)))
    }
  }

  return perform
}

/** The worker that had begun it is gone: nobody knows whether the call was made. */
function lost({ request, tries }: CallRecord, connection: ConnectionRecord | null): Tried {
  const isRead = request?.method === 'GET'
  const isRepeatable = isRead || connection?.repeatable === true
  const result: CallResult = { state: isRead ? 'failed' : 'uncertain', code: 'lost' }
  return { result, hostFailed: false, ...(isRepeatable && tries < maxTries && { againAfterMs: 0 }) }
}
