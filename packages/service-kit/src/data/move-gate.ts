import { LRUCache } from 'lru-cache'
import { AppError } from '../core/errors.ts'
import type { ServiceConnection } from './mongo.ts'
import type { WorkspaceScope } from './scoped-collection.ts'
import { createMoves, type MoveState } from './workspace-moves.ts'

/** Milliseconds for which a process believes what it has read of a workspace. */
const keptMs = 1000
/** Milliseconds in which what follows a handler has ended: hooks that store its answer. */
const endsMs = 1000
const retryAfterSeconds = 30

const moving = () =>
  new AppError('service_unavailable', 'This workspace is being moved. Try again in a few minutes.', {
    retryAfterSeconds,
  })

export type MoveGate = ReturnType<typeof createGate>
const gates = new WeakMap<ServiceConnection, MoveGate>()

/** Returns the one gate of a process to the workspaces of a database. */
export function moveGateOf(connection: ServiceConnection): MoveGate {
  const gate = gates.get(connection) ?? createGate(connection)
  gates.set(connection, gate)
  return gate
}

/** Refuses calls for workspaces that move or have moved, and knows for which it has some in hand. */
function createGate(connection: ServiceConnection) {
  const moves = createMoves(connection)
  const known = new LRUCache<string, Promise<MoveState | null>>({ max: 10_000, ttl: keptMs })
  const inHand = new Map<string, number>()
  let closing: ReadonlySet<string> = new Set()

  /** Returns the move of a workspace that is not this cell's, as of a second ago at most. */
  function of({ workspaceId }: WorkspaceScope): Promise<MoveState | null> {
    const read = known.get(workspaceId) ?? moves.closed({ workspaceId })
    known.set(workspaceId, read, { noUpdateTTL: true })
    read.catch(() => known.delete(workspaceId))
    return read
  }

  function count(workspaceId: string, by: 1 | -1): void {
    const now = (inHand.get(workspaceId) ?? 0) + by
    if (now === 0) inHand.delete(workspaceId)
    else inHand.set(workspaceId, now)
  }

  /**
   * Lets a call in. It is counted before it is checked: a process that has seen a move either refuses it, or still has it in hand.
   * @returns what is to be called once, when it has ended. @throws `service_unavailable` with `Retry-After` while its workspace moves, and
   * where it has left.
   */
  async function enter(scope: WorkspaceScope): Promise<() => void> {
    const { workspaceId } = scope
    count(workspaceId, 1)
    try {
      const move = await of(scope)
      if (move || closing.has(workspaceId)) throw moving()
    } catch (error) {
      count(workspaceId, -1)
      throw error
    }
    return () => void setTimeout(() => count(workspaceId, -1), endsMs).unref()
  }

  return {
    of,
    enter,
    /** Does work for a workspace. @throws as `enter` does. */
    run: async <T>(scope: WorkspaceScope, work: () => Promise<T>): Promise<T> => {
      const leave = await enter(scope)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    isIdle: (): boolean => inHand.size === 0,
    /** Refuses these from now on. @returns whether nothing is in hand for them. */
    close: (workspaceIds: readonly string[]): boolean => {
      closing = new Set(workspaceIds)
      return workspaceIds.every((id) => !inHand.has(id))
    },
  }
}
