import type { Connection } from '@parley/contracts/automation/connections'
import { Schema } from 'mongoose'

/** A system outside whose host, and how to prove who calls it, flows name by an id. */
export interface ConnectionRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly nameKey: string
  readonly baseUrl: string
  readonly authentication: Connection['authentication']
  /** Absent without authentication. */
  readonly sealed?: string | undefined
  readonly repeatable: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

const text = { type: String, required: true }
const id = { type: Schema.Types.ObjectId, required: true }

export const connectionSchema = new Schema(
  {
    workspaceId: id,
    name: { ...text, maxlength: 80 },
    nameKey: text,
    baseUrl: text,
    authentication: { type: Schema.Types.Mixed, required: true },
    sealed: { type: String },
    repeatable: { type: Boolean, required: true },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, minimize: false, strict: 'throw', strictQuery: 'throw' },
)
connectionSchema.index({ workspaceId: 1, nameKey: 1 }, { name: 'name', unique: true })

/** Failures of a connection's host in a row. */
export interface HostStateRecord {
  readonly id: string
  readonly workspaceId: string
  readonly connectionId: string
  readonly failures: number
  /** Until then no call is made. */
  readonly closedUntil?: Date | undefined
}

export const hostStateSchema = new Schema(
  { workspaceId: id, connectionId: id, failures: { type: Number, required: true }, closedUntil: { type: Date } },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
hostStateSchema.index({ workspaceId: 1, connectionId: 1 }, { name: 'connection', unique: true })
