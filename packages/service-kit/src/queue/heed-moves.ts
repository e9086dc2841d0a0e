import { randomUUID } from 'node:crypto'
import { deriveSecret, type NamedKey } from '../core/key-ring.ts'
import type { Logger } from '../core/logger.ts'
import type { clearWorkspace } from '../data/copy-workspace.ts'
import { fullConnection } from '../data/mongo.ts'
import { moveGateOf } from '../data/move-gate.ts'
import type { Database } from '../data/open-database.ts'
import { isId } from '../data/plain.ts'
import { createMoves, nameOfTurn } from '../data/workspace-moves.ts'
import type { Rest } from './rest.ts'
import { sweepEvery } from './sweep.ts'

/** Milliseconds between two looks for moves. */
const pollMs = 2000
/** Milliseconds between two notes of a process that it is there. */
const presenceMs = 20_000

interface Options {
  readonly name: string
  readonly logger: Logger
  /** Work that rests, in a worker. It rests until the process has asked for the first time. */
  readonly rest?: Rest
  /** Returns how much goes on beside the work that rests. */
  readonly inHand?: () => number
  /** Erases what a move has left behind, in a process that does so. */
  readonly clear?: typeof clearWorkspace
  /** Keys of the process, of which it tells a fingerprint. */
  readonly keys?: readonly NamedKey[]
  /** Told of the workspaces that move, at every look. */
  readonly onMoving?: (workspaceIds: ReadonlySet<string>) => void
}

/**
 * The part of each process of a cell in moves: it refuses calls for workspaces that move, rests in a worker, and tells in the database whether
 * it has nothing in hand.
 * @returns what stops it, once nothing new is taken: what is still in hand then is waited for as that of a process that has died.
 */
export function heedMoves({ connection, isOpen }: Pick<Database, 'connection' | 'isOpen'>, options: Options) {
  const { name, logger, rest, clear, onMoving } = options
  const moves = createMoves(connection)
  const gate = moveGateOf(connection)
  const id = `${name}.${randomUUID()}`
  const keys = options.keys?.map((key) => deriveSecret([key], 'fingerprint of a key'))
  const goesOn = () => (options.inHand?.() ?? 0) > 0
  let tellAt = 0
  let wasMoving = false
  rest?.begin()
  // A job of a workspace that has left would write anew what was erased.
  rest?.leaveOut(async (workspaceId) => isId(workspaceId) && (await gate.of({ workspaceId }))?.state === 'gone')

  async function clearOne(clear: typeof clearWorkspace): Promise<void> {
    const { db } = fullConnection(connection)
    const taken = await moves.takeClearing(id)
    if (!db || !taken) return
    const { workspaceId, fenced } = taken
    const removed = await clear(db, workspaceId, fenced)
    await moves.cleared({ workspaceId }, id)
    logger.info({ workspaceId, removed }, 'erased what a workspace had here that is another cell’s')
  }

  const stop = sweepEvery(
    pollMs,
    async () => {
      if (!isOpen()) return
      const active = await moves.active()
      const moving = active.map(({ workspaceId }) => workspaceId)
      const isMoving = moving.length > 0
      if (isMoving) rest?.begin()
      else rest?.end()
      const isStill = gate.close(moving) && (rest?.isStill() ?? true) && !goesOn()
      if (isMoving !== wasMoving)
        logger.warn({ moving }, isMoving ? 'work rests while a workspace moves' : 'work goes on')
      if (isMoving) onMoving?.(new Set(moving))
      if (isMoving || wasMoving || performance.now() >= tellAt) {
        const still = isStill ? active.map(({ workspaceId, turn }) => nameOfTurn(workspaceId, turn)) : []
        await moves.tell(id, { name, still, keys })
        tellAt = performance.now() + presenceMs
      }
      wasMoving = isMoving
      if (clear && isMoving) await clearOne(clear)
    },
    logger,
  )
  return async (): Promise<void> => {
    await stop()
    const isIdle = gate.isIdle() && (rest?.isIdle() ?? true) && !goesOn()
    if (isIdle && isOpen()) await moves.forgetProcess(id).catch(() => undefined)
  }
}
