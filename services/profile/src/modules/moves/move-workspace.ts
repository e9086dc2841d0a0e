import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '@parley/service-kit/core/logger'
import { copyWorkspace } from '@parley/service-kit/data/copy-workspace'
import { LostHold, nameOfTurn } from '@parley/service-kit/data/workspace-moves'
import type { CellStores, Store } from './cell-stores.ts'
import { checkEmpty, checkMove, compareCells, documentsOf } from './check-move.ts'
import type { HeldMove } from './hold-move.ts'
import type { MoveRecord } from './moves.model.ts'

const renewMs = 5000
const pollMs = 500
/** Milliseconds in which a process that has just started has told of itself. */
const minStopMs = 10_000
/** Milliseconds in which everything in hand has ended: longer than a process that was killed is waited for. */
const maxStopMs = 150_000
/** Milliseconds in which workers have erased a workspace. */
const maxClearMs = 30 * 60_000
/** Milliseconds within which documents that expire may be missing in either cell: longer than a copy takes. */
const expiringMs = 3600_000

interface Dependencies {
  readonly source: CellStores
  readonly target: CellStores
  readonly held: Pick<HeldMove, 'keep' | 'switchCell' | 'finish'>
  /** Has every app ask for the cell anew. */
  readonly announce: () => Promise<void>
  /** True where the processes of both cells have one bucket. */
  readonly oneBucket: boolean
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

/**
 * Moves one workspace, which rests meanwhile. Before the switch nothing in the source has changed, and what is in the target is erased by its
 * workers where the command dies or fails. Source: `deploy/docs/design/cells.md`.
 */
export function createMove({ source, target, held, announce, oneBucket, logger }: Dependencies) {
  const leaving = [source.messaging, source.automation]
  const arriving = [target.messaging, target.automation]
  const all = [...leaving, ...arriving]
  const cells = { source, target, oneBucket }

  /** Waits until workers have erased what an earlier run has left behind. */
  async function cleared(stores: typeof all, workspaceId: string): Promise<void> {
    for (const end = Date.now() + maxClearMs; ; await wait(pollMs)) {
      const states = await Promise.all(stores.map(({ moves }) => moves.read({ workspaceId })))
      if (!states.some((move) => move?.state === 'clearing')) return
      if (Date.now() > end)
        throw new Error('no worker erases what is left of the workspace: look at their logs, and run this again')
    }
  }

  /** Closes the workspace in both cells; their work rests from now on, for as long as this run holds it. */
  async function close({ workspaceId, turn }: MoveRecord, holds: Set<Store>): Promise<void> {
    const scope = { workspaceId }
    for (const { moves } of arriving)
      await moves.set(scope, turn, { from: ['arriving', 'switching'], state: 'clearing' })
    await cleared(arriving, workspaceId)
    for (const store of leaving) {
      if (!(await store.moves.set(scope, turn, { from: ['open', 'leaving', 'switching'], state: 'leaving' })))
        throw new Error('a database of the cell that is left knows the workspace otherwise: look at CELL_STORES')
      holds.add(store)
    }
    for (const store of arriving) {
      if (!(await store.moves.set(scope, turn, { from: ['open', 'gone'], state: 'arriving' })))
        throw new Error('a database of the other cell knows the workspace otherwise: look at CELL_STORES')
      holds.add(store)
    }
    logger.info({ workspaceId }, 'calls for the workspace are refused, and the work of both cells rests')
  }

  /** Waits until no process has anything in hand. */
  async function stopped({ workspaceId, turn }: MoveRecord): Promise<void> {
    const name = nameOfTurn(workspaceId, turn)
    await wait(minStopMs)
    for (const end = Date.now() + maxStopMs; ; await wait(pollMs)) {
      const found = (await Promise.all(all.map(({ moves }) => moves.processes()))).flat()
      const busy = found.filter(({ still }) => !still.includes(name)).map((process) => process.name)
      if (busy.length === 0) return
      if (Date.now() > end)
        throw new Error(`these still have something in hand for the workspace, or do not rest: ${busy.join(', ')}`)
    }
  }

  async function copy({ workspaceId, turn }: MoveRecord): Promise<void> {
    const scope = { workspaceId }
    for (const service of ['messaging', 'automation'] as const) {
      const [from, to] = [source[service], target[service]]
      const fenced = to.moves.fence(scope, turn)
      const documents = await copyWorkspace({ source: from.db, target: to.db, workspaceId, fenced })
      logger.info({ workspaceId, service, documents }, 'copied')
    }
    const found = await compareCells(cells, workspaceId, new Date(Date.now() + expiringMs))
    if (found.length > 0) throw new Error(`the copy is not the same: ${JSON.stringify(found)}`)
    logger.info({ workspaceId }, 'both cells have the same')
  }

  /** Renews the hold in the databases that have it. @returns what ends that. */
  function renewing({ workspaceId, turn }: MoveRecord, holds: ReadonlySet<Store>): () => void {
    const renew = async () => {
      await held.keep('moving')
      for (const { moves } of holds) await moves.renew({ workspaceId }, turn)
    }
    const timer = setInterval(() => {
      // The next write fails for the same reason.
      renew().catch((error: unknown) => logger.warn({ err: error }, 'the hold could not be renewed'))
    }, renewMs)
    return () => clearInterval(timer)
  }

  /** Brings the workspace to the target, up to the switch. */
  async function bring(move: MoveRecord): Promise<MoveRecord> {
    const { workspaceId, turn } = move
    await checkMove(cells, move)
    const holds = new Set<Store>()
    const endRenewing = renewing(move, holds)
    try {
      await close(move, holds)
      await stopped(move)
      await checkMove(cells, move)
      await checkEmpty(cells, move)
      await copy(move)
      const endpoints = await documentsOf(source.messaging, 'endpoints', workspaceId)
      endRenewing()
      for (const { moves } of all) await moves.prepare({ workspaceId }, turn)
      return await held.switchCell(
        move,
        endpoints.map(({ publicId }) => String(publicId)),
      )
    } catch (error) {
      endRenewing()
      // Where even that fails, the hold lapses, or the next run finds out.
      await giveBack(move).catch((failure: unknown) =>
        logger.error({ err: failure }, 'run the command again, or --abort'),
      )
      throw error instanceof LostHold ? new Error(error.message, { cause: error }) : error
    }
  }

  /** Has the source go on as before. @throws where the move is another command's, or has switched. */
  async function giveBack({ workspaceId, turn }: MoveRecord): Promise<void> {
    const scope = { workspaceId }
    await held.keep('moving')
    for (const { moves } of arriving)
      await moves.set(scope, turn, { from: ['arriving', 'switching'], state: 'clearing' })
    for (const { moves } of leaving) await moves.set(scope, turn, { from: ['leaving', 'switching'], state: 'open' })
    logger.info({ workspaceId }, 'the workspace is where it was')
  }

  /** Does what is left after the switch. */
  async function leave({ workspaceId, turn, addresses = [] }: MoveRecord): Promise<void> {
    const scope = { workspaceId }
    const to = { hooks: target.hooks, ...(target.links !== undefined && { links: target.links }) }
    for (const { moves } of leaving)
      await moves.set(scope, turn, { from: ['switching'], state: 'clearing', left: { to, addresses } })
    for (const { moves } of arriving) await moves.set(scope, turn, { from: ['switching'], state: 'open' })
    logger.info({ workspaceId }, 'the workspace is in the other cell')
    await cleared(leaving, workspaceId)
  }

  return {
    /** Goes on where the move stands. */
    run: async (move: MoveRecord): Promise<void> => {
      const switched = move.state === 'moving' ? await bring(move) : move
      await announce()
      await leave(switched)
      await held.finish()
      logger.info({ workspaceId: move.workspaceId, from: move.from, to: move.to }, 'the workspace has moved')
    },
    /** Gives a move up that has not switched: the source goes on as it was. */
    abort: async (move: MoveRecord): Promise<void> => {
      await giveBack(move)
      await cleared(arriving, move.workspaceId)
      await held.finish()
    },
  }
}
