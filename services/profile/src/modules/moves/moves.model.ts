import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { Schema } from 'mongoose'

/** `moving` can be given up; `switched` goes on only; at `done` the workspace is the other cell's like any other. */
const moveStates = ['moving', 'switched', 'done'] as const

/** Latest move of a workspace to another cell. */
export interface MoveRecord {
  readonly id: string
  readonly workspaceId: string
  /** Names of cells, also `home`. */
  readonly from: string
  readonly to: string
  readonly state: (typeof moveStates)[number]
  /** Number of runs of the command for this workspace: databases of cells take nothing from an earlier one. */
  readonly turn: number
  /** Public ids of its webhook addresses, from `switched` on. */
  readonly addresses?: readonly string[] | undefined
  /** Command that works on it, until when nobody else does. */
  readonly holder?: string | undefined
  readonly heldUntil?: Date | undefined
}

const moveSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    from: { type: String, required: true },
    to: { type: String, required: true },
    state: { type: String, enum: moveStates, required: true },
    turn: { type: Number, required: true },
    addresses: { type: [String], default: undefined },
    holder: { type: String },
    heldUntil: { type: Date },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
moveSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })

/** Records of moves. */
export const movesIn = (connection: ServiceConnection): ((scope: WorkspaceScope) => MovesOf) =>
  workspaceCollection<MoveRecord>({ connection, name: 'workspaceMoves', schema: moveSchema, bookkeeping: true })
type MovesOf = ReturnType<ReturnType<typeof workspaceCollection<MoveRecord>>>
