import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { cellNameSchema, homeCell } from '@parley/contracts/account/cells'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { type MoveRecord, movesIn } from './moves.model.ts'

/** Milliseconds for which a command that was killed still has its move. */
const heldMs = 30_000
const taken = 'another command has taken the move over'

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly workspaces: {
    readonly find: (
      scope: WorkspaceScope,
    ) => PromiseLike<{ readonly deletion?: unknown; readonly cell?: string | undefined } | null>
    /** @returns whether there is the workspace. */
    readonly place: (
      scope: WorkspaceScope,
      cell: string | undefined,
      options: Pick<Tx, 'session'>,
    ) => PromiseLike<unknown>
  }
  readonly transaction: RunInTransaction
}

/** The record of a workspace's move, which one command at a time works on. */
export function holdMove({ mongo, workspaces, transaction }: Dependencies, scope: WorkspaceScope) {
  const moves = movesIn(mongo)(scope)
  const holder = randomUUID()

  /** Finds the move that is under way, or begins one. @throws with a sentence for the operator. */
  async function begin(to: string | undefined): Promise<MoveRecord> {
    const known = await moves.findOne({})
    if (known && known.state !== 'done') {
      if (to !== undefined && to !== known.to)
        throw new Error(`the workspace moves to ${known.to}: go on with that, or --abort it`)
      return known
    }
    if (to === undefined) throw new Error('this workspace does not move')
    const workspace = await workspaces.find(scope)
    if (!workspace) throw new Error('there is no such workspace')
    if (workspace.deletion) throw new Error('the workspace is being deleted')
    const { cell: from = homeCell } = workspace
    if (from === cellNameSchema.parse(to)) throw new Error(`the workspace is in ${to} already`)
    const fresh = { from, to, state: 'moving' as const }
    const begun = known
      ? await moves.findOneAndUpdate({ _id: known.id, state: 'done' }, { $set: fresh, $unset: { addresses: 1 } })
      : await moves.create({ ...fresh, turn: 0 }).catch((error: unknown) => {
          if (isDuplicateKey(error)) return null
          throw error
        })
    if (!begun) throw new Error(taken)
    return begun
  }

  /** Takes a move, once a command that was killed has lost it. */
  async function take({ id }: MoveRecord): Promise<MoveRecord> {
    for (const end = Date.now() + heldMs + 5000; ; await wait(1000)) {
      const now = Date.now()
      const free = [{ heldUntil: { $exists: false } }, { heldUntil: { $lt: new Date(now) } }]
      const held = { holder, heldUntil: new Date(now + heldMs) }
      const move = await moves.findOneAndUpdate(
        { _id: id, state: { $ne: 'done' }, $or: free },
        { $set: held, $inc: { turn: 1 } },
      )
      if (move) return move
      if (Date.now() > end) throw new Error('another command works on this move, or it is done')
    }
  }

  /** Keeps the move. @throws where another command has it, or its state is another. */
  async function keep(state: MoveRecord['state']): Promise<void> {
    const kept = await moves.updateOne({ holder, state }, { $set: { heldUntil: new Date(Date.now() + heldMs) } })
    if (kept.matchedCount === 0) throw new Error(taken)
  }

  return {
    begin,
    take,
    keep,
    /** Makes the other cell the one of the workspace, and the move `switched`, in one transaction. */
    switchCell: ({ to }: MoveRecord, addresses: readonly string[]): Promise<MoveRecord> =>
      transaction(async ({ session }) => {
        const change = { $set: { state: 'switched' as const, addresses } }
        const switched = await moves.findOneAndUpdate({ holder, state: 'moving' }, change, { session })
        if (!switched) throw new Error(taken)
        const placed = await workspaces.place(scope, to === homeCell ? undefined : to, { session })
        if (!placed) throw new Error('the workspace is gone')
        return switched
      }),
    /** Notes that nothing is left to do. */
    finish: async (): Promise<void> => {
      await moves.updateOne({ holder }, { $set: { state: 'done' }, $unset: { holder: 1, heldUntil: 1 } })
    },
    release: async (): Promise<void> => {
      await moves.updateOne({ holder }, { $unset: { holder: 1, heldUntil: 1 } })
    },
  }
}
export type HeldMove = ReturnType<typeof holdMove>
