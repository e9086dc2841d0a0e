import mongoose, { type ClientSession, type Connection } from 'mongoose'
import { fullConnection, isDuplicateKey, type ServiceConnection } from './mongo.ts'
import type { WorkspaceScope } from './scoped-collection.ts'
import { inSession } from './session.ts'

const { ObjectId } = mongoose.mongo
type ObjectId = mongoose.mongo.ObjectId

/** Milliseconds for which a hold lasts that is not renewed, by the clock of the database's server. */
const holdMs = 30_000
/** Milliseconds after which a process that has told nothing is taken for ended. */
const endedMs = 120_000
/** Moves that one cell is part of at a time. */
const maxActive = 100

/** Collections of a cell that say something of the cell itself: never copied. */
const movesCollection = 'workspaceMoves'
const processesCollection = 'cellProcesses'
export const ofTheCell: readonly string[] = [movesCollection, processesCollection]

/** Origins of the cell that holds a workspace now. */
export interface Destination {
  /** Origin at which WhatsApp reaches its ingest process. */
  readonly hooks: string
  /** Origin of its counted links. */
  readonly links?: string | undefined
}

/**
 * `leaving`: closed while the command's hold lasts, afterwards the cell's own as before. `arriving`: documents come in while the hold lasts,
 * afterwards they are erased. `switching`: closed until a command has found out to which cell it belongs. `clearing`: a worker erases what is
 * there. `gone`: it is another cell's. `open`, and without a record: like any workspace.
 */
type MoveName = 'leaving' | 'arriving' | 'switching' | 'clearing' | 'gone' | 'open'
const active: readonly MoveName[] = ['leaving', 'arriving', 'switching', 'clearing']

/** A move, as each database of both cells knows it. */
export interface MoveState {
  readonly state: MoveName
  /** Run of the command that has written it last: an earlier one never writes again. Records stay, so that this holds for ever. */
  readonly turn?: number
  /** Worker that erases. */
  readonly holder?: string
  readonly until?: Date
  readonly to?: Destination
  /** Public ids of webhook addresses that lead here. */
  readonly addresses?: readonly string[]
}
type MoveDocument = MoveState & { readonly _id: ObjectId; readonly workspaceId: ObjectId }

/** A process of the cell, as it tells of itself. */
export interface CellProcess {
  readonly name: string
  /** Moves, by {@link nameOfTurn}, for which it has nothing in hand, and takes nothing any more. */
  readonly still: readonly string[]
  /** Fingerprints of its SECRET_KEYS, where it has told them. */
  readonly keys?: readonly string[] | undefined
}

/** Creates the indexes of a service of a cell; part of a migration. Safe to run again. */
export async function createMoveIndexes(db: NonNullable<Connection['db']>): Promise<void> {
  const moves = db.collection(movesCollection)
  await moves.createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
  await moves.createIndex({ state: 1 }, { name: 'state' })
  await moves.createIndex(
    { addresses: 1 },
    { name: 'address', partialFilterExpression: { addresses: { $exists: true } } },
  )
  await db.collection(processesCollection).createIndex({ at: 1 }, { name: 'ended', expireAfterSeconds: 3600 })
}

/** Says that a move is another's by now, or that its hold has lapsed: whoever had it writes nothing any more. */
export class LostHold extends Error {
  constructor() {
    super('the hold of the move has lapsed, or another command has taken it over: nothing more was written')
  }
}

/** Writes in one transaction with the proof that the move is still the writer's. @throws {@link LostHold} */
export type Fenced = <T>(work: (session: ClientSession) => Promise<T>) => Promise<T>

const lasts = { $expr: { $gt: ['$until', '$$NOW'] } }
const lapsed = { $expr: { $lt: ['$until', '$$NOW'] } }
const renewed = { until: { $add: ['$$NOW', holdMs] } }
/** A move that has lapsed on its way out is none. */
const counts = {
  $or: [{ state: { $nin: ['leaving', 'open'] as MoveName[] } }, { state: 'leaving' as const, ...lasts }],
}

/** Names one run of a command on a workspace. */
export const nameOfTurn = (workspaceId: string, turn = 0): string => `${workspaceId}.${turn}`

export type Moves = ReturnType<typeof createMoves>

/** Records of workspaces that enter or leave a cell, or have left it, and of its processes. Each change names the states that it follows. */
export function createMoves(connection: ServiceConnection) {
  const mongo = fullConnection(connection)
  const moves = () => mongo.collection<MoveDocument>(movesCollection)
  const processes = () =>
    mongo.collection<CellProcess & { readonly _id: string; readonly at: Date }>(processesCollection)
  const own = ({ workspaceId }: WorkspaceScope) => ({ workspaceId: new ObjectId(workspaceId) })

  /** Changes what has not lapsed. @throws {@link LostHold} */
  async function change(filter: object, set: object, session?: ClientSession): Promise<void> {
    const { matchedCount } = await moves().updateOne(
      { ...filter, ...lasts },
      [{ $set: set }],
      session ? { session } : {},
    )
    if (matchedCount === 0) throw new LostHold()
  }

  const fence =
    (filter: object): Fenced =>
    (work) =>
      inSession(connection, async (session) => {
        await change(filter, { batches: { $add: [{ $ifNull: ['$batches', 0] }, 1] }, ...renewed }, session)
        return work(session)
      })

  return {
    /**
     * Changes the state of a move, where no later run has.
     * @param change.from states that it follows; `open` stands for no record, too. @returns false where it stands otherwise.
     */
    set: async (
      scope: WorkspaceScope,
      turn: number,
      { from, state, left }: { from: readonly MoveName[]; state: MoveName; left?: Pick<MoveState, 'to' | 'addresses'> },
    ): Promise<boolean> => {
      const filter = { ...own(scope), turn: { $lte: turn }, state: { $in: [...from] } }
      const until = state === 'clearing' ? { until: '$$NOW' } : renewed
      const to = left && { to: { $literal: left.to }, addresses: { $literal: left.addresses } }
      const unset = state === 'open' ? ['holder', 'until', 'to', 'addresses'] : ['holder']
      try {
        const update = [{ $set: { state, turn, ...until, ...to } }, { $unset: unset }]
        const { matchedCount, upsertedCount } = await moves().updateOne(filter, update, {
          upsert: from.includes('open'),
        })
        return matchedCount + upsertedCount > 0
      } catch (error) {
        if (isDuplicateKey(error)) return false
        throw error
      }
    },
    /** Keeps a hold. @throws {@link LostHold} */
    renew: (scope: WorkspaceScope, turn: number): Promise<void> =>
      change({ ...own(scope), turn, state: { $in: ['leaving', 'arriving'] } }, renewed),
    /** Has a move wait for the decision which cell has the workspace, however long that takes. @throws {@link LostHold} */
    prepare: (scope: WorkspaceScope, turn: number): Promise<void> =>
      change({ ...own(scope), turn, state: { $in: ['leaving', 'arriving'] } }, { state: 'switching' }),
    /** Makes what fences the writes of a run into the cell that gets a workspace; each renews the hold. */
    fence: (scope: WorkspaceScope, turn: number): Fenced => fence({ ...own(scope), turn, state: 'arriving' }),
    /** Takes a workspace whose documents are to be erased: those of a move that has lapsed on its way in, too. */
    takeClearing: async (holder: string): Promise<{ workspaceId: string; fenced: Fenced } | undefined> => {
      const states: MoveName[] = ['arriving', 'clearing']
      const set = [{ $set: { state: 'clearing', holder, ...renewed } }]
      const found = await moves().findOneAndUpdate({ state: { $in: states }, ...lapsed }, set, { hint: { state: 1 } })
      if (!found) return undefined
      const workspaceId = found.workspaceId.toHexString()
      return { workspaceId, fenced: fence({ ...own({ workspaceId }), holder, state: 'clearing' }) }
    },
    /** Notes that everything is erased. */
    cleared: async (scope: WorkspaceScope, holder: string): Promise<void> => {
      const state = { $cond: [{ $gt: ['$to', null] }, 'gone', 'open'] }
      const filter = { ...own(scope), holder, state: 'clearing' as const }
      await moves().updateOne(filter, [{ $set: { state } }, { $unset: ['holder', 'until'] }])
    },
    read: (scope: WorkspaceScope): Promise<MoveState | null> => moves().findOne(own(scope), { hint: 'workspace' }),
    /** Returns the move of a workspace that is not this cell's at the moment. */
    closed: (scope: WorkspaceScope): Promise<MoveState | null> =>
      moves().findOne({ ...own(scope), ...counts }, { hint: 'workspace' }),
    /** Finds the move of a workspace that has left, or comes back, by the public id of its webhook address. */
    ofAddress: (address: string): Promise<MoveState | null> =>
      moves().findOne({ addresses: address }, { hint: 'address' }),
    /** Returns moves because of which the workers rest. */
    active: async (): Promise<{ workspaceId: string; turn: number | undefined }[]> => {
      const found = moves()
        .find({ $and: [{ state: { $in: [...active] } }, counts] }, { hint: 'state' })
        .limit(maxActive)
      return (await found.toArray()).map(({ workspaceId, turn }) => ({ workspaceId: workspaceId.toHexString(), turn }))
    },
    tell: async (id: string, { name, still, keys }: CellProcess): Promise<void> => {
      const $set = { name, still, ...(keys && { keys }) }
      await processes().updateOne({ _id: id }, { $set, $currentDate: { at: true } }, { upsert: true })
    },
    forgetProcess: async (id: string): Promise<void> => {
      await processes().deleteOne({ _id: id })
    },
    processes: (): Promise<CellProcess[]> =>
      processes()
        .find({ $expr: { $gt: ['$at', { $subtract: ['$$NOW', endedMs] }] } })
        .toArray(),
  }
}
